import Billing
import Foundation
import Postgres

/// Pending writes of several changes of one customer's access, each as it became known: together they take few statements.
struct UnwrittenMetrics: Sendable {
    private var app: App.ID?
    private var statements: [Query] = []
    private var periods: [(period: StoredPeriod, recordedAt: Date, retiredAt: Date?)] = []
    private var changes: [(change: AccessChanges.Change, recordedAt: Date, retiredAt: Date?)] = []
    /// By the business day on which they are known.
    private var rows: [String: [CustomerEntry]] = [:]
    private var entries: [String: [MetricsEntry]] = [:]

    /// - Parameter moment: the time at which the changes became known.
    mutating func add(_ changed: PeriodChanges, at moment: Date) {
        app = changed.app
        retire(changed, at: moment)
        periods += changed.added.map { ($0, moment, nil) }
        changes += changed.access.added.map { ($0, moment, nil) }
        statements += changed.conversions.map { $0.conversion(at: moment) }
        let more = (changed.access.rows + changed.rows).filter(\.entry.measure.hasRows)
        for (row, day) in zip(more, more.map(\.entry).knownDays(at: moment, in: changed.zone)) {
            rows[day, default: []].append(row)
        }
        let sums = changed.entries
        for (entry, day) in zip(sums, sums.knownDays(at: moment, in: changed.zone)) {
            entries[day, default: []].append(entry)
        }
    }

    /// An interval that is not written yet is written as retired; the rest is retired where it stands.
    private mutating func retire(_ changed: PeriodChanges, at moment: Date) {
        var stored: [UUID] = []
        for id in changed.retired {
            if let index = periods.firstIndex(where: { $0.period.id == id }) {
                periods[index].retiredAt = moment
            } else {
                stored.append(id)
            }
        }
        if !stored.isEmpty { statements.append(StoredPeriod.retirement(of: stored, at: moment)) }
        var known: [AccessChanges.Change] = []
        for gone in changed.access.retired {
            let index = changes.firstIndex {
                $0.retiredAt == nil && $0.change.customer == gone.customer
                    && $0.change.change.at.stored == gone.change.at.stored
            }
            if let index { changes[index].retiredAt = moment } else { known.append(gone) }
        }
        if !known.isEmpty {
            statements.append(AccessChanges.Change.retirement(of: known, at: moment, app: changed.app))
        }
    }

    var written: [Query] {
        guard let app else { return [] }
        var all = statements
        if !periods.isEmpty { all.append(StoredPeriod.insertion(of: periods)) }
        if !changes.isEmpty { all.append(AccessChanges.Change.insertion(of: changes, app: app)) }
        // A cell is merged into once.
        let merged = rows.flatMap { day, rows in
            let owned = Dictionary(grouping: rows, by: \.customer).mapValues { $0.map(\.entry) }
            return CustomerEntry.difference(from: [:], to: owned).map { (row: $0, day: day) }
        }
        if !merged.isEmpty { all.append(CustomerEntry.merge(merged.map(\.row), known: merged.map(\.day), app: app)) }
        let summed = entries.flatMap { day, entries in
            MetricsEntry.difference(from: [], to: entries).map { (entry: $0, day: day) }
        }
        if !summed.isEmpty { all.append(summed.map(\.entry).insertion(app: app, known: summed.map(\.day))) }
        return all
    }
}
