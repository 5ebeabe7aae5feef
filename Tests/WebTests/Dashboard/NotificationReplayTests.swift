import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Applying a notification again") struct NotificationReplayTests {
    private static let path = "/dashboard/notifications/\(TestSite.notificationID)"
    private static let reason = [("category", "service_failure"), ("reason", "The product is in the catalogue now.")]

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.addOrders(1)
            _ = try await site.pool.query(
                """
                UPDATE store_notifications
                SET event = '{}', original_transaction_id = 'T1', attempt = 8
                WHERE id = \(UUID(uuidString: TestSite.notificationID))
                """
            )
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    private func state(_ site: TestSite) async throws -> String {
        let rows = try await site.pool.query(
            "SELECT state || ' ' || attempt FROM store_notifications WHERE original_transaction_id = 'T1'"
        )
        return try rows.first?.decode(0, as: String.self) ?? ""
    }

    @Test("it asks first, becomes due once however often it is sent, and is written down")
    func replay() async throws {
        try await run(.admin) { site, browser in
            #expect(try await browser.get(Self.path).text.contains("\(Self.path)/replays/new"))
            let question = try await browser.get(Self.path + "/replays/new")
            #expect(question.text.contains("Replay DID_RENEW?"))
            #expect(try await state(site) == "failed 8")
            let form = [("key", "one"), ("attempts", "8")] + Self.reason
            for _ in 1...2 {
                let answer = try await browser.submit(Self.path + "/replays", form)
                #expect(answer.location == Self.path)
            }
            #expect(try await state(site) == "received 8")
            // Workers use the database's clock; the site's stands still on another day.
            let isDue = try await site.pool.query(
                """
                SELECT scheduled_at BETWEEN now() - interval '1 hour' AND now() FROM store_notifications
                WHERE original_transaction_id = 'T1'
                """
            )[0].decode(Bool.self)
            #expect(isDue)
            #expect(try await site.audit().filter { $0 == "notification.replay" }.count == 1)
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("Notification queued for replay"))
            #expect(!page.text.contains("/replays/new"))
        }
    }

    @Test("without a reason, or after somebody was faster, nothing happens and the page says so")
    func refused() async throws {
        try await run(.admin) { site, browser in
            let bare = try await browser.submit(Self.path + "/replays", [("key", "one"), ("attempts", "8")])
            #expect(bare.status == .unprocessableContent)
            let late = [("key", "two"), ("attempts", "7")] + Self.reason
            let stale = try await browser.submit(Self.path + "/replays", late)
            #expect(stale.status == .conflict)
            #expect(stale.text.contains("retried after you opened this page"))
            #expect(stale.text.contains("The product is in the catalogue now."))
            #expect(try await state(site) == "failed 8")
            _ = try await site.pool.query(
                "UPDATE store_notifications SET event = NULL WHERE original_transaction_id = 'T1'"
            )
            let form = [("key", "three"), ("attempts", "8")] + Self.reason
            #expect(try await browser.submit(Self.path + "/replays", form).status == .conflict)
            #expect(try await state(site) == "failed 8")
        }
    }

    @Test("support is told who can")
    func support() async throws {
        try await run(.support) { _, browser in
            let page = try await browser.get(Self.path)
            #expect(!page.text.contains("/replays/new"))
            #expect(page.text.contains("Only admins can replay notifications."))
        }
    }
}
