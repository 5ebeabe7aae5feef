import APITypes
import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Bills, as pages") struct BillPagesTests {
    private static let differences = "/dashboard/bill-differences"
    private static let newNote = "\(differences)/\(TestSite.billDifference)/notes/new"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addBill()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("the page Sync shows bills and open differences, with what can be done; who may only look is offered nothing")
    func sync() async throws {
        for role in [StaffRole.admin, .support] {
            try await run(role) { _, browser in
                let page = try await browser.get("/dashboard/sync")
                #expect(page.text.contains("<a href=\"/dashboard/bills/\(TestSite.bill)\">"))
                #expect(page.text.contains("Paid there, unknown here"))
                #expect(page.text.contains("N&lt;1&gt;"))
                #expect(page.text.contains(Self.newNote) == (role == .admin))
                let bill = try await browser.get("/dashboard/bills/\(TestSite.bill)")
                #expect(bill.status == .ok && bill.text.contains("0.11 CNY"))
                #expect(bill.text.contains("1 payment"))
            }
        }
    }

    @Test("a difference is noted and then closed, each with a reason, and leaves the list of open ones")
    func notes() async throws {
        try await run(.admin) { site, browser in
            let asked = try await browser.get("\(Self.newNote)?closes=yes")
            #expect(asked.status == .ok && asked.text.contains("Close this difference?"))
            let path = "\(Self.differences)/\(TestSite.billDifference)/notes"
            let empty = try await browser.submit(path, [("key", "k0"), ("closes", "yes")])
            #expect(empty.status == .unprocessableContent)
            let reason = [("category", "other"), ("reason", "It is of another shop.")]
            let noted = try await browser.submit(path, [("key", "k1"), ("closes", "no")] + reason)
            #expect(noted.status == .seeOther)
            #expect(try await browser.get(Self.differences).text.contains("It is of another shop."))
            let closed = try await browser.submit(path, [("key", "k2"), ("closes", "yes")] + reason)
            #expect(closed.status == .seeOther)
            #expect(try await !browser.get(Self.differences).text.contains("N&lt;1&gt;"))
            #expect(try await browser.get("\(Self.differences)?show=closed").text.contains("N&lt;1&gt;"))
            #expect(try await browser.submit(path, [("key", "k3"), ("closes", "yes")] + reason).status == .conflict)
            #expect(try await browser.get(Self.newNote).status == .seeOther)
        }
    }

    @Test("programs read bills and differences, and close one")
    func api() async throws {
        try await Programs.run(
            { try await $0.addBill() },
            { _, programs in
                let bills = try Programs.decode(BillPage.self, try await programs.get("/admin/bills"))
                let bill = try #require(bills.bills.first)
                #expect((bill.source, bill.day, bill.status) == ("WECHAT_PAY", "2026-01-01", "COMPARED"))
                #expect((bill.rows, bill.differences, bill.open) == (1, 1, 1))
                let list = try Programs.decode(
                    BillDifferencePage.self,
                    try await programs.get("/admin/bill-differences")
                )
                let one = try #require(list.differences.first)
                #expect((one.kind, one.status, one.billed) == ("PAID_THERE", "OPEN", Amount("18.00")))
                let body = #"{"closes":true,"category":"other","reason":"It is of another shop."}"#
                let path = "/admin/bill-differences/\(TestSite.billDifference)/notes"
                let answer = try await programs.post(path, body, "k")
                #expect(try Programs.decode(BillDifferenceItem.self, answer).status == "CLOSED")
                #expect(try await programs.post(path, body, "k").status == .ok)
                #expect(try await programs.post(path, body, "other").status == .conflict)
            }
        )
    }
}
