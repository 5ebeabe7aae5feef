import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Payments to look at, as pages") struct CheckoutPagesTests {
    private static let list = "/dashboard/checkouts"
    private static let closing = "\(list)/\(TestSite.waitingCheckout)/closing"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addOrders(1)
            try await site.addWaitingCheckout()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("the list says what is wrong and what can be done; who may only look is offered nothing")
    func waiting() async throws {
        for role in [StaffRole.admin, .support] {
            try await run(role) { _, browser async throws in
                let page = try await browser.get(Self.list)
                #expect(page.status == .ok)
                #expect(page.text.contains("1.00 &lt;CNY&gt; was paid; the order is of 18.00 CNY."))
                #expect(page.text.contains("7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K") && page.text.contains("QR code for WeChat"))
                #expect(page.text.contains("have the failed question tried again"))
                #expect(page.text.contains("\(Self.closing)/new") == (role == .admin))
                #expect(try await browser.get("/dashboard/sync").text.contains("1 payment to look at"))
            }
        }
        try await run(.admin) { _, browser async throws in
            #expect(try await browser.get("/dashboard").text.contains("1 payment to look at"))
        }
    }

    @Test("one is marked as seen to with a reason, and is back when the store tells of something else")
    func seenTo() async throws {
        try await run(.admin) { site, browser async throws in
            let asked = try await browser.get("\(Self.closing)/new")
            #expect(asked.status == .ok && asked.text.contains("Has this payment been seen to?"))
            #expect(try await browser.submit(Self.closing, [("key", "k0")]).status == .unprocessableContent)
            let reason = [("category", "other"), ("reason", "It was given back at the store.")]
            #expect(try await browser.submit(Self.closing, [("key", "k1")] + reason).status == .seeOther)
            #expect(try await !browser.get(Self.list).text.contains("7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K"))
            #expect(try await !browser.get("/dashboard").text.contains("to look at"))
            #expect(try await browser.submit(Self.closing, [("key", "k2")] + reason).status == .conflict)
            #expect(try await browser.get("\(Self.closing)/new").status == .seeOther)
            let entries = try await site.lines("SELECT action FROM audit_entries WHERE object_type = 'checkout'")
            #expect(entries == ["checkout.close"])
            let id = try #require(Checkout.ID(TestSite.waitingCheckout))
            for (problem, isNew) in [("1.00 <CNY> was paid; the order is of 18.00 CNY.", false), ("Another.", true)] {
                let noted = try await site.backOffice.database.write { transaction in
                    try await transaction.checkouts.note(problem, about: id)
                }
                #expect(noted == isNew)
                #expect(try await browser.get(Self.list).text.contains("7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K") == isNew)
            }
        }
    }

    @Test("the page of an order that was paid at a checkout shows how, and the payer to those who see names")
    func order() async throws {
        for role in [StaffRole.support, .analyst] {
            try await run(role) { site, browser async throws in
                _ = try await site.pool.query(
                    """
                    UPDATE checkouts
                    SET state = 'paid', paid_at = now(), settled_at = now(), payer_mask = 'oUp…x1s', bank = 'ICBC_DEBIT',
                        payment_kind = 'NATIVE', problem = NULL, store = o.store, transaction_id = o.transaction_id
                    FROM orders o
                    WHERE o.number = 'ORD-20260101-0001' AND o.app_id = checkouts.app_id
                    """
                )
                let page = try await browser.get("/dashboard/orders/ORD-20260101-0001")
                #expect(page.status == .ok && page.text.contains(">Checkout</h2>"))
                for fact in ["7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K", "QR code for WeChat", "ICBC_DEBIT", "NATIVE"] {
                    #expect(page.text.contains(fact), "\(fact)")
                }
                #expect(page.text.contains("oUp…x1s") == (role == .support))
            }
        }
    }
}
