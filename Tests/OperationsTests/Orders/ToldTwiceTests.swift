import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("What a store tells twice under other names") struct ToldTwiceTests {
    @Test(
        "One purchase has several transaction ids, both in a receipt: one order, and access",
        arguments: [false, true]
    )
    func receipt(_ isReversed: Bool) async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            let purchase = try Purchase.number(4)
            var again = purchase.notification
            again.notificationUUID = UUID()
            again.transaction?.id = purchase.transaction.id + "1"
            let both = isReversed ? [again, purchase.notification] : [purchase.notification, again]
            office.store.record(both, as: .lost)
            let made = try #require(SimulatedReceipt(of: both, at: TestOffice.start.addingTimeInterval(-600)))
            let signed = try ReceiptSigner(authority: try ConnectedOffice.receiptAuthority.get()).sign(made)
            let verification = try await office.verify(.receipt(signed), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("orders") == 1)
            #expect(try await office.count("ledger_entries WHERE kind <> 'refund'") <= 1)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test(
        "A transaction is suddenly of another subscription, in Get All Subscription Statuses: the next one is reconciled all the same"
    )
    func statuses() async throws {
        func named(_ original: String) -> [String: JSON] { ["originalTransactionId": .string(original)] }
        func sold(_ id: String, of original: String, from start: Double, to end: Double) -> JSON {
            AppleWords.sold(id, from: start, to: end, "pro.monthly", for: 18_000, named(original))
        }
        func told(_ type: String, on day: Double, _ sold: JSON, of original: String) -> SimulatedMessage {
            AppleWords.message(
                type,
                type == "SUBSCRIBED" ? "INITIAL_BUY" : nil,
                on: day,
                sold,
                AppleWords.renews(true, to: "pro.monthly", named(original))
            )
        }
        let (ada, bo, eve) = ("300000000000501", "300000000000700", "300000000000800")
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await ConnectedOffice.run { office in
            let known = [
                told("SUBSCRIBED", on: 70, sold(ada, of: ada, from: 70, to: 130), of: ada),
                told("SUBSCRIBED", on: 71, sold(bo, of: bo, from: 71, to: 95), of: bo),
                told("SUBSCRIBED", on: 72, sold(eve, of: eve, from: 72, to: 95), of: eve),
            ]
            try await office.receive(try known.map { try signer.sign($0) })
            office.store.record(
                known + [
                    told("DID_RENEW", on: 95, sold(ada, of: bo, from: 95, to: 130), of: bo),
                    told("DID_RENEW", on: 95, sold("300000000000801", of: eve, from: 95, to: 130), of: eve),
                ],
                as: .lost
            )
            let done = try #require(try await office.reconcile(days: 10))
            #expect(done.problem == nil)
            let parked = try await office.lines(
                "SELECT concat_ws(' ', type, original_transaction_id, state, last_error) FROM store_notifications WHERE state <> 'processed'"
            )
            #expect(parked == [])
            let orders = try await office.lines("SELECT transaction_id FROM orders ORDER BY 1")
            #expect(orders == [ada, bo, eve, "300000000000801"])
            #expect(try await office.lines("SELECT sum(amount)::text FROM ledger_entries") == ["7200"])
            #expect(try await office.lines("SELECT DISTINCT state FROM subscriptions") == ["active"])
        }
    }
}
