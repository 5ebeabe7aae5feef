package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var credits: CreditWrites { CreditWrites(transaction: self) }
}

/// The writes of customers' credits. Whoever changes some has locked the customer's usage counter of the feature.
package struct CreditWrites: Sendable {
    let transaction: WriteTransaction

    /// A customer's credits for a feature that can be spent, and what they owe; those of a store's sandbox only where it gives them access.
    package func spendable(of customer: Customer.ID, _ feature: FeatureRecord.ID) async throws -> CreditBook {
        try await book(
            of: customer,
            feature,
            where: "NOT \(SandboxPurchases.areWithheld(in: "o.environment", from: "b.customer_id"))"
        )
    }

    /// Keeps what is different.
    package func save(_ book: CreditBook, from before: CreditBook, _ feature: FeatureRecord.ID) async throws {
        let known = Set(before.buckets)
        let changed = book.buckets.filter { !known.contains($0) }
        guard !changed.isEmpty else { return }
        try await transaction.pipeline(
            changed.map { bucket in
                """
                UPDATE credit_buckets
                SET taken = \(bucket.taken), remaining = \(bucket.remaining), owed = \(bucket.owed)
                WHERE order_id = \(bucket.id) AND feature_id = \(feature)
                """
            }
        )
    }

    /// Notes spent credits in the usage of a day, which charts show; no window counts them.
    package func note(
        _ spent: Int64,
        of customer: Customer.ID,
        _ feature: FeatureRecord.ID,
        on day: BusinessDay
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO usage_days AS d (customer_id, feature_id, day, used, offline)
            VALUES (\(customer), \(feature), \(day), \(spent), 0)
            ON CONFLICT (customer_id, feature_id, day) DO UPDATE SET used = d.used + excluded.used
            """
        )
    }

    /// Has the credits of a subscription's orders follow them to another customer.
    func follow(_ subscription: Subscription.ID) async throws {
        try await follow(try await transaction.query(OrderCredits.behind("o.subscription_id = \(subscription)")))
    }

    /// Makes the credits of orders what the orders say.
    ///
    /// - Parameter rows: of `OrderCredits.behind`.
    func follow(_ rows: Rows) async throws {
        let sold = try rows.map(OrderCredits.init(row:))
        guard !sold.isEmpty else { return }
        try await lock(Set(sold.map(\.owner)))
        try await transaction.pipeline(sold.map(\.statement))
        for (owner, sold) in Dictionary(grouping: sold, by: \.owner) {
            let orders = sold.map(\.order.uuid)
            let before = try await book(of: owner.customer, owner.feature, and: "b.order_id = ANY(\(orders))")
            var book = before
            for order in sold { book.take(order.taken, of: order.order, at: transaction.now) }
            try await save(book, from: before, owner.feature)
        }
    }

    /// Pays what a customer owes with what they have, after two became one. Their counters are locked.
    func settle(of customer: Customer.ID) async throws {
        let rows = try await transaction.query(
            "SELECT DISTINCT feature_id FROM credit_buckets WHERE customer_id = \(customer) AND owed > 0"
        )
        for feature in try rows.map({ try $0.decode(0, as: FeatureRecord.ID.self) }) {
            let before = try await book(of: customer, feature)
            var book = before
            book.settle(at: transaction.now)
            try await save(book, from: before, feature)
        }
    }

    /// - Parameters:
    ///   - condition: on `credit_buckets b` and its order `o`.
    ///   - others: further ones, of which nothing may be left.
    private func book(
        of customer: Customer.ID,
        _ feature: FeatureRecord.ID,
        where condition: Query = "true",
        and others: Query = "false"
    ) async throws -> CreditBook {
        let rows = try await transaction.query(
            """
            SELECT \(CreditBucket.columns)
            FROM credit_buckets b
            JOIN orders o ON o.id = b.order_id
            WHERE b.customer_id = \(customer) AND b.feature_id = \(feature)
                AND (\(CreditBucket.matter(at: transaction.now)) AND \(condition) OR \(others))
            """
        )
        return CreditBook(
            try rows.map { row in
                var columns = try row.columns(8)
                return try CreditBucket(&columns)
            }
        )
    }

    /// Locks the counters of customers, in one order; those that are not there are made.
    private func lock(_ owners: Set<OrderCredits.Owner>) async throws {
        let (customers, features) = (owners.map(\.customer.uuid), owners.map(\.feature.uuid))
        try await transaction.lock(
            """
            INSERT INTO usage_counters AS c (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
            SELECT k.id, owner.feature_id, today.day, 0, date_trunc('month', today.day::timestamp)::date, 0, 0
            FROM unnest(\(customers)::uuid[], \(features)::uuid[]) AS owner (customer_id, feature_id)
            JOIN customers k ON k.id = owner.customer_id
            JOIN apps a ON a.id = k.app_id
            CROSS JOIN LATERAL (SELECT (\(transaction.now)::timestamptz AT TIME ZONE a.time_zone)::date) AS today (day)
            ORDER BY k.id, owner.feature_id
            ON CONFLICT (customer_id, feature_id) DO UPDATE SET lifetime_used = c.lifetime_used
            """
        )
    }
}
