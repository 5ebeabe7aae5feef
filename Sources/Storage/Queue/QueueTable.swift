import Postgres

/// A table whose rows are worked off: the same columns, and one set of statements for all of them.
///
/// A row is *available* from `scheduled_at` on, by the database's clock, until a worker leases it: then it is *running*,
/// held by `attempted_by` until `lease_ends_at`, and `attempt` has gone up by one. Both together fence: who lost the lease
/// changes nothing any more. It ends *completed*, or *discarded* after `max_attempts`: a dead letter, which nobody works on
/// until a person asks. Attempts that ended for no fault of the row are `snoozes` and do not count towards the last.
/// The terms are River's (riverqueue.com/docs).
package struct QueueTable: Sendable {
    /// The table's name, for the log and for the wake-up of its workers.
    package let name: String
    let table: Query
    /// The table that keeps every attempt for good, and its column that names the row.
    let attempts: Query
    let attemptsKey: Query
    /// The column with the arrival time of a row.
    let arrival: Query
    /// The names of the states in this table, as SQL literals, so that partial indexes are used.
    let available: Query
    let running: Query
    let discarded: Query
    /// The condition for a discarded row that can be retried at all.
    let canBeTried: Query

    /// The channel on which `wake_workers` announces new rows, by the table's name.
    static let channel = "work"

    /// All work in the background.
    package static let jobs = QueueTable(
        name: "jobs",
        table: "jobs",
        attempts: "job_attempts",
        attemptsKey: "job_id",
        arrival: "created_at",
        available: "'available'",
        running: "'running'",
        discarded: "'discarded'",
        canBeTried: "true"
    )

    /// The stores' notifications, in the terms of an inbox. The rows are the notifications themselves: a separate row for each would
    /// be written and removed again every time.
    package static let notifications = QueueTable(
        name: "store_notifications",
        table: "store_notifications",
        attempts: "notification_attempts",
        attemptsKey: "notification_id",
        arrival: "received_at",
        available: "'received'",
        running: "'processing'",
        discarded: "'failed'",
        canBeTried: "(event IS NOT NULL OR needs_resolving)"
    )
}
