package import Billing
package import Foundation
import Postgres

extension Reader {
    package var health: HealthReads { HealthReads(reader: self) }
}

/// Reads how well the service works.
package struct HealthReads: Sendable {
    let reader: Reader

    /// The counts of all servers, by the hour or the day.
    ///
    /// - Parameter app: the app whose failed notifications are counted; everything else is of the whole installation.
    package func counts(_ span: HealthSpan, in zone: TimeZone, app: App.ID) async throws -> HealthCounts {
        var counts = HealthCounts(starts: span.starts(until: reader.now, in: zone))
        guard let first = counts.starts.first else { return counts }
        let unit = span.isByHour ? "hour" : "day"
        let timeZone = span.isByHour ? "UTC" : zone.identifier
        async let totals = reader.query(
            """
            SELECT date_trunc(\(unit), hour, \(timeZone)) AS period, measure, detail, sum(count)::bigint, sum(good)::bigint,
                sum(sum), max(max), max(written_at)
            FROM service_metrics_hourly
            WHERE hour >= \(first) AND (measure <> 'failed_notifications' OR detail = \(app.description))
            GROUP BY period, measure, detail
            """
        )
        async let buckets = reader.query(
            """
            SELECT date_trunc(\(unit), hour, \(timeZone)) AS period, measure, detail, place - 1, sum(number)::bigint
            FROM service_metrics_hourly
            CROSS JOIN unnest(buckets) WITH ORDINALITY AS bucket (number, place)
            WHERE hour >= \(first) AND number > 0
            GROUP BY period, measure, detail, place
            """
        )
        var cells: [HealthCell.Key: HealthTally] = [:]
        for row in try await totals {
            let (hour, measure, detail, count, good, sum, max, writtenAt) = try row.decode(
                Date.self,
                String.self,
                String.self,
                Int64.self,
                Int64.self,
                Double.self,
                Double.self,
                Date.self
            )
            guard let measure = HealthMeasure(rawValue: measure) else { continue }
            var tally = HealthTally()
            (tally.count, tally.good, tally.sum, tally.max) = (count, good, sum, max)
            cells[HealthCell.Key(hour: hour, measure: measure, detail: detail)] = tally
            counts.writtenAt = Swift.max(counts.writtenAt ?? writtenAt, writtenAt)
        }
        for row in try await buckets {
            let (hour, measure, detail, bucket, count) = try row.decode(
                Date.self,
                String.self,
                String.self,
                Int.self,
                Int64.self
            )
            guard let measure = HealthMeasure(rawValue: measure) else { continue }
            cells[HealthCell.Key(hour: hour, measure: measure, detail: detail)]?.durations.add(count, in: bucket)
        }
        for (key, tally) in cells { counts.add(HealthCell(key: key, tally: tally)) }
        return counts
    }

    /// The number of an app's notifications that have failed and wait for people.
    package func failedNotifications(app: App.ID) async throws -> Int {
        try await reader.query(
            "SELECT count(*) FROM store_notifications WHERE app_id = \(app) AND state = 'failed'"
        ).first?.decode(0, as: Int.self) ?? 0
    }
}
