package import Postgres
import Synchronization

/// How far a replica follows the primary, as far as has been seen; decides who answers a screen.
///
/// Age is measured by our own clock: the newest moment of which the replica is known to have everything. So neither
/// machine's clock matters, and a primary at rest makes no replica look old.
struct ReplicaFollowing {
    /// Where the primary's log ended at a moment.
    private struct Mark {
        var position: Int64
        var at: ContinuousClock.Instant
    }

    /// Why screens are read from the primary.
    enum Reason: Hashable {
        /// Nobody has looked yet.
        case unknown
        case away(String)
        case stale
        /// It has not replayed what the person who asks has written.
        case behindWriter
    }

    enum Choice: Hashable {
        case replica(age: Duration)
        case primary(Reason)
    }

    /// How old the data of a screen may be.
    let maximumAge: Duration
    /// Of the primary, oldest first: those that the replica has yet to pass.
    private var ahead: [Mark] = []
    private var replayed: Int64?
    /// The newest moment of which the replica has everything.
    private(set) var completeAt: ContinuousClock.Instant?
    private var failure: Reason? = .unknown

    init(maximumAge: Duration) {
        self.maximumAge = maximumAge
    }

    mutating func primaryWas(at position: Int64, _ now: ContinuousClock.Instant) {
        // After a failover the log may end earlier than before.
        ahead.removeAll { $0.position > position }
        // One a second until the limit; what is older is too old in any case.
        let oldest = now - maximumAge * 4
        ahead.removeAll { $0.at < oldest }
        ahead.append(Mark(position: position, at: now))
        pass()
    }

    mutating func replicaReplayed(_ position: Int64) {
        failure = nil
        replayed = position
        pass()
    }

    mutating func failed(_ reason: String) {
        failure = .away(reason)
    }

    /// - Parameter written: where the log ended after the last write of the person who asks.
    func choice(written: Int64?, at now: ContinuousClock.Instant) -> Choice {
        if let failure { return .primary(failure) }
        guard let replayed, let completeAt else { return .primary(.unknown) }
        let age = now - completeAt
        guard age <= maximumAge else { return .primary(.stale) }
        guard written ?? 0 <= replayed else { return .primary(.behindWriter) }
        return .replica(age: age)
    }

    private mutating func pass() {
        guard let replayed else { return }
        while let first = ahead.first, first.position <= replayed {
            completeAt = first.at
            ahead.removeFirst()
        }
    }
}

/// A replica that screens are read from, and what is known of it.
package final class Replica: Sendable {
    let pool: Pool
    /// The same for files, which people take at their own pace.
    let exporting: Pool
    /// Read-only connections to the primary, for when the replica will not do.
    let fallback: Pool
    private let state: Mutex<ReplicaFollowing>

    /// - Parameter maximumAge: how old the data of a screen may be; the primary answers when it would be older.
    package init(pool: Pool, exporting: Pool? = nil, fallback: Pool, maximumAge: Duration) {
        self.pool = pool
        self.exporting = exporting ?? pool
        self.fallback = fallback
        state = Mutex(ReplicaFollowing(maximumAge: maximumAge))
    }

    /// How a screen's statement may take before the replica counts as hung; longer than the server's own limit.
    static let patience = Duration.seconds(6)

    /// Who answers, and how old the data is; nil for the primary.
    func age(written: Int64?) -> Duration? {
        guard case .replica(let age) = state.withLock({ $0.choice(written: written, at: .now) }) else { return nil }
        return age
    }

    /// A statement failed on it: the primary answers until somebody has looked again.
    func failed(_ error: any Error) {
        let reason = (error as? PostgresError)?.message ?? "\(error)"
        state.withLock { $0.failed(reason) }
    }

    /// Asks the primary where its log ends and then the replica how far it is.
    ///
    /// - Parameter patience: how long either may take.
    package func look(patience: Duration = .seconds(1)) async -> ReplicaStatus {
        let (primary, timeline): (Int64, Int?)
        do {
            (primary, timeline) = try await Self.primary(fallback, patience)
        } catch {
            return status(nil)
        }
        state.withLock { $0.primaryWas(at: primary, .now) }
        do {
            let seen = try await Self.replica(pool, patience)
            guard seen.timeline == timeline else {
                let reason =
                    "it does not follow this primary (its data is of timeline \(seen.timeline ?? 0), not \(timeline ?? 0))"
                state.withLock { $0.failed(reason) }
                return status(nil)
            }
            state.withLock { $0.replicaReplayed(seen.position ?? primary) }
            return status(seen.position.map { max(0, primary - $0) }, isPaused: seen.isPaused)
        } catch {
            guard !Task.isCancelled else { return status(nil) }
            failed(error)
            return status(nil)
        }
    }

    private func status(_ bytes: Int64?, isPaused: Bool = false) -> ReplicaStatus {
        state.withLock { state in
            let now = ContinuousClock.now
            return ReplicaStatus(
                age: state.completeAt.map { now - $0 },
                bytesBehind: bytes.map(Int.init),
                isPaused: isPaused,
                problem: state.choice(written: nil, at: now).problem(isPaused: isPaused)
            )
        }
    }

    private static func primary(_ pool: Pool, _ patience: Duration) async throws -> (Int64, Int?) {
        try await pool.query(
            """
            SELECT (pg_current_wal_lsn() - '0/0')::bigint, (SELECT newest_timeline FROM installation)
            """,
            timeout: patience
        )[0].decode(Int64.self, Int?.self)
    }

    private static func replica(
        _ pool: Pool,
        _ patience: Duration
    ) async throws -> (position: Int64?, timeline: Int?, isPaused: Bool) {
        try await pool.query(
            """
            SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint, (SELECT newest_timeline FROM installation),
                CASE WHEN pg_is_in_recovery() THEN pg_is_wal_replay_paused() ELSE false END
            """,
            timeout: patience
        )[0].decode(Int64?.self, Int?.self, Bool.self)
    }
}

/// How a replica is, for operators.
package struct ReplicaStatus: Sendable {
    /// How old the data on it is; nil while that is not known.
    package var age: Duration?
    /// What of the primary's log it has yet to replay.
    package var bytesBehind: Int?
    package var isPaused: Bool
    /// Why screens are read from the primary; nil when they are read from the replica.
    package var problem: String?
}

extension ReplicaFollowing.Choice {
    fileprivate func problem(isPaused: Bool) -> String? {
        switch self {
        case .replica: nil
        case .primary(.away(let reason)): reason
        case .primary(.stale): isPaused ? "its replay is paused" : "it is too far behind"
        case .primary(.unknown), .primary(.behindWriter): isPaused ? "its replay is paused" : "it has not caught up yet"
        }
    }
}
