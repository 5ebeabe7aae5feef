import Billing
import Foundation
import Postgres

/// The writes that bring the stored access changes, and their metrics, in line with what is known now.
struct AccessChanges: Sendable {
    var app: App.ID
    var retired: [Change] = []
    var added: [Change] = []
    /// The change of each customer's metrics.
    private(set) var rows: [CustomerEntry] = []

    /// A customer's.
    struct Change: Hashable, Sendable {
        var customer: Customer.ID
        var change: EntitlementChange
    }

    /// Nothing.
    init(app: App.ID) {
        self.app = app
    }

    /// - Parameters:
    ///   - old: all stretches of access of these customers, and what else they had.
    ///   - new: the same as it is now.
    init(
        from old: ([StoredPeriod], EntitlementOverrides),
        to new: ([StoredPeriod], EntitlementOverrides),
        app: App.ID,
        in catalog: PeriodCatalog
    ) {
        self.app = app
        let (before, after) = (Self.customers(old, in: catalog), Self.customers(new, in: catalog))
        let (known, now) = (Self.changes(of: before), Self.changes(of: after))
        retired = known.subtracting(now).sorted { $0.change.at < $1.change.at }
        added = now.subtracting(known).sorted { $0.change.at < $1.change.at }
        rows = CustomerEntry.difference(from: before.mapValues(\.entries), to: after.mapValues(\.entries))
    }

    /// The change of the metrics.
    var entries: [MetricsEntry] { MetricsEntry.difference(from: [], to: rows.map(\.entry)) }

    /// Neither the sandbox nor a customer who is only there adds anything.
    private static func customers(
        _ held: ([StoredPeriod], EntitlementOverrides),
        in catalog: PeriodCatalog
    ) -> [Customer.ID: EntitlementTimeline] {
        let (stored, overrides) = held
        let periods = Dictionary(grouping: stored.filter { $0.environment == .production }, by: \.customer)
        var customers: [Customer.ID: EntitlementTimeline] = [:]
        for customer in Set(periods.keys).union(overrides.grants.keys) where !overrides.isOnlyInSandbox(customer) {
            customers[customer] = EntitlementTimeline(
                periods[customer, default: []].map(\.period),
                grants: overrides.grants[customer, default: []],
                suspensions: overrides.suspensions,
                in: catalog.zone,
                trialConversionDays: catalog.trialConversionDays
            )
        }
        return customers
    }

    private static func changes(of customers: [Customer.ID: EntitlementTimeline]) -> Set<Change> {
        Set(customers.flatMap { customer, access in access.changes.map { Change(customer: customer, change: $0) } })
    }

    /// - Parameters:
    ///   - moment: the time at which the changes became known.
    ///   - zone: the app's business time zone.
    ///   - others: the changes of the customers' other metrics.
    func statements(at moment: Date, in zone: TimeZone, with others: [CustomerEntry] = []) -> [Query] {
        var statements: [Query] = []
        if !retired.isEmpty {
            statements.append(Change.retirement(of: retired, at: moment, app: app))
        }
        if !added.isEmpty {
            statements.append(Change.insertion(of: added.map { ($0, moment, nil) }, app: app))
        }
        let kept = (rows + others).filter(\.entry.measure.hasRows)
        if !kept.isEmpty { statements.append(CustomerEntry.merge(kept, at: moment, in: zone, app: app)) }
        return statements
    }
}

extension AccessChanges.Change {
    /// A customer has one change at a moment.
    ///
    /// - Parameter moment: the time at which it became known that they are no changes.
    static func retirement(of gone: [Self], at moment: Date, app: App.ID) -> Query {
        // OFFSET 0: each is looked up by itself, whatever the planner believes of the table; with the app, any index of it will do.
        """
        UPDATE access_changes
        SET retired_at = \(moment)
        WHERE id = ANY(ARRAY(
            SELECT c.id
            FROM unnest(\(gone.map(\.customer.uuid))::uuid[], \(gone.map(\.change.at))::timestamptz[])
                gone (customer_id, at)
            CROSS JOIN LATERAL (
                SELECT id
                FROM access_changes
                WHERE app_id = \(app) AND customer_id = gone.customer_id AND at = gone.at AND retired_at IS NULL
                OFFSET 0
            ) c))
        """
    }

    /// - Parameter added: each with when it became known, and since when it is known to be none.
    static func insertion(of added: [(change: Self, recordedAt: Date, retiredAt: Date?)], app: App.ID) -> Query {
        // The empty text stands for nothing in arrays.
        let never = Date.distantFuture.stored
        func texts(_ value: (Self) -> String?) -> [String] { added.map { value($0.change) ?? "" } }
        return """
            INSERT INTO access_changes
                (id, app_id, customer_id, at, before_id, after_id, cause, country, currency, subscription_id, grant_id,
                 recorded_at, retired_at)
            SELECT gen_random_uuid(), \(app), customer_id, at, nullif(before_id, '')::uuid, nullif(after_id, '')::uuid, cause,
                country, currency,
                nullif(subscription_id, '')::uuid, nullif(grant_id, '')::uuid, recorded_at, nullif(retired_at, \(never))
            FROM unnest(\(added.map(\.change.customer.uuid))::uuid[], \(added.map(\.change.change.at))::timestamptz[],
                \(texts { $0.change.before?.uuidString })::text[], \(texts { $0.change.after?.uuidString })::text[],
                \(texts { $0.change.cause.rawValue })::text[], \(texts { $0.change.cell.country })::text[],
                \(texts { $0.change.cell.currency?.code })::text[],
                \(texts { $0.change.source.subscription?.description })::text[],
                \(texts { $0.change.source.grant?.description })::text[], \(added.map(\.recordedAt))::timestamptz[],
                \(added.map { $0.retiredAt ?? never })::timestamptz[])
                AS c (customer_id, at, before_id, after_id, cause, country, currency, subscription_id, grant_id, recorded_at,
                    retired_at)
            """
    }
}

extension Entitlement.Source {
    var subscription: Subscription.ID? {
        switch self {
        case .subscription(let id): id
        case .grant: nil
        }
    }

    var grant: Grant.ID? {
        switch self {
        case .subscription: nil
        case .grant(let id): id
        }
    }
}
