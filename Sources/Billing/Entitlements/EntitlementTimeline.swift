package import Foundation

/// One customer's entitlements over time: from the access intervals of their subscriptions, less staff's suspensions, and their grants.
package struct EntitlementTimeline: Sendable {
    private let stretches: [AccessInterval]
    private let zone: TimeZone
    /// Of the trials that the app gave.
    private let trials: [MetricsEntry]

    /// - Parameters:
    ///   - periods: those of all their subscriptions.
    ///   - suspensions: those of all subscriptions, also of other customers'.
    ///   - zone: the app's business time zone.
    ///   - trialConversionDays: the number of days after its end within which a trial still converts.
    package init(
        _ periods: [MetricsPeriod],
        grants: [GrantedAccess],
        suspensions: [SuspendedTime],
        in zone: TimeZone,
        trialConversionDays: Int = MetricDefinitions.trialConversionDays
    ) {
        let paid = periods.filter(\.access.isPaid).map(\.access.startsAt).sorted()
        trials = grants.filter(\.isTrial).compactMap(AccessInterval.init(_:)).flatMap { trial in
            MetricsEntry.trial(
                from: trial.startsAt,
                until: trial.endsAt,
                in: trial.cell,
                paid: paid,
                conversionDays: trialConversionDays,
                zone: zone
            )
        }
        stretches = AccessInterval.all(of: periods, without: suspensions) + grants.compactMap(AccessInterval.init(_:))
        self.zone = zone
    }

    /// In time order.
    package var changes: [EntitlementChange] { steps.compactMap(\.change) }

    /// The metrics entries of the changes, in no particular order.
    package var entries: [MetricsEntry] {
        var entries = trials
        var hadAny = false
        for step in steps {
            entries += [(step.before, -1), (step.after, 1)].compactMap { held, count in
                held.map { entry(.holder, $0.isTrial ? 1 : 0, $0.cell, count, at: step.moment) }
            }
            if step.change != nil, let cell = (step.after ?? step.before)?.cell {
                entries.append(entry(.access, step.movement(hadAny: hadAny).rawValue, cell, 1, at: step.moment))
            }
            hadAny = hadAny || step.after != nil
        }
        return entries
    }

    private func entry(
        _ measure: MetricsEntry.Measure,
        _ dimension: Int,
        _ cell: MetricsCell,
        _ count: Int,
        at moment: Date
    ) -> MetricsEntry {
        MetricsEntry(
            measure: measure,
            day: BusinessDay(moment, in: zone),
            dimension: dimension,
            cell: cell,
            amount: 0,
            count: count,
            effectiveAt: moment
        )
    }

    /// The entitlement before and after an instant.
    private struct Step {
        var moment: Date
        var before: AccessInterval?
        var after: AccessInterval?

        /// nil when the plan stays.
        var change: EntitlementChange? {
            guard before?.planRank != after?.planRank, let counted = after ?? before else { return nil }
            // The cause is the access that begins now, if any; otherwise the access that has ended.
            let begins = after.flatMap { $0.startsAt == moment ? $0 : nil }
            return EntitlementChange(
                at: moment,
                before: before?.cell.product,
                after: after?.cell.product,
                cause: begins?.beginning ?? before?.ending ?? counted.beginning,
                cell: counted.cell,
                source: (begins ?? before ?? counted).source
            )
        }

        func movement(hadAny: Bool) -> AccessMovement {
            guard let after else { return .lost }
            guard let before else { return hadAny ? .regained : .gained }
            return after.planRank > before.planRank ? .raised : .lowered
        }
    }

    /// The moments at which the cell of what decides, or whether it is a trial, becomes another one.
    private var steps: [Step] {
        var changes = stretches.indices.map { (moment: stretches[$0].startsAt, stretch: $0, begins: true) }
        for index in stretches.indices {
            if let end = stretches[index].endsAt { changes.append((end, index, false)) }
        }
        changes.sort { $0.moment < $1.moment }
        var steps: [Step] = []
        var running: Set<Int> = []
        var before: AccessInterval?
        for (place, change) in changes.enumerated() {
            if change.begins { running.insert(change.stretch) } else { running.remove(change.stretch) }
            guard place + 1 == changes.count || changes[place + 1].moment > change.moment else { continue }
            let after = running.map { stretches[$0] }.deciding()
            if before?.cell != after?.cell || before?.isTrial != after?.isTrial {
                steps.append(Step(moment: change.moment, before: before, after: after))
            }
            before = after
        }
        return steps
    }
}
