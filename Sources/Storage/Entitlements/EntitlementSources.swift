package import Billing
import Foundation
import Postgres

extension Grant.Kind: PostgresEncodable, PostgresDecodable {}

extension Reader {
    package var entitlementSources: EntitlementSourceReads { EntitlementSourceReads(reader: self) }
}

/// What customers hold, for pages and decisions that only look.
package struct EntitlementSourceReads: Sendable {
    let reader: Reader

    /// What each of these customers holds; also those that hold nothing.
    package func of(_ customers: [Customer.ID]) async throws -> [Customer.ID: EntitlementSources] {
        guard !customers.isEmpty else { return [:] }
        async let subscriptions = reader.query(EntitlementSourceRows.subscriptions(of: customers))
        async let grants = reader.query(EntitlementSourceRows.grants(of: customers))
        return try await EntitlementSourceRows.entitlementSources(of: customers, subscriptions, grants)
    }

    /// What a customer of an app holds; nil when the app has no such customer.
    package func of(_ customer: Customer.ID, app: App.ID) async throws -> EntitlementSources? {
        let rows = try await reader.query("SELECT FROM customers WHERE id = \(customer) AND app_id = \(app)")
        guard !rows.isEmpty else { return nil }
        return try await of([customer])[customer]
    }

    /// What staff did for a customer, newest first.
    package func actions(of customer: Customer.ID, limit: Int) async throws -> [EntitlementActionRecord] {
        try await reader.query(
            """
            \(EntitlementActionRecord.selection)
            WHERE a.customer_id = \(customer)
            ORDER BY a.at DESC, a.id DESC
            LIMIT \(limit)
            """
        ).map(EntitlementActionRecord.init(row:))
    }

    package func action(_ id: EntitlementActionRecord.ID, app: App.ID) async throws -> EntitlementActionRecord? {
        try await reader.query("\(EntitlementActionRecord.selection) WHERE a.id = \(id) AND a.app_id = \(app)")
            .first.map(EntitlementActionRecord.init(row:))
    }
}

/// The rows that entitlement sources are made of.
enum EntitlementSourceRows {
    static func subscriptions(of customers: [Customer.ID]) -> Query {
        """
        SELECT s.customer_id, s.id, s.state, s.started_at, s.period_starts_at, s.period_ends_at, s.grace_period_ends_at,
            s.renews_automatically, product.store_product_id, plan.code, plan.rank, s.store, s.version, s.owner_locked,
            (SELECT suspended_at FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL),
            s.cancelled_at, s.ended_at
        FROM subscriptions s
        JOIN products product ON product.id = s.product_id
        JOIN plans plan ON plan.id = product.plan_id
        WHERE s.customer_id = ANY(\(customers.map(\.uuid)))
        ORDER BY s.id
        """
    }

    static func grants(of customers: [Customer.ID]) -> Query {
        """
        SELECT g.customer_id, g.id, plan.code, plan.rank, g.kind, g.starts_at, g.ends_at, g.ended_at, g.subscription_id,
            g.version
        FROM grants g
        JOIN plans plan ON plan.id = g.plan_id
        WHERE g.customer_id = ANY(\(customers.map(\.uuid)))
        ORDER BY g.starts_at, g.id
        """
    }

    static func entitlementSources(
        of customers: [Customer.ID],
        _ subscriptions: Rows,
        _ grants: Rows
    ) throws -> [Customer.ID: EntitlementSources] {
        var all = Dictionary(customers.map { ($0, EntitlementSources(customer: $0)) }) { first, _ in first }
        for row in subscriptions {
            let customer = try row.decode(0, as: Customer.ID.self)
            all[customer]?.subscriptions.append(try HeldSubscription(row: row))
        }
        for row in grants {
            let customer = try row.decode(0, as: Customer.ID.self)
            all[customer]?.grants.append(try Grant(row: row))
        }
        return all
    }
}

extension HeldSubscription {
    fileprivate init(row: Row) throws {
        var subscription = Subscription()
        subscription.state = try row.decode(2)
        subscription.startedAt = try row.decode(3)
        subscription.periodStartsAt = try row.decode(4)
        subscription.periodEndsAt = try row.decode(5)
        subscription.gracePeriodEndsAt = try row.decode(6)
        subscription.renewsAutomatically = try row.decode(7)
        subscription.productID = try row.decode(8)
        subscription.cancelledAt = try row.decode(15)
        subscription.endedAt = try row.decode(16)
        self.init(
            id: try row.decode(1),
            subscription: subscription,
            plan: Plan(code: try row.decode(9), rank: Int(try row.decode(10, as: Int32.self))),
            store: try row.decode(11),
            suspendedAt: try row.decode(14),
            isOwnerLocked: try row.decode(13),
            version: Int(try row.decode(12, as: Int32.self))
        )
    }
}

extension Grant {
    fileprivate init(row: Row) throws {
        self.init(
            id: try row.decode(1),
            plan: Plan(code: try row.decode(2), rank: Int(try row.decode(3, as: Int32.self))),
            kind: try row.decode(4),
            startsAt: try row.decode(5),
            endsAt: try row.decode(6),
            endedAt: try row.decode(7),
            follows: try row.decode(8),
            version: Int(try row.decode(9, as: Int32.self))
        )
    }
}
