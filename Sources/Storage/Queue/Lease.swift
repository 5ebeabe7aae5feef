package import Foundation
import Postgres

/// A worker's lease of a queue's row; nobody else may work on the row until it ends.
package struct Lease: Sendable, Hashable {
    package var id: UUID
    /// Counts from 1. With `worker` it fences: a worker that lost the lease cannot finish.
    package var attempt: Int32
    /// Earlier attempts that ended for no fault of the row.
    package var snoozes: Int32
    /// After so many attempts, snoozes not counted, the row is a dead letter.
    package var maxAttempts: Int32
    package var worker: UUID
    package var startedAt: Date

    /// The number of this attempt among those that count.
    package var countedAttempt: Int32 { attempt - snoozes }  // safe: the database holds snoozes <= attempt
}

extension Lease {
    /// The number of columns with which each row of `QueueTable.leasing` begins.
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
