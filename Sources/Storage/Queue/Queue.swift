import Foundation
import Postgres

/// A worker's operations on its rows; each call is one statement that commits by itself.
package struct Queue: Sendable {
    let database: Database
    let table: QueueTable

    /// Makes rows available again whose worker is gone, and discards those that their workers have left so on their last
    /// attempt.
    ///
    /// - Returns: how many there were.
    package func rescue() async throws -> Int {
        try await database.writeAlone(table.rescue).affectedRows
    }

    /// Lets a lease last for `duration` from now.
    ///
    /// - Returns: false when it is lost.
    package func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
        let rows = try await database.writeAlone(table.renewalAlone(of: lease, for: duration))
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// Makes a row available again, after `delay`. Nothing happens when the lease is lost.
    ///
    /// - Parameter isSnooze: the attempt ended for no fault of the row.
    package func retry(
        _ lease: Lease,
        after delay: Duration,
        because error: String,
        isSnooze: Bool = false
    ) async throws {
        _ = try await database.writeAlone(
            table.retry(lease, after: delay, because: error, isSnooze: isSnooze, at: database.now)
        )
    }

    /// Makes rows available again that were leased and not tried.
    package func putBack(_ leases: [Lease], after delay: Duration = .zero) async throws {
        _ = try await database.writeAlone(table.putBack(leases, after: delay))
    }

    /// Leaves a row to people; nothing works on it until somebody asks.
    package func discard(_ lease: Lease, because error: String) async throws {
        _ = try await database.writeAlone(
            table.finish(lease, as: table.discarded, because: error, at: database.now)
        )
    }

    /// Makes all dead letters available that can be tried again.
    ///
    /// - Returns: how many there were.
    package func reviveDeadLetters() async throws -> Int {
        try await database.writeAlone(table.revival(where: table.isDeadLetter)).affectedRows
    }
}

extension Database {
    package func queue(_ table: QueueTable) -> Queue { Queue(database: self, table: table) }

    /// Hears of what is new in a queue, whichever server wrote it; survives the loss of the connection.
    package func arrivals(in table: QueueTable) async throws -> some AsyncSequence<Void, any Error> & Sendable {
        try await writing.listen(to: QueueTable.channel).filter { $0.payload == table.name }.map { _ in }
    }
}
