import Desk
import Foundation
import HTML
import HTTP
import Storage
import Testing
import Words

@Suite struct EntrancePagesTests {
    @Test("a refused sign-in says so first, in title, summary and at the field, and keeps the address")
    func refused() {
        let html = SignInPage.wrongSample.html()
        #expect(html.contains("<title>Error: Not signed in – Sign in – Perennial</title>"))
        #expect(html.contains("<div class=\"problem\" role=\"alert\" tabindex=\"-1\" autofocus>"))
        #expect(html.contains("<a href=\"#email\">Incorrect email address or password.</a>"))
        #expect(html.contains("value=\"mei@example.com\""))
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"email-problem\""))
    }

    @Test("password managers know the fields")
    func autocomplete() {
        let html = SignInPage.sample.html()
        #expect(html.contains("autocomplete=\"username\"") && html.contains("autocomplete=\"current-password\""))
        #expect(html.contains("name=\"next\" value=\"/dashboard/orders?status=failed\""))
    }

    @Test("the way on after signing in never leaves the dashboard")
    func next() {
        #expect(
            !SignInPage(strings: Strings(.english), csrfToken: "t", next: "https://evil.example").html().contains(
                "evil"
            )
        )
    }

    @Test("who has to wait is told how long", arguments: [(30, "a minute"), (61, "2 minutes"), (900, "15 minutes")])
    func blocked(_ seconds: Int, _ strings: String) {
        #expect(
            SignInPage(strings: Strings(.english), csrfToken: "t", problem: .blocked(seconds: seconds)).html().contains(
                "Wait \(strings), then"
            )
        )
    }

    @Test(
        "every error says what happened and what to do, with the request id and a way on",
        arguments: [
            400, 403, 404, 405, 409, 413, 422, 429, 500, 503,
        ]
    )
    func errors(_ status: Int) {
        let text = ErrorText(status: status, requestID: "req-42", Strings(.english))
        for html in [
            BareErrorPage(text).html(), ErrorPage(text, viewer: Sample.viewer, path: "/dashboard/x").html(),
        ] {
            #expect(
                html.contains(
                    "Error \(status), request <span class=\"mono\" data-copy=\"Copy request ID\">req-42</span>"
                )
            )
            #expect(html.contains("<title>Error: ") && html.contains("<a class=\"button\" href=\"/dashboard/orders\">"))
        }
    }

    @Test("a foreign cursor leads to the list's first page")
    func cursor() {
        let text = ErrorText.staleCursor(requestID: "r", list: "/dashboard/orders?status=failed", Strings(.english))
        let html = BareErrorPage(text).html()
        #expect(html.contains("This page link is no longer valid"))
        #expect(html.contains("href=\"/dashboard/orders?status=failed\""))
    }

    @Test("the frame offers another app only where there is one, and every form carries the token")
    func frame() {
        let several = OrderIndexPage.sample.html()
        #expect(several.contains("Switch app") && !OrderIndexPage.emptySample.html().contains("Switch app"))
        let forms = several.components(separatedBy: "method=\"post\"").count - 1
        #expect(forms == 4)
        #expect(several.components(separatedBy: "name=\"csrf\" value=\"c3RhYmxlLXRva2Vu\"").count - 1 == forms)
    }

    @Test("a chosen theme and keys turned off are in the page from the start")
    func theme() {
        let viewer = Sample.viewer(theme: .dark, shortcuts: false)
        let html = ErrorPage(
            ErrorText(status: 404, requestID: "r", Strings(.english)),
            viewer: viewer,
            path: "/dashboard"
        ).html()
        #expect(html.contains("<html lang=\"en\" data-theme=\"dark\" data-shortcuts=\"off\">"))
        #expect(OrderIndexPage.sample.html().contains("<html lang=\"en\">"))
    }
}
