package import Foundation
package import Postgres
import Synchronization

/// One open transaction and the one moment it happens at: after its last lock.
///
/// A statement that waits for a lock waits for other transactions' writes, and must not decide at a moment before those. So
/// statements that wait for others are sent by `lock`, which reads the primary's clock in the same round trip, once they have their
/// locks; the earlier `now` is void. Decisions therefore ask for `now` where they use it, after their locks, and keep none across
/// one.
package struct WriteTransaction: Sendable {
    package let connection: Connection
    private let time: TransactionTime

    init(connection: Connection, time: TransactionTime) {
        (self.connection, self.time) = (connection, time)
    }

    /// By the primary's clock when it had the last of its locks; never earlier than what it was before.
    package var now: Date { time.now }

    /// The same transaction at another moment, for what is written down as heard then; no lock moves it.
    package func at(_ moment: Date) -> WriteTransaction {
        WriteTransaction(connection: connection, time: TransactionTime(at: moment, by: nil))
    }

    @discardableResult
    package func query(_ query: Query) async throws -> Rows {
        try await pipeline([query])[0]  // safe: one answer a statement
    }

    /// Several statements in one round trip; the first that fails fails all.
    @discardableResult
    package func pipeline(_ queries: [Query]) async throws -> [Rows] {
        guard time.clock?.wantsToHear == true, !queries.isEmpty else { return try await connection.pipeline(queries) }
        return try await send(queries, after: nil) { _ in }
    }

    /// A statement that waits for others, and what time it is once they are done.
    @discardableResult
    package func lock(_ query: Query, after latest: Query? = nil) async throws -> Rows {
        try await lock([query], after: latest)[0]  // safe: one answer a statement
    }

    /// The same of several in one round trip.
    ///
    /// - Parameter latest: an expression for the latest moment that is written down for whoever is locked: `now` is never before it,
    ///   though the primary's clock may have been set back.
    @discardableResult
    package func lock(_ queries: [Query], after latest: Query? = nil) async throws -> [Rows] {
        try await send(queries, after: latest, time.move)
    }

    private func send(_ queries: [Query], after latest: Query?, _ take: (Date) -> Void) async throws -> [Rows] {
        guard let clock = time.clock else { return try await connection.pipeline(queries) }
        if clock.replaced != nil, latest == nil {
            let results = try await connection.pipeline(queries)
            take(clock.now)
            return results
        }
        let asked = ContinuousClock.now
        var results = try await connection.pipeline(
            queries + ["SELECT clock_timestamp(), \(latest ?? "NULL::timestamptz")"]
        )
        guard let (moment, latest) = try results.removeLast().first?.decode(Date.self, Date?.self) else {
            return results
        }
        if clock.replaced == nil { clock.hear(moment, asked: asked) }
        take(max(clock.replaced ?? moment, latest ?? .distantPast))
        return results
    }

    /// A new key, later than the keys before it.
    package func newUUID() -> UUID { .version7(at: now) }
}

/// The time of a transaction.
final class TransactionTime: Sendable {
    /// nil for a transaction that happens at a moment which no lock moves.
    let clock: PrimaryClock?
    private let moment: Mutex<Moment>

    private enum Moment {
        /// The beginning of the transaction, as far as it was known; it waited for no lock. Can transition to `read`.
        case estimated(Date)
        /// The time of its last lock, by the primary's clock. Moved by further locks to later ones.
        case read(Date)
    }

    init(at moment: Date, by clock: PrimaryClock?) {
        self.clock = clock
        self.moment = Mutex(.estimated(moment))
    }

    var now: Date {
        switch moment.withLock(\.self) {
        case .estimated(let moment), .read(let moment): moment
        }
    }

    /// From one lock to the next never back, so that what a transaction writes stands in its order.
    func move(to moment: Date) {
        self.moment.withLock { known in
            known = if case .read(let earlier) = known { .read(max(earlier, moment)) } else { .read(moment) }
        }
    }
}
