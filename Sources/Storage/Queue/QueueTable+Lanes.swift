import Billing
import Foundation
import Postgres

/// The next rows, lane by lane: a backlog in one lane does not hide the first rows of the others.
///
/// The index of available rows begins with the lane. Each lane with a backlog is found by one step from the previous one, and its
/// first due rows by one probe: the cost of a lease grows with the lanes, not with the rows.
extension QueueTable {
    /// Run before a lease by lanes: a plan that was made while the table was empty would read all of it for each lane, until
    /// PostgreSQL learns its new size.
    static let readsByIndex: Query = "SELECT set_config('enable_seqscan', 'off', true)"

    /// The first that are due of each app. Apps of which something is due share the limit; one each is always taken.
    func dueByApp(_ limit: Int) -> Query {
        """
        waiting AS (
            (SELECT app_id FROM \(table) WHERE state = \(available) ORDER BY app_id LIMIT 1)
            UNION ALL
            SELECT n.app_id
            FROM waiting AS w
            CROSS JOIN LATERAL (
                SELECT q.app_id
                FROM \(table) AS q
                WHERE q.state = \(available) AND q.app_id > w.app_id
                ORDER BY q.app_id
                LIMIT 1
            ) AS n
        ), lanes AS (
            SELECT w.app_id, greatest(\(limit)::bigint / count(*) OVER (), 1) AS places
            FROM waiting AS w
            CROSS JOIN LATERAL (
                SELECT q.app_id
                FROM \(table) AS q
                WHERE q.state = \(available) AND q.app_id = w.app_id AND q.scheduled_at <= now()
                LIMIT 1
            ) AS first_due
        ), due AS (
            SELECT d.id
            FROM lanes AS l
            CROSS JOIN LATERAL (
                SELECT q.id
                FROM \(table) AS q
                WHERE q.state = \(available) AND q.app_id = l.app_id AND q.scheduled_at <= now()
                ORDER BY q.scheduled_at, q.id
                LIMIT l.places
                FOR UPDATE SKIP LOCKED
            ) AS d
        )
        """
    }

    /// The first that are due of each app and kind, as many as have places there.
    ///
    /// - Parameters:
    ///   - places: the number of jobs of a kind that are worked on at once for one app.
    ///   - running: the number of jobs that this worker has under way.
    func dueByAppAndKind(_ places: [Job.Kind: Int], besides running: [JobLane: Int]) -> Query {
        let (places, running) = (Array(places), Array(running))
        return """
            waiting AS (
                (SELECT app_id, kind FROM \(table) WHERE state = \(available) ORDER BY app_id, kind LIMIT 1)
                UNION ALL
                SELECT n.app_id, n.kind
                FROM waiting AS w
                CROSS JOIN LATERAL (
                    SELECT q.app_id, q.kind
                    FROM \(table) AS q
                    WHERE q.state = \(available) AND (q.app_id, q.kind) > (w.app_id, w.kind)
                    ORDER BY q.app_id, q.kind
                    LIMIT 1
                ) AS n
            ), due AS (
                SELECT d.id
                FROM waiting AS w
                JOIN unnest(\(places.map(\.key.rawValue))::text[], \(places.map(\.value), as: Int32.self)::integer[])
                    AS k(kind, places) ON k.kind = w.kind
                LEFT JOIN unnest(\(running.map(\.key.app.uuid))::uuid[], \(running.map(\.key.kind.rawValue))::text[],
                    \(running.map(\.value), as: Int32.self)::integer[])
                    AS r(app_id, kind, count) ON r.app_id = w.app_id AND r.kind = w.kind
                CROSS JOIN LATERAL (
                    SELECT q.id
                    FROM \(table) AS q
                    WHERE q.state = \(available) AND q.app_id = w.app_id AND q.kind = w.kind AND q.scheduled_at <= now()
                    ORDER BY q.scheduled_at, q.id
                    LIMIT greatest(k.places - coalesce(r.count, 0), 0)
                    FOR UPDATE SKIP LOCKED
                ) AS d
            )
            """
    }
}
