import Desk
import Foundation
import HTML
import HTTP
import Storage
import Testing
import Words

@Suite struct NotificationPagesTests {
    @Test("the inbox shows state, attempts, last error and what each belongs to")
    func rows() {
        let html = NotificationIndexPage.sample.html()
        #expect(html.contains("51–75 of 10,000+ · newest first"))
        #expect(html.contains("<span class=\"status failed\">Failed</span></td>\n<td class=\"num\"><time"))
        #expect(html.contains("<td class=\"amount\">12</td>"))
        #expect(html.contains("The catalogue has no product com.readmigo.gone.yearly."))
        #expect(html.contains("href=\"/dashboard/orders/ORD-20261121-1284?from=%2Fdashboard%2Fnotifications\""))
        #expect(html.contains("4d5b2f1a-8c3e-4f7a-9b6d-000000000010"))
    }

    @Test("failed ones are counted in the navigation, in strings too")
    func count() {
        #expect(
            html(failed: 2).contains(
                "<span class=\"count badge-danger\">2<span class=\"visually-hidden\"> failed</span></span>"
            )
        )
        #expect(html(failed: 100).contains(">99+<span"))
        #expect(!html(failed: 0).contains("count badge-danger"))
    }

    @Test("the signed payload is readable, complete and escaped")
    func payload() {
        let html = NotificationShowPage.sample.html()
        #expect(html.contains("\n    \"signedTransactionInfo\": {\n      \"transactionId\": \"2000000712345999\",\n"))
        #expect(html.contains("\"note\": \"&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\""))
        #expect(!html.contains("<img"))
        #expect(html.contains(Sample.signedPayload))
    }

    @Test(
        "a payload that holds no JSON is shown as it came",
        arguments: ["a.b", "a.@@@.c", "a.e30.", Sample.signed("{\"a")]
    )
    func unreadable(_ payload: String) {
        let page = NotificationShowPage(
            details: Sample.notificationDetails(payload: payload),
            from: nil,
            viewer: Sample.viewer,
            now: Sample.now
        )
        #expect(page.html().contains("The payload can't be shown as JSON"))
    }

    @Test("who may not read what was signed is told who can")
    func withheld() {
        let page = NotificationShowPage(
            details: Sample.notificationDetails(payload: ""),
            from: nil,
            viewer: Sample.viewer,
            now: Sample.now
        )
        #expect(page.html().contains("support and admins can read it"))
        #expect(!page.html().contains("Signed payload as received"))
    }

    private func html(failed: Int) -> String {
        NotificationIndexPage(
            list: Sample.noNotifications,
            filter: NotificationFilter(),
            viewer: Sample.viewer(failed: failed),
            now: Sample.now
        ).html()
    }
}
