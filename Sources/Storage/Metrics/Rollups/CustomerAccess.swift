import Billing
import Foundation
import Postgres

/// The sources of access of some customers, and the access that is stored: read for a recount, locking nobody.
struct CustomerAccess {
    private let app: App.ID
    private let catalog: PeriodCatalog
    private let told: [Customer.ID: [ToldFact]]
    private let overrides: EntitlementOverrides
    /// When staff last gave or took something of each.
    private let given: [Customer.ID: Date]
    private let periods: [Customer.ID: [StoredPeriod]]
    private let changes: [Customer.ID: [KeptChange]]

    /// - Parameter withStored: whether what is stored is read, too.
    static func statements(of customers: [UUID], app: App.ID, withStored: Bool) -> [Query] {
        let none: Query = withStored ? "" : " AND false"
        return ToldFact.statements(of: customers) + EntitlementOverrides.statements(of: customers) + [
            """
            SELECT customer_id, max(updated_at)
            FROM (
                SELECT customer_id, updated_at FROM grants WHERE customer_id = ANY(\(customers))
                UNION ALL
                SELECT s.customer_id, coalesce(x.lifted_at, x.suspended_at)
                FROM subscriptions s
                JOIN suspensions x ON x.subscription_id = s.id
                WHERE s.customer_id = ANY(\(customers))
            ) held
            GROUP BY customer_id
            """,
            """
            SELECT \(StoredPeriod.columns)
            FROM access_periods h
            JOIN products p ON p.id = h.product_id
            WHERE h.customer_id = ANY(\(customers)) AND h.retired_at IS NULL\(none)
            """,
            """
            SELECT customer_id, at, before_id, after_id, cause, country, currency, subscription_id, grant_id
            FROM access_changes
            WHERE customer_id = ANY(\(customers)) AND retired_at IS NULL\(none)
            """,
        ] + PeriodCatalog.statements(app: app)
    }

    /// - Parameter results: of `statements`.
    init(app: App.ID, _ results: ArraySlice<Rows>) throws {
        let results = Array(results)
        self.app = app
        told = try ToldFact.byCustomer(results[..<2])
        overrides = try EntitlementOverrides(results[2..<5])
        given = try Dictionary(results[5].map { try $0.decode(Customer.ID.self, Date.self) }) { first, _ in first }
        periods = Dictionary(grouping: try results[6].map(StoredPeriod.init(row:)), by: \.customer)
        changes = Dictionary(grouping: try results[7].map(KeptChange.init(row:)), by: \.customer)
        catalog = try PeriodCatalog(app: app, results[8...])
    }

    /// The changes that a customer adds to the metrics, each with the business day on which it is known, and whether what is stored of
    /// their access
    /// says something else.
    ///
    /// - Parameter byDay: whether it is asked when each was known; otherwise all is taken for known in the end.
    func count(
        _ customer: Customer.ID,
        byDay: Bool,
        findsMisplaced: Bool
    ) -> (added: [(entry: MetricsEntry, known: BusinessDay)], isMisplaced: Bool) {
        // Periods are compared by what they say, under whatever keys.
        let replay = CustomerReplay(of: customer, told[customer, default: []], byDay: byDay, in: catalog) {
            Self.nothing
        }
        var (added, overrides) = (replay.added, EntitlementOverrides())
        if let moment = given[customer] {
            overrides = self.overrides.of(customer)
            let changes = AccessChanges(
                from: (replay.stored, EntitlementOverrides()),
                to: (replay.stored, overrides),
                app: app,
                in: catalog
            )
            let day = BusinessDay(moment, in: catalog.zone)
            added += changes.entries.map { (entry: $0, known: Swift.max(day, $0.firstDay(in: catalog.zone))) }
        }
        return (added, findsMisplaced && isMisplaced(customer, replay.stored, overrides))
    }

    private func isMisplaced(_ customer: Customer.ID, _ held: [StoredPeriod], _ overrides: EntitlementOverrides) -> Bool
    {
        let kept = periods[customer, default: []]
        guard kept.count == held.count, held.allSatisfy({ period in kept.contains { $0.says(period) } }) else {
            return true
        }
        let made = AccessChanges(from: ([], EntitlementOverrides()), to: (held, overrides), app: app, in: catalog).added
        return Set(made.map(KeptChange.init(_:))) != Set(changes[customer, default: []])
    }

    private static let nothing = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

/// A stored change of a customer's access.
private struct KeptChange: Hashable {
    var customer: Customer.ID
    var at: Date
    var before: UUID?
    var after: UUID?
    var cause: String
    var country: String
    var currency: String
    var subscription: Subscription.ID?
    var grant: Grant.ID?

    init(_ made: AccessChanges.Change) {
        let change = made.change
        customer = made.customer
        at = change.at.stored
        (before, after) = (change.before, change.after)
        cause = change.cause.rawValue
        country = change.cell.country
        currency = change.cell.currency?.code ?? ""
        (subscription, grant) = (change.source.subscription, change.source.grant)
    }

    init(row: Row) throws {
        var columns = try row.columns(9)
        customer = try columns.next()
        at = try columns.next()
        before = try columns.next()
        after = try columns.next()
        cause = try columns.next()
        country = try columns.next()
        currency = try columns.next()
        subscription = try columns.next()
        grant = try columns.next()
    }
}
