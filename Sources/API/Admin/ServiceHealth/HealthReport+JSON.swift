import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension HealthReport {
    /// - Parameter zone: the time zone of the days in the history.
    init(_ metrics: ServiceMetrics, _ span: HealthSpan, in zone: TimeZone) {
        self.init(
            version: MetricDefinitions.version,
            timeZone: zone.identifier,
            span: span.rawValue,
            writtenAt: metrics.counts.writtenAt.map(TimeText.rfc3339),
            metrics: HealthMetric.allCases.map { Metric($0, metrics, span, in: zone) },
            routes: metrics.routes(.slowest).map(Route.init)
        )
    }
}

extension HealthReport.Metric {
    fileprivate init(_ metric: HealthMetric, _ metrics: ServiceMetrics, _ span: HealthSpan, in zone: TimeZone) {
        let (measurement, history) = (metrics.measurement(of: metric), metrics.history(metric))
        let starts =
            metric == .payments
            ? metrics.payments.map(\.day.description)
            : metrics.counts.starts.map { start in
                span.isByHour ? TimeText.rfc3339(start) : BusinessDay(start, in: zone).description
            }
        self.init(
            metric: metric.rawValue,
            unit: metric.unit.name,
            value: measurement.value.map(metric.unit.number),
            target: HealthReport.Target(
                kind: metric.target.kind,
                limit: metric.unit.number(metric.target.limit)
            ),
            isMet: measurement.value.map(metric.target.isMet),
            count: Int(measurement.count),
            history: zip(starts, history).enumerated().map { index, period in
                HealthReport.Period(
                    from: period.0,
                    isPartial: index == history.count - 1,
                    value: period.1.value.map(metric.unit.number),
                    count: Int(period.1.count)
                )
            }
        )
    }
}

extension HealthReport.Route {
    fileprivate init(_ route: ServiceMetrics.Route) {
        func seconds(_ percent: Double) -> Double { Double(route.percentile(percent)) / 1_000 }
        self.init(
            method: route.method,
            route: route.path,
            requests: Int(route.tally.count),
            serverErrors: Int(route.faults),
            p50: seconds(50),
            p95: seconds(95),
            p99: seconds(99),
            isAboveTarget: route.isAboveTarget
        )
    }
}

extension HealthMetric.Unit {
    fileprivate var name: String {
        switch self {
        case .percent: "percent"
        case .milliseconds: "seconds"
        case .count: "count"
        }
    }

    /// Returns a value for JSON: in percent, in seconds, or as it is.
    fileprivate func number(_ value: Int64) -> Double {
        switch self {
        case .percent: Double(value) / 100
        case .milliseconds: Double(value) / 1_000
        case .count: Double(value)
        }
    }
}

extension HealthTarget {
    fileprivate var kind: String {
        switch self {
        case .above: "above"
        case .below: "below"
        case .atMost: "atMost"
        }
    }
}
