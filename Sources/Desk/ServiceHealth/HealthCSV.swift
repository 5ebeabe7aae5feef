import Billing
import Foundation
import HTTP
import Storage
import Words

/// The metrics of the service's health, as files.
enum HealthCSV {
    /// A row for each hour or day; `count` and `good` are how many were counted, and how many of them went well.
    static func file(
        of metric: HealthMetric,
        _ metrics: ServiceMetrics,
        _ span: HealthSpan,
        in zone: BusinessZone
    ) -> CSVFile {
        var file = CSVFile(["from", "is_partial", name(of: metric.unit), "count", "good"])
        let starts =
            metric == .payments
            ? metrics.payments.map(\.day.description)
            : metrics.counts.starts.map { start in
                let text = DateText(start, in: zone, Strings(.english)).iso
                return span.isByHour ? text : String(text.prefix(10))
            }
        let history = metrics.history(metric)
        for (index, (start, measurement)) in zip(starts, history).enumerated() {
            file.plain(start, index == history.count - 1 ? "yes" : "no")
            file.value(measurement.value, metric.unit)
            file.counts([measurement.count, measurement.good])
            file.endRow()
        }
        return file
    }

    static func file(of routes: [ServiceMetrics.Route]) -> CSVFile {
        var file = CSVFile([
            "method", "route", "requests", "server_errors", "p50_seconds", "p95_seconds", "p99_seconds",
            "is_above_target",
        ])
        for route in routes {
            file.plain(route.method, route.path)
            file.counts([route.tally.count, route.faults])
            for percent in [50.0, 95, 99] { file.value(route.percentile(percent), .milliseconds) }
            file.plain(route.isAboveTarget ? "yes" : "no")
            file.endRow()
        }
        return file
    }

    private static func name(of unit: HealthMetric.Unit) -> String {
        switch unit {
        case .percent: "share_percent"
        case .milliseconds: "seconds"
        case .count: "highest"
        }
    }
}

extension CSVFile {
    fileprivate mutating func value(_ value: Int64?, _ unit: HealthMetric.Unit) {
        switch unit {
        case .percent: amount(value, digits: 2)
        case .milliseconds: amount(value, digits: 3)
        case .count: amount(value, digits: 0)
        }
    }
}
