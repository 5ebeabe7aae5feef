package import Foundation

/// The counts of all servers over a span of time.
package struct HealthCounts: Hashable, Sendable {
    /// The beginnings of its hours or days, oldest first.
    package var starts: [Date]
    /// For each of them.
    package var periods: [[HealthMeasure: HealthTally]]
    /// Answers by method and pattern of their route, over the whole time.
    package var routes: [String: HealthTally]
    /// The time at which a server last wrote its counts; nil when none has within this span.
    package var writtenAt: Date?

    package init(starts: [Date]) {
        self.starts = starts
        periods = starts.map { _ in [:] }
        routes = [:]
    }

    /// Over the whole time.
    package func total(_ measure: HealthMeasure) -> HealthTally {
        periods.reduce(into: HealthTally()) { total, period in
            if let tally = period[measure] { total.merge(tally) }
        }
    }

    /// Adds what was counted in an hour.
    package mutating func add(_ cell: HealthCell) {
        guard let place = starts.lastIndex(where: { $0 <= cell.key.hour }) else { return }
        periods[place][cell.key.measure, default: HealthTally()].merge(cell.tally)
        if cell.key.measure == .request { routes[cell.key.detail, default: HealthTally()].merge(cell.tally) }
    }
}
