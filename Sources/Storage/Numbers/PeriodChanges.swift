import Billing
import Foundation
import Postgres

/// What has to be written so that a chain's stored stretches of access, and the figures that follow from them, are those known now.
package struct PeriodChanges: Sendable {
    var app: App.ID
    var zone: TimeZone
    var retired: [UUID] = []
    var added: [StoredPeriod] = []
    /// What each customer's figures change by.
    var rows: [CustomerEntry] = []

    /// - Parameters:
    ///   - stored: of every customer who has, had or gets the chain; all of them.
    ///   - chain: whose stretches change.
    ///   - periods: the chain's from now on.
    init(
        from stored: [StoredPeriod],
        chain: Subscription.ID,
        to periods: [StoredPeriod],
        app: App.ID,
        zone: TimeZone
    ) {
        self.app = app
        self.zone = zone
        let old = stored.filter { $0.period.subscription == chain }
        let staying = old.filter { row in periods.contains { $0.says(row) } }
        let gone = old.filter { row in !staying.contains(row) }
        retired = gone.map(\.id)
        added = periods.filter { period in !staying.contains { $0.says(period) } }
        guard !retired.isEmpty || !added.isEmpty else { return }
        rows = CustomerEntry.difference(
            from: Self.entries(of: stored, in: zone),
            to: Self.entries(of: stored.filter { !gone.contains($0) } + added, in: zone)
        )
    }

    /// What the figures change by.
    var entries: [NumberEntry] { NumberEntry.difference(from: [], to: rows.map(\.entry)) }

    /// What each customer adds to the figures; the sandbox adds nothing.
    private static func entries(of periods: [StoredPeriod], in zone: TimeZone) -> [Customer.ID: [NumberEntry]] {
        let counting = periods.filter { $0.environment == .production }
        return Dictionary(grouping: counting, by: \.customer).mapValues { periods in
            CustomerNumbers(periods.map(\.period), in: zone).entries
        }
    }

    /// - Parameter moment: when it became known.
    func statements(at moment: Date) -> [Query] {
        var statements: [Query] = []
        if !retired.isEmpty { statements.append(StoredPeriod.retirement(of: retired, at: moment)) }
        statements += added.map { $0.insertion(at: moment) }
        if !rows.isEmpty {
            statements.append(CustomerEntry.merge(rows, known: known(rows.map(\.entry), at: moment), app: app))
        }
        let entries = entries
        if !entries.isEmpty { statements.append(insertion(of: entries, at: moment)) }
        return statements
    }

    /// Known on the day it is written, or on which it becomes true, whichever is later.
    private func known(_ entries: [NumberEntry], at moment: Date) -> [String] {
        entries.map { BusinessDay(max(moment, $0.visibleAt), in: zone).description }
    }

    private func insertion(of entries: [NumberEntry], at moment: Date) -> Query {
        let known = known(entries, at: moment)
        return """
            INSERT INTO rollup_entries
                (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count, visible_at)
            SELECT \(app), measure, 'production', day::date, step, product_id, country, currency, known_day::date, amount,
                count, visible_at
            FROM unnest(\(entries.map(\.measure.rawValue)), \(entries.map(\.day.description)),
                \(entries.map { Int16($0.step) }), \(entries.map(\.cell.product)), \(entries.map(\.cell.country)),
                \(entries.map { $0.cell.currency?.code ?? "" }), \(known), \(entries.map(\.amount)),
                \(entries.map { Int64($0.count) }), \(entries.map(\.visibleAt)))
                AS e (measure, day, step, product_id, country, currency, known_day, amount, count, visible_at)
            """
    }
}
