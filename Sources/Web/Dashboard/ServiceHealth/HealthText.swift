import Storage

/// A figure of the service's health in words.
struct HealthText: Sendable {
    let metric: HealthMetric
    let words: Words

    init(_ metric: HealthMetric, _ words: Words) {
        (self.metric, self.words) = (metric, words)
    }

    /// "Answers, 95th percentile"
    var name: StaticString {
        switch metric {
        case .signIns: words.healthSignIns
        case .payments: words.healthPayments
        case .answers: words.healthAnswers
        case .synced: words.healthSynced
        case .applied: words.healthApplied
        case .failed: words.healthFailed
        case .queueAge: words.healthQueueAge
        }
    }

    var definition: StaticString {
        switch metric {
        case .signIns: words.healthDefinitionSignIns
        case .payments: words.healthDefinitionPayments
        case .answers: words.healthDefinitionAnswers
        case .synced: words.healthDefinitionSynced
        case .applied: words.healthDefinitionApplied
        case .failed: words.healthDefinitionFailed
        case .queueAge: words.healthDefinitionQueueAge
        }
    }

    /// "above 95.00%", "below 500 ms"
    var target: String {
        switch metric.target {
        case .above: words.healthAbove(value: limit)
        case .below: words.healthBelow(value: limit)
        case .atMost: words.healthAtMost(value: limit)
        }
    }

    /// "500 ms", "60 s"
    private var limit: String {
        let limit = metric.target.limit
        guard unit == .milliseconds, limit >= 1_000 else { return unit.text(limit, words) }
        return words.partsSeconds(number: words.number(Int(limit / 1_000)))
    }

    /// "97.20%"
    func value(_ value: Int64?) -> String {
        value.map { unit.text($0, words) } ?? "–"
    }

    /// What it is a figure of: "35 of 36"; nil where the value says it all.
    func basis(_ figure: HealthFigures.Figure) -> String? {
        guard figure.value != nil else { return nil }
        let count = words.number(Int(figure.count))
        return switch metric {
        case .signIns, .payments: words.healthPart(part: words.number(Int(figure.good)), whole: count)
        case .answers: words.healthAnswered(count: Int(figure.count))
        case .synced, .applied: words.healthNotifications(count: Int(figure.count))
        case .failed: words.healthNow.description
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
    /// Whether a figure meets its target; nil where nothing was counted.
    init(_ metric: HealthMetric, _ value: Int64?, _ words: Words) {
        guard let value else {
            self.init(words.healthNothing, words.healthNothingWithin, "cancelled")
            return
        }
        if metric.target.isMet(by: value) {
            self.init(words.healthMet, words.healthMetWithin, "processed")
        } else {
            self.init(words.healthMissed, words.healthMissedWithin, "failed")
        }
    }
}
