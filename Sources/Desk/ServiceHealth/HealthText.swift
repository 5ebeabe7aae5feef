import HTTP
import Storage
import Words

/// A metric of the service's health in words.
struct HealthText: Sendable {
    let metric: HealthMetric
    let strings: Strings

    init(_ metric: HealthMetric, _ strings: Strings) {
        (self.metric, self.strings) = (metric, strings)
    }

    /// "Answers, 95th percentile"
    var name: StaticString {
        switch metric {
        case .signIns: strings.healthSignIns
        case .payments: strings.healthPayments
        case .answers: strings.healthAnswers
        case .synced: strings.healthSynced
        case .applied: strings.healthApplied
        case .failed: strings.healthFailed
        case .queueAge: strings.healthQueueAge
        }
    }

    var definition: StaticString {
        switch metric {
        case .signIns: strings.healthDefinitionSignIns
        case .payments: strings.healthDefinitionPayments
        case .answers: strings.healthDefinitionAnswers
        case .synced: strings.healthDefinitionSynced
        case .applied: strings.healthDefinitionApplied
        case .failed: strings.healthDefinitionFailed
        case .queueAge: strings.healthDefinitionQueueAge
        }
    }

    /// "above 95.00%", "below 500 ms"
    var target: String {
        switch metric.target {
        case .above: strings.healthAbove(value: limit)
        case .below: strings.healthBelow(value: limit)
        case .atMost: strings.healthAtMost(value: limit)
        }
    }

    /// "500 ms", "60 s"
    private var limit: String {
        let limit = metric.target.limit
        guard unit == .milliseconds, limit >= 1_000 else { return unit.text(limit, strings) }
        return strings.partsSeconds(number: strings.number(Int(limit / 1_000)))
    }

    /// "97.20%"
    func value(_ value: Int64?) -> String {
        value.map { unit.text($0, strings) } ?? "–"
    }

    /// Returns the count behind a value: "35 of 36"; nil where the value says it all.
    func basis(_ measurement: ServiceMetrics.Measurement) -> String? {
        guard measurement.value != nil else { return nil }
        let count = strings.number(Int(measurement.count))
        return switch metric {
        case .signIns, .payments: strings.healthPart(part: strings.number(Int(measurement.good)), whole: count)
        case .answers: strings.healthAnswered(count: Int(measurement.count))
        case .synced, .applied: strings.healthNotifications(count: Int(measurement.count))
        case .failed: strings.healthNow.description
        case .queueAge: nil
        }
    }

    var unit: ChartUnit {
        switch metric.unit {
        case .percent: .percent
        case .milliseconds: .milliseconds
        case .count: .count
        }
    }
}

extension StatusText {
    /// Says if a metric meets its target, or that nothing was counted where the value is nil.
    init(_ metric: HealthMetric, _ value: Int64?, _ strings: Strings) {
        guard let value else {
            self.init(strings.healthNothing, strings.healthNothingWithin, "cancelled")
            return
        }
        if metric.target.isMet(by: value) {
            self.init(strings.healthMet, strings.healthMetWithin, "processed")
        } else {
            self.init(strings.healthMissed, strings.healthMissedWithin, "failed")
        }
    }
}
