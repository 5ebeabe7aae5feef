import Postgres

/// A table whose rows are worked off: the same columns, and one set of statements for all of them.
///
/// A row is *available* from `scheduled_at` on, by the database's clock, until a worker leases it: then it is *running*,
/// held by `attempted_by` until `lease_ends_at`, and `attempt` has gone up by one. Both together fence: who lost the lease
/// changes nothing any more. It ends *completed*, or *discarded* after `max_attempts`: a dead letter, which nobody works on
/// until a person asks. Attempts that ended for no fault of the row are `snoozes` and do not count towards the last.
/// The terms are River's (riverqueue.com/docs).
package struct QueueTable: Sendable {
    /// What the log says, and what wakes its workers: the table's name.
    package let name: String
    let table: Query
    /// Where each attempt is kept for good, with the column that names the row.
    let attempts: Query
    let attemptsKey: Query
    /// When a row came.
    let arrival: Query
    /// What the states are called in this table, as SQL literals, so that partial indexes are found.
    let available: Query
    let running: Query
    let discarded: Query
    /// A discarded row that nothing can be done about is none of those that are tried again.
    let canBeTried: Query

    /// Where workers hear of what is new, as `wake_workers` says it: the table's name.
    static let channel = "work"

    /// Whatever is to be done in the background.
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

    /// What the stores said, in the words of an inbox. The rows are the notifications themselves: a row of its own beside
    /// each would be written and removed again for every one of them.
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
