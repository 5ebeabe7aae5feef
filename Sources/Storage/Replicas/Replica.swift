import Foundation
package import Postgres
import Synchronization

/// A replica that screens are read from, and what is known of it.
package final class Replica: Sendable {
    /// The server behind a connection is too far behind for the caller, or is no copy of our primary: the primary must answer.
    struct WillNotDo: Error {}

    let pool: Pool
    /// The same for files, which people take at their own pace.
    let exporting: Pool
    /// Read-only connections to the primary, for when the replica will not do.
    let fallback: Pool
    private let state: Mutex<ReplicaFollowing>

    /// - Parameter maximumAge: the maximum age of a screen's data; the primary answers when it would be older.
    package init(pool: Pool, exporting: Pool? = nil, fallback: Pool, maximumAge: Duration) {
        self.pool = pool
        self.exporting = exporting ?? pool
        self.fallback = fallback
        state = Mutex(ReplicaFollowing(maximumAge: maximumAge))
    }

    /// The time after which a screen's statement makes the replica count as hung; longer than the server's own limit.
    private static let patience = Duration.seconds(6)

    /// True if a read may go to the replica.
    func isGoodEnough(written: Int64?) -> Bool {
        guard case .replica = state.withLock({ $0.choice(written: written, at: .now) }) else { return false }
        return true
    }

    /// Runs a screen's statements, and asks this connection's server for its position in the same round trip: several servers may
    /// share one address.
    ///
    /// - Returns: the rows of each statement.
    /// - Throws: `WillNotDo`, or what a statement failed with.
    func read(_ queries: [Query]) async throws -> [Rows] {
        let request = RequestReads.current
        let answers = try await pool.pipeline([ReplicaState.question] + queries, timeout: Self.patience)
        let age = try age(of: ReplicaState(answers[0]), written: request?.floor)  // safe: one answer a statement
        request?.read(age: age)
        return Array(answers.dropFirst())
    }

    /// Asks a connection how far its server is, before a file is read from it.
    ///
    /// - Throws: `WillNotDo` when it is not far enough.
    func check(_ connection: Connection) async throws {
        let current = try await ReplicaState(connection.query(ReplicaState.question))
        _ = try age(of: current, written: RequestReads.current?.floor)
    }

    private func age(of current: ReplicaState, written: Int64?) throws -> Duration {
        let age = state.withLock { state -> Duration? in
            guard let primary = state.primary, let position = try? current.replayed(beside: primary) else {
                return nil
            }
            return state.age(at: position, written: written, .now)
        }
        guard let age else { throw WillNotDo() }
        return age
    }

    /// A statement failed on it: the primary answers until somebody has looked again.
    func failed(_ error: any Error) {
        let reason = (error as? PostgresError)?.message ?? "\(error)"
        state.withLock { $0.failed(.away(reason)) }
    }

    /// True if the primary is in the run that was seen last.
    func hasSeen(primaryStartedAt moment: Date) -> Bool {
        state.withLock { $0.primary?.run.startedAt == moment }
    }

    /// A write could not be recorded: no read goes to the replica before it has all that was written until now.
    func missedWrite() {
        state.withLock { $0.beginAnew(at: .now) }
    }

    /// Asks the primary and then the replica for their positions in the log.
    ///
    /// - Parameter patience: the time that either may take.
    package func look(patience: Duration = .seconds(1)) async -> ReplicaStatus {
        let start = ContinuousClock.now
        guard let primary = try? await PrimaryState(asking: fallback, within: patience) else { return status(nil) }
        state.withLock { $0.primaryWas(primary, at: start) }
        do {
            let answers = try await pool.pipeline([ReplicaState.question, ReplicaState.pause], timeout: patience)
            let position = try ReplicaState(answers[0]).replayed(beside: primary)
            let isPaused = try answers[1][0].decode(Bool.self)
            state.withLock { $0.replicaReplayed(position, isPaused: isPaused) }
            return status(max(0, primary.position - position), isPaused: isPaused)
        } catch let stranger as ReplicaState.Stranger {
            state.withLock { $0.failed(.stranger(stranger.reason)) }
            return status(nil)
        } catch {
            if !Task.isCancelled { failed(error) }
            return status(nil)
        }
    }

    /// Looks until screens are read from it, half a second apart, and for a bounded while: one that is a moment behind, as on a busy machine,
    /// is found to follow. One that is paused or of another cluster is looked at no longer.
    ///
    /// - Parameters:
    ///   - limit: the time after which it is looked at for the last time.
    ///   - patience: the time that either server may take for each answer.
    package func lookUntilItFollows(within limit: Duration, patience: Duration) async -> ReplicaStatus {
        let end = ContinuousClock.now + limit
        // A position that the first look finds written has to be replayed at a later one.
        _ = await look(patience: patience)
        var status = await look(patience: patience)
        while status.problem != nil, status.mayFollow, ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return status }
            status = await look(patience: patience)
        }
        return status
    }

    /// The reason why screens are read from the primary, safe for anybody to read; nil when they are read from the replica.
    package var problem: String? { state.withLock { $0.publicProblem(at: .now) } }

    private func status(_ bytes: Int64?, isPaused: Bool = false) -> ReplicaStatus {
        state.withLock { state in
            let now = ContinuousClock.now
            return ReplicaStatus(
                age: state.completeAt.map { now - $0 },
                bytesBehind: bytes.map(Int.init),
                isPaused: isPaused,
                problem: state.problem(at: now),
                mayFollow: state.mayFollow(at: now)
            )
        }
    }
}

/// The status of a replica, for operators.
package struct ReplicaStatus: Sendable {
    /// The age of its data; nil while unknown.
    package var age: Duration?
    /// The bytes of the primary's log that it has yet to replay.
    package var bytesBehind: Int?
    package var isPaused: Bool
    /// The reason why screens are read from the primary; nil when they are read from the replica.
    package var problem: String?
    /// False where time alone does not make it follow: its replay is paused, or it is of another cluster.
    package var mayFollow: Bool
}
