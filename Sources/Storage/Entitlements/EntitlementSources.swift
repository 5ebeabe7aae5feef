package import Billing
import Foundation
import Postgres

extension Grant.Kind: PostgresEncodable, PostgresDecodable {}

extension Reader {
    package var entitlementSources: EntitlementSourceReads { EntitlementSourceReads(reader: self) }
}

/// Reads of customers' entitlement sources, for pages and for decisions that change nothing.
package struct EntitlementSourceReads: Sendable {
    let reader: Reader

    /// The entitlement sources of each of these customers, including those that have none.
    package func of(_ customers: [Customer.ID]) async throws -> [Customer.ID: EntitlementSources] {
        guard !customers.isEmpty else { return [:] }
        async let subscriptions = reader.query(EntitlementSourceRows.subscriptions(of: customers))
        async let grants = reader.query(EntitlementSourceRows.grants(of: customers))
        return try await EntitlementSourceRows.entitlementSources(of: customers, subscriptions, grants)
    }

    /// The entitlement sources of an app's customer; nil when the app has no such customer.
    package func of(_ customer: Customer.ID, app: App.ID) async throws -> EntitlementSources? {
        let rows = try await reader.query(
            "SELECT FROM customers WHERE id = \(customer) AND app_id = \(app) AND merged_into IS NULL"
        )
        guard !rows.isEmpty else { return nil }
        return try await of([customer])[customer]
    }

    /// Staff's actions on a customer's access, newest first.
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
    /// Their own, and those that they have a seat of.
    static func subscriptions(of customers: [Customer.ID]) -> Query {
        """
        SELECT \(columns(of: "s.customer_id", seat: "NULL::uuid"))
        FROM subscriptions s
        \(plans)
        WHERE s.customer_id = ANY(\(customers.map(\.uuid)))
        UNION ALL
        SELECT \(columns(of: "x.customer_id", seat: "x.id"))
        FROM seat_claims x
        JOIN subscriptions s ON s.id = x.subscription_id
        \(plans)
        WHERE x.customer_id = ANY(\(customers.map(\.uuid))) AND x.claimed_at IS NOT NULL AND x.ended_at IS NULL
        ORDER BY 2
        """
    }

    private static func columns(of holder: Query, seat: Query) -> Query {
        """
        \(holder), s.id, \(Subscription.columns), product.store_product_id, s.cancelled_at, s.ended_at, s.trial_started_at,
            s.trial_ends_at, s.is_family_shared, \(Subscription.renewalColumns), plan.code, plan.rank, s.store, s.environment,
            s.original_transaction_id, (SELECT suspended_at FROM suspensions u WHERE u.subscription_id = s.id AND u.lifted_at IS NULL),
            \(SandboxPurchases.areWithheld(in: "s.environment", from: holder)), s.owner_locked, \(seat), s.version, s.created_at, s.updated_at
        """
    }

    private static let plans: Query = """
        JOIN products product ON product.id = s.product_id
        JOIN plans plan ON plan.id = product.plan_id
        """

    static func grants(of customers: [Customer.ID]) -> Query {
        """
        SELECT g.customer_id, g.id, plan.code, plan.rank, g.kind, g.starts_at, g.ends_at, g.ended_at, g.converted_at,
            g.superseded_at, g.subscription_id, g.version, EXISTS (SELECT FROM promo_redemptions r WHERE r.grant_id = g.id),
            g.created_at, g.updated_at
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
            var columns = try row.columns(27 + Subscription.renewalColumnCount)
            all[try columns.next()]?.subscriptions.append(try HeldSubscription(&columns))
        }
        for row in grants {
            var columns = try row.columns(15)
            let customer: Customer.ID = try columns.next()
            let grant = try Grant(&columns)
            all[customer]?.grants.append(grant)
            all[customer]?.grantRecords[grant.id] = try GrantRecord(&columns)
        }
        return all
    }
}

extension HeldSubscription {
    fileprivate init(_ columns: inout RowColumns) throws {
        let id: Subscription.ID = try columns.next()
        var subscription = try Subscription(&columns)
        subscription.productID = try columns.next()
        subscription.cancelledAt = try columns.next()
        subscription.endedAt = try columns.next()
        subscription.trialStartedAt = try columns.next()
        subscription.trialEndsAt = try columns.next()
        subscription.isFamilyShared = try columns.next()
        try subscription.readRenewal(&columns)
        self.init(
            id: id,
            subscription: subscription,
            plan: Plan(code: try columns.next(), rank: try columns.next()),
            store: try columns.next(),
            environment: try columns.next(),
            originalTransactionID: try columns.next(),
            suspendedAt: try columns.next(),
            isWithheld: try columns.next(),
            isOwnerLocked: try columns.next(),
            seat: try columns.next(),
            version: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next()
        )
        if seat != nil { becomeMembers() }
    }

    /// Somebody else pays: to a member nothing of it is bought, renewed or cancelled, and the store's numbers and prices of it are not theirs.
    private mutating func becomeMembers() {
        (originalTransactionID, subscription.transactionID) = (nil, nil)
        (subscription.isFamilyShared, subscription.isAssigned) = (true, true)
        (subscription.renewalPrice, subscription.nextRenewal) = (nil, NextRenewal())
        (subscription.trialStartedAt, subscription.trialEndsAt) = (nil, nil)
    }
}

extension Grant {
    fileprivate init(_ columns: inout RowColumns) throws {
        self.init(
            id: try columns.next(),
            plan: Plan(code: try columns.next(), rank: try columns.next()),
            kind: try columns.next(),
            startsAt: try columns.next(),
            endsAt: try columns.next(),
            endedAt: try columns.next(),
            convertedAt: try columns.next(),
            supersededAt: try columns.next(),
            follows: try columns.next(),
            version: try columns.next()
        )
    }
}

extension GrantRecord {
    fileprivate init(_ columns: inout RowColumns) throws {
        self.init(
            isOfPromoCode: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next()
        )
    }
}
