import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("A subscription that its store names anew") struct JoinedSubscriptionTests {
    private static let bought = AppleWords.bought
    private static let migration = AppleWords.message(
        "MIGRATION",
        on: 20,
        transaction("t1", 0, 30, "m1", after: "t1"),
        AppleWords.renews()
    )
    private static let renewed = AppleWords.message(
        "DID_RENEW",
        on: 30,
        transaction("t2", 30, 60, "m1", after: "t1"),
        AppleWords.renews()
    )
    /// The store does not always say the subscription's former name.
    private static let renewedAgain = AppleWords.message(
        "DID_RENEW",
        on: 60,
        transaction("t3", 60, 130, "m1"),
        AppleWords.renews()
    )
    private static let secondMigration = AppleWords.message(
        "MIGRATION",
        on: 70,
        transaction("t3", 60, 130, "m2", after: "m1"),
        AppleWords.renews()
    )

    private static func transaction(
        _ id: String,
        _ start: Double,
        _ end: Double,
        _ original: String,
        after former: String? = nil
    ) -> JSON {
        var more: [String: JSON] = ["originalTransactionId": .string(original)]
        if let former { more["previousOriginalTransactionId"] = .string(former) }
        return AppleWords.sold(id, from: start, to: end, "pro.monthly", for: 18_000, more)
    }

    private static func books(
        after messages: [SimulatedMessage],
        _ look: (TestOffice) async throws -> Void = { _ in }
    ) async throws -> [String] {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        return try await TestOffice.run { office in
            for message in messages {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            #expect(try await office.count("apps WHERE metrics_version = 0") == 0)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            try await look(office)
            return try await office.lines(
                """
                SELECT concat_ws(' ', 'subscription', s.original_transaction_id, s.state, s.transaction_id, c.key,
                    (SELECT string_agg(a.original_transaction_id, ',' ORDER BY a.original_transaction_id) FROM subscription_aliases a
                     WHERE a.subscription_id = s.id))
                FROM subscriptions s JOIN customers c ON c.id = s.customer_id
                UNION ALL
                SELECT concat_ws(' ', 'order', o.transaction_id, o.original_transaction_id, o.kind, o.status, c.key)
                FROM orders o JOIN customers c ON c.id = o.customer_id
                UNION ALL
                SELECT concat_ws(' ', 'event', e.kind, e.state_before, e.state_after, e.rejection_reason)
                FROM subscription_events e
                UNION ALL
                SELECT concat_ws(' ', 'access', a.transaction_id, c.key, a.starts_at, a.ends_at)
                FROM access_periods a JOIN customers c ON c.id = a.customer_id
                WHERE a.retired_at IS NULL
                UNION ALL
                SELECT concat_ws(' ', 'notification', type, state, last_error) FROM store_notifications
                ORDER BY 1
                """
            )
        }
    }

    @Test("its messages reach one subscription under either name, in any order of arrival")
    func anyOrder() async throws {
        let messages = [Self.bought, Self.migration, Self.renewed]
        let inOrder = try await Self.books(after: messages)
        #expect(inOrder.filter { $0.hasPrefix("subscription") } == ["subscription t1 active t2 apple:t1 m1"])
        #expect(inOrder.filter { $0.hasPrefix("order") }.count == 2)
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let lines = try await Self.books(after: order.map { messages[$0] })
            #expect(lines == inOrder, "\(order): \(lines.difference(from: inOrder))")
        }
    }

    @Test("once the names are joined a message need not name the older one")
    func alias() async throws {
        let lines = try await Self.books(after: [Self.bought, Self.migration, Self.renewed, Self.renewedAgain])
        #expect(lines.filter { $0.hasPrefix("subscription") } == ["subscription t1 active t3 apple:t1 m1"])
        #expect(lines.filter { $0.hasPrefix("order") }.count == 3)
    }

    @Test("two subscriptions that turn out to be one become one, with the books that it would have had")
    func merge() async throws {
        let messages = [Self.bought, Self.migration, Self.renewed, Self.renewedAgain]
        let inOrder = try await Self.books(after: messages)
        for order in [[0, 3, 1, 2], [3, 0, 1, 2], [3, 0, 2, 1], [0, 3, 2, 1]] {
            let lines = try await Self.books(after: order.map { messages[$0] })
            #expect(lines == inOrder, "\(order): \(lines.difference(from: inOrder))")
        }
    }

    @Test("a subscription that is named anew twice keeps its oldest name, whichever becomes known last")
    func twice() async throws {
        let messages = [Self.bought, Self.migration, Self.renewed, Self.renewedAgain, Self.secondMigration]
        let inOrder = try await Self.books(after: messages)
        #expect(inOrder.filter { $0.hasPrefix("subscription") } == ["subscription t1 active t3 apple:t1 m1,m2"])
        for order in [[4, 3, 2, 1, 0], [0, 4, 1, 2, 3], [4, 0, 2, 3, 1], [3, 4, 0, 1, 2]] {
            let lines = try await Self.books(after: order.map { messages[$0] })
            #expect(lines == inOrder, "\(order): \(lines.difference(from: inOrder))")
        }
    }

    @Test("where the year of service of a charge is another than it seemed, what was booked of it moves")
    func yearOfService() async throws {
        let old = AppleWords.message(
            "SUBSCRIBED",
            "INITIAL_BUY",
            on: -400,
            AppleWords.sold("t1", from: -400, to: -35),
            AppleWords.renews()
        )
        let later = AppleWords.message("DID_RENEW", on: 10, Self.transaction("t9", -35, 130, "m1"), AppleWords.renews())
        let lines = try await Self.books(after: [old, later, Self.migration]) { office in
            let orders = try await office.lines("SELECT transaction_id || ' ' || paid_days FROM orders ORDER BY 1")
            #expect(orders == ["t1 0", "t9 365"])
            let moved = try await office.lines("SELECT year_before || ' to ' || year_after FROM paid_year_changes")
            #expect(moved == ["0 to 1"])
        }
        #expect(lines.contains { $0.hasPrefix("subscription t1") }, "\(lines)")
    }

    @Test("what is known already and was booked by older rules is booked by today's when it is applied again")
    func appliedAgain() async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let upgraded = AppleWords.message(
            "DID_CHANGE_RENEWAL_PREF",
            "UPGRADE",
            on: 10,
            AppleWords.sold("t2", from: 10, to: 40, "premium.monthly", for: 28_000),
            AppleWords.renews(to: "premium.monthly")
        )
        try await TestOffice.run { office in
            for message in [Self.bought, upgraded] {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            let books: Query = """
                SELECT concat_ws(' ', o.transaction_id, o.status, t.kind, t.amount) FROM ledger_entries t
                JOIN orders o ON o.id = t.order_id ORDER BY t.kind
                """
            let credited = try await office.lines(books)
            #expect(credited.contains("t1 superseded upgrade_credit -1200"))
            try await office.pool.withConnection {
                try await $0.execute(
                    script: """
                        BEGIN;
                        SET LOCAL session_replication_role = 'replica';
                        DELETE FROM ledger_entries WHERE kind = 'upgrade_credit';
                        UPDATE orders SET status = 'completed', credited = 0, superseded_at = NULL WHERE transaction_id = 't1';
                        UPDATE store_notifications SET state = 'received', finalized_at = NULL WHERE subtype = 'UPGRADE';
                        COMMIT;
                        """
                )
            }
            _ = try await office.worker.drain()
            #expect(try await office.lines(books) == credited)
            #expect(try await office.count("subscription_events") == 2)
        }
    }
}
