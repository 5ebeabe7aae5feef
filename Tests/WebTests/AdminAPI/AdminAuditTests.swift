import APITypes
import Foundation
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("The admin API: the audit log") struct AdminAuditTests {
    @Test("an entry tells who did what, why, and what was before and after")
    func entry() async throws {
        try await Self.run { site, programs in
            let answer = try await programs.get("/admin/audit/\(TestSite.auditEntry)", as: .support)
            let entry = try Programs.decode(AuditRecord.self, answer)
            #expect(entry.actor == "eve@example.com" && entry.role == "ADMIN" && entry.app == "readmigo")
            #expect(entry.action == "order.mark" && entry.objectId == "ORD-20260101-0001")
            #expect(entry.before == .object(["mark": .string("none"), "n": .number(1)]))
            #expect(entry.after == .object(["mark": .string("<b>red</b>"), "on": .bool(true)]))
            #expect(entry.reason == "other: it was red")
        }
    }

    @Test("the log is filtered, and paged without an entry lost or shown twice")
    func list() async throws {
        try await Self.run { site, programs in
            for number in 1...30 {
                let path = "/admin/customers/\(TestSite.customer)/notes"
                _ = try await programs.post(path, #"{"text":"Call \#(number)"}"#, "call \(number)")
            }
            let pages = try await programs.pages("/admin/audit", AuditPage.self) { $0.next }
            let ids = pages.flatMap(\.entries).map(\.id)
            #expect(pages.map(\.entries.count) == [25, 6] && Set(ids).count == 31)
            func count(_ query: String) async throws -> Int {
                try Programs.decode(AuditPage.self, try await programs.get("/admin/audit?\(query)")).entries.count
            }
            #expect(try await count("actor=eve@example.com") == 1)
            #expect(try await count("action=order") == 1)
            #expect(try await count("action=ord") == 0)
            #expect(try await count("objectType=order&objectId=ORD-20260101-0001") == 1)
            #expect(try await count("from=2026-01-02&to=2026-01-02") == 1)
            #expect(try await count("to=2026-01-01") == 0)
            for query in ["from=x", "to=2026-13-01", "after=x", "app=readmigo&page=2"] {
                let answer = try await programs.get("/admin/audit?\(query)")
                #expect(answer.status == .unprocessableContent, "\(query)")
            }
        }
    }

    @Test("analysts do not read it, nobody reads another app's, and accounts are not in it")
    func limits() async throws {
        try await Self.run { site, programs in
            let path = "/admin/audit/\(TestSite.auditEntry)"
            #expect(try await programs.get(path, as: .analyst).status == .forbidden)
            #expect(try await programs.get("/admin/audit", as: .analyst).status == .forbidden)
            #expect(try await programs.get(path, of: "kombin").status == .notFound)
            #expect(try await programs.get("/admin/audit/x").status == .notFound)
            _ = try await programs.post("/admin/customers/\(TestSite.customer)/notes", #"{"text":"Hello"}"#, "k")
            #expect(try await programs.get("/admin/audit", of: "kombin").text == #"{"entries":[],"next":null}"#)
            let actions = try Programs.decode(AuditPage.self, try await programs.get("/admin/audit")).entries.map(
                \.action
            )
            #expect(actions == ["note.add", "order.mark"])
        }
    }

    private static func run(_ body: @escaping @Sendable (TestSite, Programs) async throws -> Void) async throws {
        try await Programs.run({ try await $0.addOrders(2) }, body)
    }
}
