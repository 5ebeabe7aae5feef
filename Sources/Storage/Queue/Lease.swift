package import Foundation
import Postgres

/// What a worker holds of a queue's row; nobody else may work on that until it ends.
package struct Lease: Sendable, Hashable {
    package var id: UUID
    /// Counts from 1; with `worker` it fences: who lost the lease cannot finish.
    package var attempt: Int32
    /// Earlier attempts that ended for no fault of the row.
    package var snoozes: Int32
    /// After so many attempts, snoozes not counted, the row is a dead letter.
    package var maxAttempts: Int32
    package var worker: UUID
    package var startedAt: Date

    /// Which attempt this is of those that count.
    package var countedAttempt: Int32 { attempt - snoozes }  // safe: the database holds snoozes <= attempt
}

extension Lease {
    /// From a row that begins as `QueueTable.leasing` gives it.
    init(_ row: Row, worker: UUID, startedAt: Date) throws {
        self.init(
            id: try row.decode(0),
            attempt: try row.decode(1),
            snoozes: try row.decode(2),
            maxAttempts: try row.decode(3),
            worker: worker,
            startedAt: startedAt
        )
    }
}
