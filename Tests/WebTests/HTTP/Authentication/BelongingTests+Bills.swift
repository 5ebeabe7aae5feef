import HTTPTypes
import Postgres
import RouterTesting
import Storage
import Testing

@testable import HTTP

/// Bills and their differences are an app's own: those of another one are neither shown nor noted nor closed.
extension BelongingTests {
    /// The store's numbers in readmigo's bill, which no answer to kombin may have.
    private static let marks = ["N&lt;1&gt;", "N<1>", TestSite.bill, TestSite.billDifference]

    @Sendable private static func bill(_ site: TestSite) async throws { try await site.addBill() }

    private static func kept(_ site: TestSite) async throws -> [String] {
        try await site.pool.query(
            """
            SELECT t::text FROM bill_differences t
            UNION ALL SELECT t::text FROM daily_bills t
            UNION ALL SELECT t::text FROM bill_rows t
            ORDER BY 1
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    @Test("no bill and no difference of another app is shown, noted or closed, by API")
    func billsByProgram() async throws {
        try await Programs.run(Self.bill) { site, programs in
            let before = try await Self.kept(site)
            #expect(before.count == 3)
            for closes in [true, false] {
                let body = #"{"closes":\#(closes),"category":"correction","reason":"It is settled, says the store."}"#
                let path = "/admin/bill-differences/\(TestSite.billDifference)/notes"
                let answer = try await programs.post(path, body, "note \(closes)", of: "kombin")
                #expect(answer.status == .notFound, "\(answer.text)")
            }
            for path in ["/admin/bills", "/admin/bill-differences?show=all"] {
                let answer = try await programs.get(path, of: "kombin")
                #expect(answer.status == .ok, "\(answer.text)")
                for mark in Self.marks {
                    #expect(!answer.text.lowercased().contains(mark.lowercased()), "\(path) tells \(mark)")
                }
                let own = try await programs.get(path).text.lowercased()
                #expect(own.contains(TestSite.bill) || own.contains(TestSite.billDifference), "\(path)")
            }
            #expect(try await Self.kept(site) == before)
        }
    }

    @Test("nor by page: neither the bill, nor the question, nor the form")
    func billsByPage() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support, .analyst)
            try await site.addBill()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                let before = try await Self.kept(site)
                let notes = "/dashboard/bill-differences/\(TestSite.billDifference)/notes"
                _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
                for path in ["/dashboard/bills/\(TestSite.bill)", "\(notes)/new", "\(notes)/new?closes=yes"] {
                    #expect(try await browser.get(path).status == .notFound, "\(path)")
                }
                let form = [("key", "k"), ("closes", "yes")] + AccessPagesTests.reason
                #expect(try await browser.submit(notes, form).status == .notFound)
                for path in ["/dashboard/bills", "/dashboard/bill-differences?show=all", "/dashboard/sync"] {
                    let page = try await browser.get(path)
                    #expect(page.status == .ok)
                    for mark in Self.marks { #expect(!page.text.contains(mark), "\(path) tells \(mark)") }
                }
                #expect(try await Self.kept(site) == before)
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                #expect(try await browser.get("/dashboard/bills/\(TestSite.bill)").status == .ok)
            }
        }
    }
}
