package import Billing
package import Foundation
import Postgres

extension Database {
    /// Adds what a server counted to what it and others have counted before, all of it or nothing.
    package func add(_ cells: [HealthCell]) async throws {
        let (keys, tallies) = (cells.map(\.key), cells.map(\.tally))
        // In the order of their keys, so that of two servers one waits for the other and never both.
        _ = try await writeAlone(
            """
            INSERT INTO service_metrics_hourly AS h (hour, measure, detail, count, good, sum, max, buckets, written_at)
            SELECT n.hour, n.measure, n.detail, n.count, n.good, n.sum, n.max, n.buckets::bigint[], \(now)
            FROM unnest(
                \(keys.map(\.hour)), \(keys.map(\.measure.rawValue)), \(keys.map(\.detail)), \(tallies.map(\.count)),
                \(tallies.map(\.good)), \(tallies.map(\.sum)), \(tallies.map(\.max)), \(tallies.map(\.bucketText))
            ) AS n (hour, measure, detail, count, good, sum, max, buckets)
            ORDER BY n.hour, n.measure, n.detail
            ON CONFLICT (hour, measure, detail) DO UPDATE
            SET count = h.count + excluded.count, good = h.good + excluded.good, sum = h.sum + excluded.sum,
                max = greatest(h.max, excluded.max), buckets = add_buckets(h.buckets, excluded.buckets),
                written_at = excluded.written_at
            """
        )
    }

    /// Removes what was counted in the hours before a moment, and says of how many cells.
    package func forgetHealth(before moment: Date) async throws -> Int {
        try await writeAlone("DELETE FROM service_metrics_hourly WHERE hour < \(moment)").affectedRows
    }

    /// The current backlog of the inbox.
    package func inboxBacklog() async throws -> InboxBacklog {
        async let queue = writeAlone(
            """
            SELECT coalesce(extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE scheduled_at <= now())), 0)::float8,
                count(*)
            FROM store_notifications
            WHERE state = 'received'
            """
        )
        async let failed = writeAlone(
            """
            SELECT a.id, (SELECT count(*) FROM store_notifications n WHERE n.app_id = a.id AND n.state = 'failed')
            FROM apps a
            """
        )
        let (age, waiting) = try await queue.first?.decode(Double.self, Int.self) ?? (0, 0)
        return InboxBacklog(
            age: age,
            waiting: waiting,
            failed: try await failed.map { try $0.decode(App.ID.self, Int.self) }
        )
    }
}

/// The backlog of the inbox at a moment.
package struct InboxBacklog: Sendable {
    /// The time, in seconds, for which the longest-waiting notification has been due; 0 when none is.
    package var age: Double
    /// Notifications that wait, whether due or not.
    package var waiting: Int
    /// Notifications that wait for people.
    package var failed: [(app: App.ID, count: Int)]
}

extension HealthTally {
    /// As PostgreSQL reads an array: an array of arrays would have to be of one length.
    fileprivate var bucketText: String {
        "{" + durations.counts.map(String.init).joined(separator: ",") + "}"
    }
}
