import Billing
import Foundation
import Postgres

/// The writes that bring a subscription's stored access periods, and the metrics that follow from them, in line with what is known now.
package struct PeriodChanges: Sendable {
    var app: App.ID
    var zone: TimeZone
    var retired: [UUID] = []
    var added: [StoredPeriod] = []
    /// The change of each customer's metrics.
    private(set) var rows: [CustomerEntry] = []
    private(set) var access: AccessChanges
    /// The entries of failed renewal charges that are added or removed.
    private var failures: [MetricsEntry]
    /// Trials whose end changes.
    private(set) var conversions: [GrantedAccess] = []

    /// - Parameters:
    ///   - stored: all access periods of every customer who has, had or gets the subscription.
    ///   - subscription: the subscription whose periods change.
    ///   - periods: the subscription's periods from now on.
    ///   - overrides: these customers' access from other sources, before and now; nil when somebody else updates the access changes.
    ///   - failures: the entries of failed renewal charges, before and now.
    init(
        from stored: [StoredPeriod],
        subscription: Subscription.ID,
        to periods: [StoredPeriod],
        overrides given: (before: EntitlementOverrides, now: EntitlementOverrides)?,
        failures: (before: [MetricsEntry], now: [MetricsEntry]) = ([], []),
        in catalog: PeriodCatalog
    ) {
        app = catalog.app
        zone = catalog.zone
        let old = stored.filter { $0.period.subscription == subscription }
        let staying = old.filter { row in periods.contains { $0.says(row) } }
        let gone = old.filter { row in !staying.contains(row) }
        retired = gone.map(\.id)
        added = periods.filter { period in !staying.contains { $0.says(period) } }
        access = AccessChanges(app: app)
        self.failures = MetricsEntry.difference(from: failures.before, to: failures.now)
        let next = stored.filter { !gone.contains($0) } + added
        if !retired.isEmpty || !added.isEmpty {
            rows = CustomerEntry.difference(
                from: Self.entries(of: stored, in: catalog),
                to: Self.entries(of: next, in: catalog)
            )
        }
        var overrides = given
        if let (now, changed) = given?.now.convertingTrials(by: next) {
            overrides?.now = now
            conversions = changed
        }
        guard let overrides,
            !conversions.isEmpty || !retired.isEmpty || !added.isEmpty || overrides.before.differ(overrides.now)
        else {
            return
        }
        access = AccessChanges(from: (stored, overrides.before), to: (next, overrides.now), app: app, in: catalog)
    }

    /// True where trials that the app gave end otherwise now.
    var convertsTrials: Bool { !conversions.isEmpty }

    /// The change of the metrics.
    var entries: [MetricsEntry] { MetricsEntry.difference(from: [], to: rows.map(\.entry)) + access.entries + failures }

    /// Each customer's entries in the metrics; the sandbox adds nothing.
    private static func entries(
        of periods: [StoredPeriod],
        in catalog: PeriodCatalog
    ) -> [Customer.ID: [MetricsEntry]] {
        let counting = periods.filter { $0.environment == .production }
        return Dictionary(grouping: counting, by: \.customer).mapValues { periods in
            CustomerMetrics(
                periods.map(\.period),
                in: catalog.zone,
                trialConversionDays: catalog.trialConversionDays
            ).entries
        }
    }

    /// - Parameter moment: the time at which the changes became known.
    func statements(at moment: Date) -> [Query] {
        var statements: [Query] = []
        if !retired.isEmpty { statements.append(StoredPeriod.retirement(of: retired, at: moment)) }
        statements += added.map { $0.insertion(at: moment) }
        statements += conversions.map { $0.conversion(at: moment) }
        statements += access.statements(at: moment, in: zone, with: rows)
        let entries = entries
        if !entries.isEmpty { statements.append(entries.insertion(app: app, zone: zone, at: moment)) }
        return statements
    }
}

extension [MetricsEntry] {
    /// The business days on which they are known: on which they are written, or become true, whichever is later.
    func knownDays(at moment: Date, in zone: TimeZone) -> [String] {
        let written = BusinessDay(moment, in: zone)
        return map { Swift.max(written, $0.firstDay(in: zone)).description }
    }

    func insertion(app: App.ID, zone: TimeZone, at moment: Date) -> Query {
        insertion(app: app, known: knownDays(at: moment, in: zone))
    }

    /// - Parameter known: the business day on which each is known.
    func insertion(app: App.ID, known: [String]) -> Query {
        """
        INSERT INTO rollup_entries
            (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at)
        SELECT \(app), measure, 'production', day::date, dimension, product_id, country, currency, recorded_on::date, amount,
            count, effective_at
        FROM unnest(\(map(\.measure.rawValue))::text[], \(map(\.day.description))::text[],
            \(map(\.dimension), as: Int16.self)::smallint[], \(map(\.cell.product))::uuid[],
            \(map(\.cell.country))::text[], \(map { $0.cell.currency?.code ?? "" })::text[], \(known)::text[],
            \(map(\.amount))::bigint[], \(map { Int64($0.count) })::bigint[], \(map(\.effectiveAt))::timestamptz[])
            AS e (measure, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at)
        """
    }
}
