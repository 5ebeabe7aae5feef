package import Billing
package import Foundation
import Postgres

/// A paid period of a customer's that is not over, with the purchase that it is of.
package struct HeldPurchase: Sendable, Hashable {
    package var period: HeldPeriod
    package var store: Store
    package var environment: StoreEnvironment
    package var subscription: Subscription.ID
    /// The order that was paid for it; nil of a store that renews.
    package var order: Order.ID?
    /// The oldest name of its subscription at the store.
    package var originalTransactionID: String
    package var transactionID: String
    /// The store's identifier of its product.
    package var productID: String
    package var purchasedAt: Date
    /// The time of the latest event of its subscription, as its store told it.
    package var lastSignedAt: Date?
}

/// A customer's subscription at a store whose periods are bought one by one.
package struct PurchaseChain: Sendable, Hashable {
    package var subscription: Subscription.ID
    package var originalTransactionID: String
    /// The end of what was bought last; nil for what never ends.
    package var endsAt: Date?
    /// The time of the latest event, as its store told it.
    package var lastSignedAt: Date?
}

extension CheckoutWrites {
    /// Locks the subscriptions of a customer, who is locked.
    package func lockSubscriptions(of customer: Customer.ID) async throws {
        try await transaction.lock(
            "SELECT id FROM subscriptions WHERE customer_id = \(customer) ORDER BY id FOR NO KEY UPDATE"
        )
    }

    /// A customer's paid periods that end after a moment, at all stores: each order of a store whose periods are bought one by one, and
    /// each subscription of the others. What others pay for, and what staff gave, is none. What has ended since that moment by the clock
    /// alone counts: a payment may be settled long after it was made. What staff have suspended is not held: it gives nothing, so nothing is
    /// put behind it or paid for with it.
    ///
    /// - Parameter named: a subscription of which everything counts all the same; nil for none.
    package func held(
        by customer: Customer.ID,
        of app: App.ID,
        in environment: StoreEnvironment,
        after moment: Date,
        with named: Subscription.ID? = nil
    ) async throws -> [HeldPurchase] {
        let runs: Query = """
            (NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
                OR s.id IS NOT DISTINCT FROM \(named))
            """
        let renewing = Store.known.filter(\.rules.renewsByItself).map(\.rawValue)
        let rows = try await transaction.query(
            """
            SELECT l.code, l.rank, o.period_starts_at, o.period_ends_at, false,
                greatest(0, o.amount + credit_in(o.id) - o.refunded - credit_out(o.id) - (
                    SELECT coalesce(sum(r.approved_amount), 0)
                    FROM refund_requests r
                    WHERE r.order_id = o.id AND r.status = 'approved'))::bigint,
                o.currency, o.store, s.environment, s.id, o.id, s.original_transaction_id, o.transaction_id, p.store_product_id,
                o.purchased_at, s.last_signed_at,
                (WITH RECURSIVE chain AS (
                    SELECT o.period_starts_at AS begins
                    UNION
                    SELECT b.period_starts_at
                    FROM chain
                    JOIN orders b ON b.customer_id = o.customer_id AND b.environment = o.environment
                        AND b.period_ends_at = chain.begins AND b.period_starts_at < chain.begins
                    WHERE NOT b.store = ANY(\(renewing)) AND b.joined_into IS NULL AND b.superseded_at IS NULL
                        AND b.status IN ('completed', 'partially_refunded'))
                SELECT min(begins) FROM chain)
            FROM orders o
            JOIN subscriptions s ON s.id = o.subscription_id
            JOIN products p ON p.id = o.product_id
            JOIN plans l ON l.id = p.plan_id
            WHERE s.customer_id = \(customer) AND o.app_id = \(app) AND o.environment = \(environment)
                AND NOT o.store = ANY(\(renewing)) AND o.period_ends_at > \(moment) AND o.superseded_at IS NULL
                AND o.joined_into IS NULL AND o.status IN ('completed', 'partially_refunded')
                AND (s.state IN ('trial', 'active', 'grace_period', 'cancelled')
                    OR s.state = 'expired' AND o.period_ends_at <= \(transaction.now))
                AND \(runs)
            UNION ALL
            SELECT l.code, l.rank, s.period_starts_at, coalesce(s.period_ends_at, '2999-12-31 00:00:00+00'), s.renews_automatically, NULL,
                NULL, s.store, s.environment, s.id, NULL, s.original_transaction_id, coalesce(s.transaction_id, ''), p.store_product_id,
                s.period_starts_at, s.last_signed_at, NULL
            FROM subscriptions s
            JOIN products p ON p.id = s.product_id
            JOIN plans l ON l.id = p.plan_id
            WHERE s.customer_id = \(customer) AND s.app_id = \(app) AND s.environment = \(environment)
                AND s.store = ANY(\(renewing)) AND coalesce(s.period_ends_at, '2999-12-31 00:00:00+00') > \(moment)
                AND s.period_starts_at IS NOT NULL AND NOT s.is_family_shared
                AND (s.state IN ('trial', 'active', 'grace_period', 'cancelled')
                    OR s.state = 'expired' AND s.period_ends_at <= \(transaction.now))
                AND \(runs)
            ORDER BY 3, 4, 13
            """
        )
        return try rows.map { row in
            var columns = try row.columns(17)
            let plan = Plan(code: try columns.next(), rank: try columns.next())
            let (start, end, renews): (Date, Date, Bool) = (
                try columns.next(), try columns.next(), try columns.next()
            )
            let (value, currency): (Int64?, Currency?) = (try columns.next(), try columns.next())
            var held = HeldPurchase(
                period: HeldPeriod(
                    plan: plan,
                    startsAt: start,
                    endsAt: end,
                    renews: renews,
                    value: value.flatMap { value in currency.map { Money(minorUnits: value, currency: $0) } }
                ),
                store: try columns.next(),
                environment: try columns.next(),
                subscription: try columns.next(),
                order: try columns.next(),
                originalTransactionID: try columns.next(),
                transactionID: try columns.next(),
                productID: try columns.next(),
                purchasedAt: try columns.next(),
                lastSignedAt: try columns.next()
            )
            held.period.anchoredAt = try columns.next()
            return held
        }
    }

    /// A customer's subscriptions at a store whose periods are bought one by one, the one that ends last first; without those whose access
    /// staff has suspended, so that nothing new is paid for in vain.
    package func chains(
        of customer: Customer.ID,
        at store: Store,
        _ environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> [PurchaseChain] {
        try await transaction.query(
            """
            SELECT id, original_transaction_id, period_ends_at, last_signed_at
            FROM subscriptions s
            WHERE customer_id = \(customer) AND app_id = \(app) AND store = \(store) AND environment = \(environment)
                AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
            ORDER BY period_ends_at DESC NULLS FIRST, id DESC
            """
        ).map { row in
            var columns = try row.columns(4)
            return PurchaseChain(
                subscription: try columns.next(),
                originalTransactionID: try columns.next(),
                endsAt: try columns.next(),
                lastSignedAt: try columns.next()
            )
        }
    }

    /// The account token that a customer's purchases carry; a customer who has none gets a name of their own for it.
    package func accountToken(of customer: Customer.ID, app: App.ID) async throws -> UUID {
        let known = try await transaction.query(
            """
            SELECT coalesce(c.app_account_token, \(CustomerIdentity.latestMergedToken(of: "c.id")))
            FROM customers c
            WHERE c.id = \(customer)
            """
        ).first?.decode(0, as: UUID?.self)
        if let token = known ?? nil { return token }
        let (id, token) = (transaction.newUUID(), transaction.newUUID())
        try await transaction.query(
            """
            INSERT INTO customers (id, app_id, key, app_account_token, created_at, recorded_at, merged_into, merged_at)
            VALUES (\(id), \(app), \(token.uuidString.lowercased()), \(token), \(transaction.now), \(transaction.now), \(customer),
                \(transaction.now))
            """
        )
        return token
    }

    /// The subscription that a store's original transaction names; nil where there is none.
    package func subscription(
        named originalTransactionID: String,
        at store: Store,
        _ environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> Subscription.ID? {
        try await transaction.query(
            """
            SELECT id
            FROM subscriptions
            WHERE app_id = \(app) AND store = \(store) AND environment = \(environment)
                AND original_transaction_id = \(originalTransactionID)
            """
        ).first?.decode(0, as: Subscription.ID.self)
    }
}
