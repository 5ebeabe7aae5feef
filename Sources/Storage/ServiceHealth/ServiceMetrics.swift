package import Billing

/// The metrics of the service over a span of time, from its counts.
package struct ServiceMetrics: Hashable, Sendable {
    package var counts: HealthCounts
    /// Of the app, by its business days.
    package var payments: [PaymentCount]
    /// Notifications of the app that have failed by now.
    package var failedNow: Int

    package init(counts: HealthCounts, payments: [PaymentCount], failedNow: Int) {
        (self.counts, self.payments, self.failedNow) = (counts, payments, failedNow)
    }

    /// The value of a metric over the whole time or a part of it.
    package struct Measurement: Hashable, Sendable {
        /// In the metric's unit; nil where nothing was counted.
        package var value: Int64?
        /// The number of counted events.
        package var count: Int64 = 0
        /// The number of good ones.
        package var good: Int64 = 0

        package init(value: Int64? = nil, count: Int64 = 0, good: Int64 = 0) {
            (self.value, self.count, self.good) = (value, count, good)
        }
    }

    /// Over the whole time; failed notifications as they stand now.
    package func measurement(of metric: HealthMetric) -> Measurement {
        switch metric {
        case .payments:
            let sum = payments.reduce(into: (charged: 0, tried: 0)) { sum, day in
                sum = (sum.charged + day.charged, sum.tried + day.tried)
            }
            return Self.rate(sum.charged, of: sum.tried)
        case .failed: return Measurement(value: Int64(failedNow), count: Int64(failedNow))
        case .signIns, .answers, .synced, .applied, .queueAge:
            return metric.measure.map { Self.measurement(of: metric, from: counts.total($0)) } ?? Measurement()
        }
    }

    /// By the hour or the day, from the oldest on; payments always by the day.
    package func history(_ metric: HealthMetric) -> [Measurement] {
        guard let measure = metric.measure else { return payments.map { Self.rate($0.charged, of: $0.tried) } }
        return counts.periods.map { period in
            period[measure].map { Self.measurement(of: metric, from: $0) } ?? Measurement()
        }
    }

    /// The durations and faults of one route's responses.
    package struct Route: Hashable, Sendable {
        package var method: String
        package var path: String
        package var tally: HealthTally

        package var faults: Int64 { tally.count - tally.good }
        /// In milliseconds.
        package func percentile(_ percent: Double) -> Int64 {
            ServiceMetrics.milliseconds(tally.percentile(percent) ?? 0)
        }
        package var isAboveTarget: Bool { !HealthMetric.answers.target.isMet(by: percentile(95)) }
    }

    /// The order of the routes.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// Those with the longest 95th percentile first.
        case slowest
        /// Those with the most responses first.
        case busiest
    }

    package func routes(_ order: Order) -> [Route] {
        counts.routes.map { detail, tally in
            let parts = detail.split(separator: " ", maxSplits: 1)
            return Route(method: String(parts.first ?? ""), path: String(parts.last ?? ""), tally: tally)
        }.sorted { left, right in
            let (first, second) = (left.rank(order), right.rank(order))
            return first == second ? (left.path, left.method) < (right.path, right.method) : first > second
        }
    }

    private static func measurement(of metric: HealthMetric, from tally: HealthTally) -> Measurement {
        switch metric {
        case .signIns, .payments: rate(tally.good, of: tally.count)
        case .answers, .synced, .applied:
            Measurement(value: tally.percentile(95).map(milliseconds), count: tally.count, good: tally.good)
        case .failed: Measurement(value: Int64(tally.max), count: tally.count, good: tally.good)
        case .queueAge: Measurement(value: milliseconds(tally.max), count: tally.count, good: tally.good)
        }
    }

    private static func rate(_ good: Int64, of count: Int64) -> Measurement {
        Measurement(value: Revenue.rate(good, of: count).map(Int64.init), count: count, good: good)
    }

    fileprivate static func milliseconds(_ seconds: Double) -> Int64 {
        Int64(bounding: (seconds * 1_000).rounded())
    }
}

/// The charges that the store tried on a business day.
package struct PaymentCount: Hashable, Sendable {
    package var day: BusinessDay
    package var charged: Int64
    /// Renewals that could not be charged.
    package var failed: Int64

    package var tried: Int64 { charged + failed }

    package init(day: BusinessDay, charged: Int64 = 0, failed: Int64 = 0) {
        (self.day, self.charged, self.failed) = (day, charged, failed)
    }
}

extension ServiceMetrics.Route {
    fileprivate func rank(_ order: ServiceMetrics.Order) -> Int64 {
        switch order {
        case .slowest: percentile(95)
        case .busiest: tally.count
        }
    }
}

extension HealthMetric {
    /// The measure that it is computed from; nil for a metric from the rollups.
    var measure: HealthMeasure? {
        switch self {
        case .signIns: .signIn
        case .payments: nil
        case .answers: .request
        case .synced: .synced
        case .applied: .applied
        case .failed: .failedNotifications
        case .queueAge: .queueAge
        }
    }
}
