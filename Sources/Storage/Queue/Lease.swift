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
    /// What every row begins with that `QueueTable.leasing` gives.
    static let columnCount = 4

    init(_ columns: inout RowColumns, worker: UUID, startedAt: Date) throws {
        self.init(
            id: try columns.next(),
            attempt: try columns.next(),
            snoozes: try columns.next(),
            maxAttempts: try columns.next(),
            worker: worker,
            startedAt: startedAt
        )
    }
}
