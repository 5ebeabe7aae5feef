import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("The audit log's pages") struct AuditPagesTests {
    @Test("an entry is found by each filter, and its page shows before and after, escaped")
    func filters() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            for query in [
                "actor=eve@example.com", "action=order.mark", "action=order", "type=order",
                "object=ORD-20260101-0001", "app=readmigo", "from=2026-01-02&to=2026-01-02",
                "type=order&object=ORD-20260101-0001&actor=eve@example.com",
            ] {
                let page = try await browser.get("/dashboard/audit?\(query)").text
                #expect(page.contains("Mark order"), "\(query)")
                #expect(page.contains("1 of 1") || !query.contains("eve"), "\(query)")
            }
            for query in [
                "actor=eve", "action=order.m", "action=refund", "type=refund", "object=ORD", "app=kombin",
                "from=2026-01-03&to=2026-01-04", "to=2026-01-01",
            ] {
                #expect(!(try await browser.get("/dashboard/audit?\(query)").text.contains("Mark order")), "\(query)")
            }
            let entry = try await browser.get("/dashboard/audit/\(TestSite.auditEntry)").text
            #expect(entry.contains("<tr><th scope=\"row\">mark</th><td>none</td><td>&lt;b&gt;red&lt;/b&gt;</td></tr>"))
            #expect(entry.contains("<tr><th scope=\"row\">n</th><td>1</td><td>none</td></tr>"))
            #expect(entry.contains("<tr><th scope=\"row\">on</th><td>none</td><td>yes</td></tr>"))
            #expect(entry.contains("href=\"/dashboard/orders/ORD-20260101-0001\""))
        }
    }

    @Test("an order leads to its own history")
    func history() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            let order = try await browser.get("/dashboard/orders/ORD-20260101-0001").text
            let link = "/dashboard/audit?type=order&amp;object=ORD-20260101-0001"
            #expect(order.contains("href=\"\(link)\""))
            #expect(try await browser.get(link.replacing("&amp;", with: "&")).text.contains("Mark order"))
        }
    }

    @Test("pages follow one another without gap or repetition")
    func paging() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            _ = try await site.pool.query(
                """
                INSERT INTO audit_entries (id, at, actor, action, object_id)
                SELECT gen_random_uuid(), '2026-02-01'::timestamptz + (n / 3) * interval '1 second', 'program', 'a.b',
                    'n' || n
                FROM generate_series(1, 60) n
                """
            )
            var (seen, next) = ([String](), "/dashboard/audit?actor=program" as String?)
            while let path = next {
                let page = try await browser.get(path).text
                seen += page.split(separator: "<td class=\"mono wrap\">").dropFirst().map {
                    String($0.prefix { $0 != "<" })
                }
                next = page.split(separator: "rel=\"next\" href=\"").dropFirst().first.map {
                    String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
                }
            }
            #expect(seen.count == 60)
            #expect(Set(seen).count == 60)
            let lost = try await browser.get("/dashboard/audit?after=nonsense")
            #expect(lost.status == .seeOther && lost.location == "/dashboard/audit")
        }
    }

    @Test("support sees what was done to the apps, and of accounts its own entries alone; other apps' are not there")
    func scope() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            let page = try await browser.get("/dashboard/audit").text
            #expect(page.contains("Mark order"))
            #expect(page.contains("Signed in"))
            #expect(!page.contains("Added support@example.com"))
            let outsider = try await site.addPerson(.support, apps: ["kombin"])
            try await site.app.test(.router) { client async throws in
                let other = Browser(client)
                _ = try await other.signIn(outsider)
                #expect(!(try await other.get("/dashboard/audit").text.contains("Mark order")))
                #expect(try await other.get("/dashboard/audit/\(TestSite.auditEntry)").status == .notFound)
            }
        }
    }

    @Test("no method changes an entry, for any role")
    func readOnly() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            for method in [HTTPRequest.Method.put, .patch, .delete, .post] {
                for path in ["/dashboard/audit", "/dashboard/audit/\(TestSite.auditEntry)"] {
                    #expect(try await browser.send(method, path).status == .methodNotAllowed, "\(method) \(path)")
                }
                let action = "/dashboard/audit/\(TestSite.auditEntry)/delete"
                #expect(try await browser.send(method, action).status == .notFound)
            }
        }
    }

    @Test("the export holds what is filtered, harmless to spreadsheets, and is written down itself")
    func export() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            _ = try await site.pool.query(
                """
                INSERT INTO audit_entries (id, at, actor, action, reason)
                SELECT gen_random_uuid(), '2026-02-01'::timestamptz + n * interval '1 second', 'program', 'a.b',
                    '=1+1, "quoted"'
                FROM generate_series(1, 2100) n
                """
            )
            let answer = try await browser.submit("/dashboard/audit/exports", [("actor", "program")])
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            let name = try #require(answer.headers[.contentDisposition])
            #expect(name.hasPrefix("attachment; filename=\"audit-2"))
            #expect(name.hasSuffix("Z-actor-program.csv\""))
            let lines = answer.text.components(separatedBy: "\r\n")
            #expect(lines.count == 2_102)
            #expect(lines[0].hasPrefix("\u{FEFF}number,at,app,actor,"))
            #expect(lines[1].contains(",\"'=1+1, \"\"quoted\"\"\","))
            #expect(lines[1].contains("2026-02-01T00:35:00"))
            let entry = try await site.pool.query(
                "SELECT after::text FROM audit_entries WHERE action = 'list.export' AND object_id = 'audit'"
            )
            let kept = #"{"rows": 2100, "filter": "?actor=program", "complete": true}"#
            #expect(try entry.first?.decode(0, as: String.self) == kept)
        }
    }

    private static func signedIn(
        _ role: StaffRole,
        _ body: @escaping @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.addOrders(3)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }
}
