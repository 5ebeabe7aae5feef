import Billing
import Foundation
import Postgres

/// Subscriptions that the store names anew (Apple: MIGRATION, `previousOriginalTransactionId`).
extension SubscriptionWrites {
    /// Joins the names of an event to one subscription before it is opened. Two subscriptions that turn out to be one become one.
    ///
    /// - Returns: whether that happened: then the one that is left has events that it is not yet the fold of.
    func join(_ names: SubscriptionNames, of event: StoreEvent) async throws -> Bool {
        guard let former = names.former else { return false }
        try await transaction.pipeline([former, names.name].sorted().map { names.lock($0, isShared: false) })
        let known = try await named(names, [former, names.name])
        switch (known[former], known[names.name]) {
        case (nil, nil): return false
        case (let old?, nil): try await keep(names, of: old.id)
        case (nil, let new?):
            if new.name == names.name { try await rename(new.id, to: former) }
            try await keep(names, of: new.id)
        case (let old?, let new?):
            guard old.id != new.id else { return false }
            try await merge(new.id, into: old.id, named: old.name, names, after: event)
            try await keep(names, of: old.id)
            return true
        }
        return false
    }

    /// Keeps the names that are not the subscription's own.
    func keep(_ names: SubscriptionNames, of subscription: Subscription.ID) async throws {
        guard let former = names.former else { return }
        try await transaction.query(
            """
            INSERT INTO subscription_aliases
                (app_id, store, environment, original_transaction_id, subscription_id, recorded_at)
            SELECT s.app_id, s.store, s.environment, name, s.id, \(transaction.now)
            FROM subscriptions s
            CROSS JOIN unnest(\([names.name, former])) AS name
            WHERE s.id = \(subscription) AND name <> s.original_transaction_id
            ON CONFLICT ON CONSTRAINT a_name_is_of_one_subscription DO NOTHING
            """
        )
    }

    private struct Named {
        var id: Subscription.ID
        /// Its own name.
        var name: String
    }

    /// The subscriptions with these names.
    private func named(_ names: SubscriptionNames, _ wanted: [String]) async throws -> [String: Named] {
        let rows = try await transaction.query(
            """
            SELECT s.original_transaction_id, s.id, s.original_transaction_id
            FROM subscriptions s
            WHERE \(names.scope("s")) AND s.original_transaction_id = ANY(\(wanted))
            UNION ALL
            SELECT a.original_transaction_id, s.id, s.original_transaction_id
            FROM subscription_aliases a
            JOIN subscriptions s ON s.id = a.subscription_id
            WHERE \(names.scope("a")) AND a.original_transaction_id = ANY(\(wanted))
            """
        )
        var known: [String: Named] = [:]
        for row in rows {
            let (name, id, own) = try row.decode(String.self, Subscription.ID.self, String.self)
            known[name] = Named(id: id, name: own)
        }
        return known
    }

    private func rename(_ subscription: Subscription.ID, to name: String) async throws {
        try await transaction.pipeline([
            "UPDATE subscriptions SET original_transaction_id = \(name) WHERE id = \(subscription)",
            "UPDATE orders SET original_transaction_id = \(name) WHERE subscription_id = \(subscription)",
        ])
    }

    /// Gives all that belongs to a subscription to the one that it continues, and removes it. What it added to the metrics of
    /// customers is taken back; the fold of all events adds it again.
    private func merge(
        _ new: Subscription.ID,
        into old: Subscription.ID,
        named name: String,
        _ names: SubscriptionNames,
        after event: StoreEvent
    ) async throws {
        let both = [old.uuid, new.uuid]
        let results = try await transaction.lock([
            """
            SELECT id
            FROM customers
            WHERE id IN (SELECT customer_id FROM subscriptions WHERE id = ANY(\(both)))
            ORDER BY id
            FOR NO KEY UPDATE
            """,
            "SELECT id, customer_id FROM subscriptions WHERE id = ANY(\(both)) ORDER BY id FOR UPDATE",
        ])
        let owners = Dictionary(
            try results[1].map { try $0.decode(Subscription.ID.self, Customer.ID.self) },
            uniquingKeysWith: { first, _ in first }
        )
        guard let owner = owners[new], let heir = owners[old] else {
            throw PostgresError(.decoding, "a subscription went away while it was joined to another")
        }
        let changes = try await transaction.periods.changes(
            of: new,
            to: [],
            failures: ([], []),
            from: event,
            owners: (owner, owner),
            isNew: false,
            app: names.app
        )
        try await transaction.pipeline(changes.statements(at: transaction.now))
        try await transaction.pipeline([
            """
            UPDATE subscriptions
            SET customer_id = \(heir), updated_at = \(transaction.now)
            WHERE id = \(new) AND customer_id <> \(heir)
            """,
            // A transaction that is booked elsewhere is booked in the other one, which is the same subscription now.
            """
            UPDATE subscription_events
            SET event = event #- '{transaction,isBookedElsewhere}'
            WHERE subscription_id = ANY(\(both)) AND event -> 'transaction' ? 'isBookedElsewhere'
            """,
            "DELETE FROM disputed_transactions WHERE subscription_id = ANY(\(both))",
            "UPDATE subscription_events SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE orders SET subscription_id = \(old), original_transaction_id = \(name) WHERE subscription_id = \(new)",
            "UPDATE grants SET subscription_id = \(old) WHERE subscription_id = \(new)",
            """
            UPDATE suspensions s
            SET lifted_at = greatest(s.suspended_at, \(transaction.now))
            WHERE s.subscription_id = \(new) AND s.lifted_at IS NULL
                AND EXISTS (SELECT FROM suspensions o WHERE o.subscription_id = \(old) AND o.lifted_at IS NULL)
            """,
            "UPDATE suspensions SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE access_changes SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE access_periods SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE store_notifications SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE renewal_extension_failures SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "UPDATE renewal_extensions SET subscription_id = \(old) WHERE subscription_id = \(new)",
            """
            UPDATE subscriptions
            SET owner_locked = owner_locked OR (SELECT owner_locked FROM subscriptions WHERE id = \(new))
            WHERE id = \(old)
            """,
            """
            UPDATE purchase_claims c
            SET subscription_id = \(old)
            WHERE subscription_id = \(new) AND NOT EXISTS (
                SELECT FROM purchase_claims o WHERE o.subscription_id = \(old) AND o.customer_id = c.customer_id)
            """,
            "DELETE FROM purchase_claims WHERE subscription_id = \(new)",
            """
            UPDATE purchase_moves m
            SET subscription_id = \(old)
            WHERE subscription_id = \(new) AND NOT EXISTS (
                SELECT FROM purchase_moves o WHERE o.subscription_id = \(old) AND o.from_customer_id = m.from_customer_id)
            """,
            "DELETE FROM purchase_moves WHERE subscription_id = \(new)",
            "UPDATE grants SET shared_subscription_id = \(old) WHERE shared_subscription_id = \(new)",
            "UPDATE subscription_aliases SET subscription_id = \(old) WHERE subscription_id = \(new)",
            "DELETE FROM subscriptions WHERE id = \(new)",
        ])
    }
}
