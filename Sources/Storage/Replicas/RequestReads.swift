import Foundation
import Postgres
import Synchronization

/// The reads and writes of one person's request. They decide how old the data of its next read may be: nobody misses on a page what
/// they have just saved.
package final class RequestReads: Sendable {
    /// The request that is being answered; nil for a job or a command.
    @TaskLocal package static var current: RequestReads?

    private struct State {
        var written: Int64?
        var hasWritten = false
        var age: Duration?
    }

    private let state: Mutex<State>

    /// - Parameter written: the end of the primary's log after the person's last write.
    package init(written: Int64?) {
        state = Mutex(State(written: written))
    }

    /// The age of the oldest data that was read; nil for the primary's, which is current.
    package var age: Duration? { state.withLock { $0.age } }

    /// True if something was written meanwhile.
    package var hasWritten: Bool { state.withLock { $0.hasWritten } }

    /// The log position that a replica must have replayed.
    var floor: Int64? { state.withLock { $0.hasWritten ? .max : $0.written } }

    func wrote() {
        state.withLock { $0.hasWritten = true }
    }

    func read(age: Duration) {
        state.withLock { $0.age = max($0.age ?? .zero, age) }
    }
}

extension Database {
    /// Runs a request of a person so that what they have written is in what they read, also on another server.
    package func answering<R: Sendable>(_ staff: Staff.ID, _ body: () async throws -> R) async throws -> R {
        guard let replica else { return try await body() }
        let reads = RequestReads(written: try await lastWrite(of: staff, replica))
        let result: R
        do {
            result = try await RequestReads.$current.withValue(reads) { try await body() }
        } catch {
            if reads.hasWritten { await noteWrite(of: staff, replica) }
            throw error
        }
        if reads.hasWritten { await noteWrite(of: staff, replica) }
        return result
    }

    /// - Returns: what a replica must have replayed; more than any has when the primary was started anew, or is another
    ///   server, since it was looked at: then recorded positions may have been lost.
    private func lastWrite(of staff: Staff.ID, _ replica: Replica) async throws -> Int64? {
        let row = try await writeAlone(
            """
            SELECT pg_postmaster_start_time(),
                (SELECT (written_up_to - '0/0')::bigint FROM staff_writes WHERE staff_id = \(staff))
            """
        )[0]
        let (startedAt, written) = try row.decode(Date.self, Int64?.self)
        return replica.hasSeen(primaryStartedAt: startedAt) ? written : .max
    }

    /// The write itself stands if this fails; then this server sends nobody to the replica before it has everything.
    private func noteWrite(of staff: Staff.ID, _ replica: Replica) async {
        do {
            // The second expression is computed when no other server is at this row any more.
            _ = try await writeAlone(
                """
                INSERT INTO staff_writes (staff_id, written_up_to)
                VALUES (\(staff), pg_current_wal_insert_lsn())
                ON CONFLICT (staff_id) DO UPDATE SET written_up_to = pg_current_wal_insert_lsn()
                """
            )
        } catch {
            replica.missedWrite()
        }
    }
}
