import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("One purchase has one order")
struct OneOrderTests {
    private static let month = "900"

    private static func sold(_ id: String, of subscription: String = "t1", to customer: UUID? = nil) -> StoreTransaction
    {
        var sold = StoreTransaction.sold(id, of: subscription, from: 0, to: 30, to: customer)
        sold.purchaseID = month
        return sold
    }

    @Test("One purchase has several transaction ids: one order, one refund, net 0, found under either id")
    func severalIDs() async throws {
        let bought = StoreEvent.told(.resubscribed, on: 0, Self.sold("200"))
        let proven = StoreEvent.told(.observed, on: 0.01, Self.sold("201"))
        let refunded = StoreEvent.told(.refunded, on: 3, Self.sold("201").takenBack(on: 3))
        for events in [[bought, proven, refunded], [refunded, proven, bought], [proven, refunded, bought]] {
            try await TestOffice.run { office in
                for event in events { try await office.live(event) }
                #expect(
                    try await office.orders() == ["200 initial_purchase refunded 1800 1800 CNY PRO of apple:t1"]
                )
                #expect(try await office.lines("SELECT sum(amount)::text FROM ledger_entries") == ["0"])
                #expect(try await office.lines("SELECT transaction_id FROM order_aliases") == ["201"])
                #expect(try await office.count("store_notifications WHERE state <> 'processed'") == 0)
                let app = try await office.app()
                let number = try #require(try await office.lines("SELECT number FROM orders").first)
                for id in ["200", "201"] {
                    let found = try await office.database.read { reader in
                        try await reader.screens.order(matching: id, app: app)
                    }
                    #expect(found == number, "\(id)")
                    let known = try await office.database.read { reader in
                        try await reader.screens.known(
                            transactions: [id],
                            originals: ["t1"],
                            of: app,
                            at: .apple,
                            in: .production
                        )
                    }
                    #expect(known[id]?.orderNumber == number, "\(id)")
                    let listed = try await office.database.read { reader in
                        try await reader.screens.orderRecords(
                            OrderFilter(search: id),
                            app: app,
                            seesPersonalData: false,
                            limit: 10
                        )
                    }
                    #expect(listed.orders.map(\.number) == [number], "\(id)")
                }
                let (record, _) = try #require(
                    try await office.database.read { try await $0.screens.orderRecord(number, app: app) }
                )
                #expect(record.otherTransactionIDs == ["201"])
            }
        }
    }

    @Test("A transaction is suddenly of another subscription: one order, both have access, and staff see it on both")
    func otherSubscription() async throws {
        let (ada, bo) = (UUID(), UUID())
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, Self.sold("501", of: "501", to: ada)),
                .told(.subscribed, on: 1, .sold("700", of: "700", from: 1, to: 31, to: bo)),
                .told(.renewed, on: 31, .sold("501", of: "700", from: 31, to: 61, to: bo))
            )
            #expect(try await office.count("store_notifications WHERE state <> 'processed'") == 0)
            #expect(try await office.lines("SELECT transaction_id FROM orders ORDER BY 1") == ["501", "700"])
            #expect(try await office.lines("SELECT sum(amount)::text FROM ledger_entries") == ["3600"])
            #expect(
                try await office.lines(
                    "SELECT original_transaction_id || ' ' || period_ends_at::date FROM subscriptions ORDER BY 1"
                ) == ["501 2025-01-31", "700 2025-03-03"]
            )
            let app = try await office.app()
            for token in [ada, bo] {
                let customer = try #require(
                    try await office.lines("SELECT id::text FROM customers WHERE app_account_token = \(token)").first
                )
                let id = try #require(Customer.ID(customer))
                let details = try await office.database.read { reader in
                    try await reader.screens.customer(id: id, app: app, seesPersonalData: false)
                }
                #expect(details?.fraud.signals.contains(.disputedTransaction("501")) == true, "\(token)")
            }
            // What is told of it again fails no more than the first time.
            try await office.live(
                .told(.autoRenewDisabled, on: 32, .sold("501", of: "700", from: 31, to: 61, to: bo)),
                .told(.refunded, on: 33, .sold("501", of: "700", from: 31, to: 61, to: bo).takenBack(on: 33))
            )
            #expect(try await office.count("store_notifications WHERE state <> 'processed'") == 0)
            #expect(
                try await office.lines("SELECT transaction_id || ' ' || refunded FROM orders ORDER BY 1") == [
                    "501 1800", "700 0",
                ]
            )
        }
    }

    @Test("orders that were made when a transaction id was a purchase are joined once, and say since when")
    func joined() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            try await office.live(.told(.subscribed, on: 0, Self.sold("200")))
            try await double(office)
            _ = try await office.pool.query(
                """
                INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
                VALUES (gen_random_uuid(), \(app), 'order_joining', \(app), 'available', now(), now())
                """
            )
            try await office.workOffJobs()
            let lines = [
                "200 initial_purchase completed 1800 0 CNY PRO of apple:t1",
                "201 initial_purchase cancelled 1800 0 CNY PRO of apple:t1",
            ]
            #expect(try await office.orders() == lines)
            #expect(
                try await office.lines("SELECT sum(amount)::text FROM ledger_entries WHERE status = 'success'") == [
                    "1800"
                ]
            )
            #expect(try await office.lines("SELECT transaction_id FROM order_aliases") == ["201"])
            #expect(
                try await office.lines(
                    "SELECT actor || ' ' || object_id FROM audit_entries WHERE action = 'order.join'"
                )
                    == (try await office.lines("SELECT 'perennial ' || number FROM orders WHERE joined_at IS NOT NULL"))
            )
            #expect(try await office.count("jobs WHERE state <> 'completed'") == 0)
            // A refund of the second id is the kept order's.
            try await office.live(.told(.refunded, on: 3, Self.sold("201").takenBack(on: 3)))
            #expect(
                try await office.lines("SELECT transaction_id || ' ' || refunded FROM orders ORDER BY 1") == [
                    "200 1800", "201 0",
                ]
            )
        }
    }

    /// Books the purchase once more under another id, as it was done before.
    private func double(_ office: TestOffice) async throws {
        _ = try await office.pool.query(
            """
            WITH made AS (
                INSERT INTO orders (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store,
                    environment, transaction_id, original_transaction_id, product_name, plan_code, amount, currency,
                    purchased_at, period_starts_at, period_ends_at, created_at, updated_at)
                SELECT gen_random_uuid(), app_id, customer_id, subscription_id, product_id, number || '9', kind, status, store,
                    environment, '201', original_transaction_id, product_name, plan_code, amount, currency,
                    purchased_at, period_starts_at, period_ends_at, created_at, updated_at
                FROM orders
                RETURNING id
            )
            INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
                store_transaction_id, reference, occurred_at, recorded_at)
            SELECT gen_random_uuid(), t.app_id, made.id, t.kind, t.status, t.amount, t.currency, t.store, t.environment,
                '201', t.reference, t.occurred_at, t.recorded_at
            FROM ledger_entries t
            CROSS JOIN made
            """
        )
        _ = try await office.pool.query(
            """
            INSERT INTO subscription_events (id, subscription_id, source, event_id, kind, signed_at, event,
                state_before, state_after, recorded_at)
            SELECT gen_random_uuid(), subscription_id, 'verification', 'second', 'observed',
                signed_at + interval '1 minute',
                event || jsonb_build_object('id', 'second', 'kind', 'observed',
                    'signedAt', (event ->> 'signedAt')::bigint + 60000,
                    'transaction', event -> 'transaction' || '{"id": "201"}'),
                state_before, state_after, recorded_at
            FROM subscription_events
            """
        )
    }
}
