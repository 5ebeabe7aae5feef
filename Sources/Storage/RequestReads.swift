import Postgres
import Synchronization

/// What one request of a person has read and written, which decides how old what it reads next may be: nobody misses on
/// a page what they have just saved.
package final class RequestReads: Sendable {
    /// The request that is being answered; nil for a job or a command.
    @TaskLocal package static var current: RequestReads?

    private struct State {
        var written: Int64?
        var hasWritten = false
        var age: Duration?
    }

    private let state: Mutex<State>

    /// - Parameter written: where the primary's log ended after the person's last write.
    package init(written: Int64?) {
        state = Mutex(State(written: written))
    }

    /// How old the oldest data that was read is; nil for the primary's, which is of now.
    package var age: Duration? { state.withLock { $0.age } }

    /// Whether something was written meanwhile.
    package var hasWritten: Bool { state.withLock { $0.hasWritten } }

    /// What a replica must have replayed.
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
        guard replica != nil else { return try await body() }
        let reads = RequestReads(written: try await lastWrite(of: staff))
        let result: R
        do {
            result = try await RequestReads.$current.withValue(reads) { try await body() }
        } catch {
            if reads.hasWritten { try? await noteWrite(of: staff) }
            throw error
        }
        // What was written stays so when this fails; the person may then read it a moment too late.
        if reads.hasWritten { try? await noteWrite(of: staff) }
        return result
    }

    private func lastWrite(of staff: Staff.ID) async throws -> Int64? {
        try await writeAlone("SELECT (written_up_to - '0/0')::bigint FROM staff_writes WHERE staff_id = \(staff)")
            .first?.decode(0)
    }

    private func noteWrite(of staff: Staff.ID) async throws {
        _ = try await writeAlone(
            """
            INSERT INTO staff_writes (staff_id, written_up_to)
            VALUES (\(staff), pg_current_wal_insert_lsn())
            ON CONFLICT (staff_id) DO UPDATE SET written_up_to = EXCLUDED.written_up_to
            """
        )
    }
}
