import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("For days Apple sends no price") struct PriceToldLaterTests {
    /// As Apple has sent it: without both, with one of them, with an empty one.
    enum Shape: String, CaseIterable {
        case neither, noCurrency, emptyCurrency

        func of(_ transaction: JSON) -> JSON {
            var transaction = transaction
            if self == .neither { transaction["price"] = .null }
            transaction["currency"] = self == .emptyCurrency ? "" : .null
            return transaction
        }
    }

    private static let orders: Query = """
        SELECT concat_ws(' ', transaction_id, status, coalesce(amount::text, 'not known'), currency, refunded)
        FROM orders
        ORDER BY purchased_at
        """

    private static let known = """
        SELECT concat_ws(' ', o.transaction_id, t.kind, t.amount, t.currency, (t.occurred_at = o.purchased_at)::text)
        FROM ledger_entries t JOIN orders o ON o.id = t.order_id
        ORDER BY o.purchased_at, t.occurred_at, t.amount DESC
        """

    @Test("an order is there at once, is filled in on its own day, and its refund finds it", arguments: Shape.allCases)
    func later(_ shape: Shape) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let month = AppleWords.sold("t1", from: 0, to: 30)
        let next = AppleWords.sold("t2", from: 30, to: 130)
        try await TestOffice.run { office in
            func tell(_ message: SimulatedMessage) async throws {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            let renewal = AppleWords.renews(true, to: "pro.monthly", ["currency": ""])
            try await tell(AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, shape.of(month), renewal))
            try await tell(AppleWords.message("DID_RENEW", on: 30, shape.of(next), renewal))
            #expect(try await office.lines(Self.orders) == ["t1 pending not known 0", "t2 pending not known 0"])
            #expect(
                try await office.lines("SELECT concat_ws(' ', state, transaction_id) FROM subscriptions") == [
                    "active t2"
                ]
            )
            #expect(try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"])
            let app = try await office.app()
            let question = RevenueQuery(
                filter: MetricsFilter(),
                from: BusinessDay(number: 0),
                through: BusinessDay(TestOffice.start, in: .gmt),
                grain: .month
            )
            let before = try await office.database.read { try await $0.metrics.revenue(question, app: app) }
            #expect((before.cells.count, before.unpriced) == (0, 2))
            let file = String(decoding: RevenueCSV.file(of: before, today: question.through), as: UTF8.self)
            #expect(file.hasSuffix(",2\r\n"))

            try await tell(
                AppleWords.message(
                    "DID_CHANGE_RENEWAL_STATUS",
                    "AUTO_RENEW_DISABLED",
                    on: 31,
                    next,
                    AppleWords.renews(false)
                )
            )
            #expect(try await office.lines(Self.orders) == ["t1 pending not known 0", "t2 completed 1800 CNY 0"])
            try await tell(AppleWords.message("REFUND", on: 40, AppleWords.refunded(on: 39), AppleWords.renews(false)))
            #expect(
                try await office.lines(Query(unsafe: Self.known)) == [
                    "t1 initial_purchase 1800 CNY true", "t1 refund -1800 CNY false", "t2 renewal 1800 CNY true",
                ]
            )
            let after = try await office.database.read { try await $0.metrics.revenue(question, app: app) }
            #expect(after.unpriced == 0)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("of a refund that came before the amount is known that it was, not how much")
    func refundFirst() async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await TestOffice.run { office in
            func tell(_ message: SimulatedMessage) async throws {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            let bought = Shape.neither.of(AppleWords.month)
            try await tell(AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, bought, AppleWords.renews()))
            let refunded = Shape.neither.of(AppleWords.refunded(on: 5))
            try await tell(AppleWords.message("REFUND", on: 5, refunded, AppleWords.renews(false), status: 5))
            #expect(
                try await office.lines(
                    "SELECT concat_ws(' ', status, amount, refunded, (refunded_at IS NOT NULL)::text) FROM orders"
                ) == ["pending 0 true"]
            )
            // What the desk asks for is answered, and nothing can be given back of what nobody knows.
            let number = try await office.lines("SELECT number FROM orders")[0]
            let app = try await office.app()
            let details = try await office.database.read {
                try await $0.screens.order(number: number, app: app, seesPersonalData: true)
            }
            let page = try #require(details)
            #expect((page.order.amount, page.order.currency) == (nil, nil))
            let refunds = try await office.database.read { try await $0.screens.refunds(of: page, app: app) }
            #expect(throws: RefundRefused.self) { try refunds.refundable.requireRefundable() }
        }
    }

    @Test("reconciliation asks the store for what is missing, once a day")
    func asked() async throws {
        let id = "300000000000101"
        let named: [String: JSON] = ["originalTransactionId": .string(id)]
        let message = AppleWords.message(
            "SUBSCRIBED",
            "INITIAL_BUY",
            on: 80,
            AppleWords.sold(id, from: 80, to: 110, "pro.monthly", for: 18_000, named),
            AppleWords.renews(true, to: "pro.monthly", named)
        )
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await ConnectedOffice.run { office in
            var unpriced = message
            unpriced.transaction = message.transaction.map(Shape.neither.of)
            office.store.record([message], as: .arrived)
            try await office.receive([try signer.sign(unpriced)])
            #expect(try await office.office.lines(Self.orders) == ["\(id) pending not known 0"])
            let done = try #require(try await office.reconcile())
            #expect(done.problem == nil)
            #expect(done.counts.corrected == 1)
            #expect(try await office.office.lines(Self.orders) == ["\(id) completed 1800 CNY 0"])
        }
    }
}
