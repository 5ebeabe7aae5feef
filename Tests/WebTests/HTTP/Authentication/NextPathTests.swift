import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Where signing in leads") struct NextPathTests {
    /// Paths that some browser might take for another site or a script.
    static let traps = [
        "//evil.example", "///evil.example", "////evil.example", "/\\evil.example", "\\\\evil.example",
        "\\/evil.example",
        "https://evil.example", "http:evil.example", "https:evil.example", "HTTPS://EVIL.EXAMPLE",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "/dashboard/../../evil", "/dashboard//evil.example",
        "/dashboard/..//evil.example", "/dashboard\\@evil.example", "/dashboard@evil.example",
        "/dashboard.evil.example",
        "dashboard", "evil.example", "?next=//evil.example", "#//evil.example", "/", "/admin/orders",
        "/%2f%2fevil.example",
        "%2f%2fevil.example", "/%5cevil.example", "/dashboard/\r\nSet-Cookie: a=b", "/dashboard/%0d%0aX: y\r\n",
        "\t//evil.example", " /dashboard", "/dashboard/\u{0}", "/dashboard/\u{2028}", "/dashboard/ü",
        "//evil.example/dashboard",
        "https://office.example.com@evil.example/dashboard", "/\t/evil.example", "/dashboard/./../..//evil.example",
        "/dashboard/" + String(repeating: "x", count: 3_000), "about:blank", "ftp://evil.example", "/dashboardevil",
    ]

    @Test("a next that leads elsewhere leads to the dashboard instead")
    func traps() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                #expect(Self.traps.count >= 40)
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                for trap in Self.traps where !trap.contains("\0") {
                    let path = "/dashboard/sign-in?next=\(DashboardPath.encoded(trap))"
                    #expect(try await browser.get(path).location == "/dashboard", "\(trap)")
                }
                for trap in Self.traps {
                    #expect(DashboardPath.safe(trap) == nil, "\(trap)")
                }
                let posted = try await Browser(client).signIn("admin@example.com", next: "//evil.example")
                #expect(posted.location == "/dashboard")
            }
        }
    }

    @Test("a next inside the dashboard is kept, with its query, through the sign-in page")
    func kept() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let asked = "/dashboard/orders?q=ab%20c&status=completed"
                let sent = try #require(try await browser.get(asked).location)
                #expect(sent == "/dashboard/sign-in?next=\(DashboardPath.encoded(asked))")
                let token = try #require(try await browser.get(sent).formToken)
                let fields = [("csrf", token), ("email", "admin@example.com"), ("password", TestSite.password)]
                #expect(try await browser.post("/dashboard/sign-in", fields + [("next", asked)]).location == asked)
            }
        }
    }
}
