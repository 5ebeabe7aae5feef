package import Billing
import Foundation
import Storage
import Synchronization

/// Holds callers of the customer API to its limits, one limit over all servers of the installation.
///
/// Buckets are rows in PostgreSQL. A count there for each call would cost more than most calls do, so a server borrows up to a tenth of a
/// bucket, or of what is left in it, and spends that in memory (`TokenLease` says why that is no more than one bucket). The fewer
/// tokens are left, the smaller is what is lent: the last ones go one by one, to whichever server is called.
///
/// While the database does not answer, calls that borrow are let through uncounted: each of them asks it next who calls, and is 503 for
/// that reason. Those that are counted one by one are 503 at once: nobody tries receipts or tokens unlimited because the database is
/// busy.
package final class RateLimiter: Sendable {
    package let limits: RateLimits
    private let database: Database
    private let loans: GroupedCalls<RateLimitAsk, RateLimitGrant>
    private let state = Mutex(State())

    private struct State {
        /// Some 200 bytes each. One that is forgotten lapses, as its bucket fills up meanwhile.
        var leases = GenerationalCache<UUID, TokenLease>(generation: 100_000)
        /// Buckets that are being asked, with who waits for the answer.
        var asked: [UUID: [CheckedContinuation<Void, Never>]] = [:]
        /// Until when the database is not asked, as it does not answer.
        var pausedUntil: ContinuousClock.Instant?
    }

    private static let share: Int64 = 10
    private static let pause = Duration.seconds(1)

    init(_ limits: RateLimits, database: Database) {
        self.limits = limits
        self.database = database
        loans = GroupedCalls { asks, waited in
            try await database.takeTokens(asks, share: Self.share, waited: waited)
        }
    }

    /// Takes a token of each bucket, or none.
    ///
    /// - Parameter own: the app's own limits, in place of those of the installation. A policy that is off there is not counted.
    /// - Returns: the state of each limit, in order.
    /// - Throws: `RateLimitExceeded` if one of them is empty; the database's errors, for a limit that is counted call by call.
    package func take(
        _ subjects: [RateLimitSubject],
        own: [RateLimitPolicy: RateLimit] = [:]
    ) async throws -> [RateLimitState] {
        let buckets = subjects.compactMap { subject in
            limits[subject.policy].map { usual in
                Bucket(policy: subject.policy, limit: own[subject.policy] ?? usual, id: subject.bucket)
            }
        }
        try await borrow(buckets)
        var taken: [(id: UUID, state: RateLimitState)] = []
        for bucket in buckets {
            guard let state = try await take(from: bucket) else { continue }
            guard state.wait == nil else {
                self.state.withLock { known in
                    for (id, state) in taken {
                        known.leases.change(id) { $0.takeBack(of: state.instant) }
                    }
                }
                throw RateLimitExceeded(states: taken.map(\.state) + [state], retryAfter: state.secondsUntilNext)
            }
            taken.append((bucket.id, state))
        }
        return taken.map(\.state)
    }

    private struct Bucket: Sendable {
        let policy: RateLimitPolicy
        let limit: RateLimit
        let id: UUID

        var ask: RateLimitAsk {
            RateLimitAsk(
                of: id,
                depth: limit.calls,
                interval: limit.interval,
                most: policy.isLent ? limit.calls : 1
            )
        }
    }

    /// Borrows from several buckets of a call in one statement: for who has not called for a while, all of them are to be asked.
    private func borrow(_ buckets: [Bucket]) async throws {
        let (now, instant) = (database.now, ContinuousClock.now)
        let unknown = state.withLock { state -> [Bucket] in
            if let until = state.pausedUntil, instant < until { return [] }
            let unknown = buckets.filter { bucket in
                guard bucket.policy.isLent, state.asked[bucket.id] == nil else { return false }
                guard let lease = state.leases.value(of: bucket.id), lease.limit == bucket.limit else { return true }
                return lease.wait(at: now, instant) == nil && lease.held(at: now, instant) == 0
            }
            guard unknown.count > 1 else { return [] }
            for bucket in unknown { state.asked[bucket.id] = [] }
            return unknown
        }
        guard !unknown.isEmpty else { return }
        defer { for bucket in unknown { wake(waitingFor: bucket.id) } }
        do {
            let grants = try await loans.answers(to: unknown.map(\.ask))
            for (bucket, grant) in zip(unknown, grants) {
                let lease = TokenLease(grant, of: bucket.limit, at: now, instant)
                state.withLock { $0.leases.keep(lease, for: bucket.id) }
            }
        } catch  where DatabaseFailure(error)?.isPassing == true {
            state.withLock { $0.pausedUntil = .now + Self.pause }
        }
    }

    private enum Step {
        case done(RateLimitState)
        case uncounted
        case ask
        case wait
    }

    /// nil for what is not counted, as the database does not answer.
    private func take(from bucket: Bucket) async throws -> RateLimitState? {
        while true {
            switch next(from: bucket) {
            case .done(let found): return found
            case .uncounted: return nil
            case .wait: await waitForAnswer(of: bucket.id)
            case .ask:
                do {
                    return try await ask(bucket)
                } catch  where bucket.policy.isLent && DatabaseFailure(error)?.isPassing == true {
                    state.withLock { $0.pausedUntil = .now + Self.pause }
                    return nil
                }
            }
        }
    }

    private func next(from bucket: Bucket) -> Step {
        let (policy, limit, id) = (bucket.policy, bucket.limit, bucket.id)
        let (now, instant) = (database.now, ContinuousClock.now)
        return state.withLock { state in
            let found = state.leases.change(id) { lease -> RateLimitState? in
                guard lease.limit == limit else { return nil }
                let wait = lease.wait(at: now, instant)
                guard wait != nil || lease.spend(at: now, instant) else { return nil }
                let left = wait == nil ? lease.left(at: now, instant) : 0
                return RateLimitState(policy: policy, limit: limit, left: left, wait: wait, instant: lease.instant)
            }
            if let found = found ?? nil { return .done(found) }
            if policy.isLent, let until = state.pausedUntil, instant < until { return .uncounted }
            // One asks for all who call at this moment; of a bucket that lends nothing, each asks for one.
            guard policy.isLent else { return .ask }
            if state.asked[id] != nil { return .wait }
            state.asked[id] = []
            return .ask
        }
    }

    private func ask(_ bucket: Bucket) async throws -> RateLimitState {
        defer { wake(waitingFor: bucket.id) }
        let (now, instant) = (database.now, ContinuousClock.now)
        // One statement takes from a bucket once: where nothing is lent, each has a statement of its own.
        let grant =
            bucket.policy.isLent
            ? try await loans.answer(to: bucket.ask)
            : try await database.takeTokens([bucket.ask], share: Self.share)[0]  // safe: one for each
        var lease = TokenLease(grant, of: bucket.limit, at: now, instant)
        // Whoever asked has the first, however long the answer took.
        if grant.granted > 0 { _ = lease.spend(at: now, instant) }
        let kept = lease
        if bucket.policy.isLent || grant.granted == 0 { state.withLock { $0.leases.keep(kept, for: bucket.id) } }
        return RateLimitState(
            policy: bucket.policy,
            limit: bucket.limit,
            left: kept.left(at: now, instant),
            wait: grant.granted > 0 ? nil : grant.wait,
            instant: instant
        )
    }

    private func wake(waitingFor id: UUID) {
        let waiting = state.withLock { $0.asked.removeValue(forKey: id) ?? [] }
        for continuation in waiting { continuation.resume() }
    }

    private func waitForAnswer(of id: UUID) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.asked[id] != nil else { return true }
                state.asked[id]?.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

extension BackOffice {
    /// Forgets the buckets of who has not called for a while.
    package func forgetFullBuckets() async throws -> Int {
        try await database.forgetFullBuckets()
    }
}
