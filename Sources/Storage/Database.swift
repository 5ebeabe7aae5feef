package import Foundation
package import Postgres

/// The database as the rest of the program sees it: `read` for screens, `write` for operations (style.md 3.2, edge 4).
package struct Database: Sendable {
    let writing: Pool
    private let reading: Pool
    /// The replica for screens, used while it is good enough; nil when they are read from the primary.
    package let replica: Replica?
    /// The pool for reads that a decision rests on.
    private let deciding: Pool
    /// The pool for exports that no replica serves. It has connections of its own, so that slow downloads hold none that a page waits for.
    let exporting: Pool
    private let clock: PrimaryClock
    /// The time that a request may wait for its authentication.
    package let doorTimeout: Duration

    /// - Parameters:
    ///   - writing: the primary.
    ///   - reading: a pool whose connections are read-only, and may lead to a replica.
    ///   - exporting: a pool like `reading` for exports alone, so that slow takers hold no connection that a page waits for; nil
    ///     where nobody is slow.
    ///   - readsPrimary: that those of `reading` do not lead to a replica: then decisions are read there, too, because
    ///     PostgreSQL and we do less for few busy connections than for many.
    ///   - clock: the source of `now`, in place of the primary's time: one reading per `read`, and in a `write` one more per lock.
    ///   - own: this machine's clock, until the primary's is known.
    ///   - doorTimeout: the time that a request may wait for its authentication; a database that does not answer by then is away.
    package init(
        writing: Pool,
        reading: Pool,
        exporting: Pool? = nil,
        readsPrimary: Bool = false,
        clock: (@Sendable () -> Date)? = nil,
        own: @escaping @Sendable () -> Date = { Date() },
        doorTimeout: Duration = Self.usualDoorTimeout
    ) {
        self.writing = writing
        self.reading = reading
        replica = nil
        deciding = readsPrimary ? reading : writing
        self.exporting = exporting ?? reading
        self.clock = PrimaryClock(replacement: clock, own: own)
        self.doorTimeout = doorTimeout
    }

    /// The same with a replica: it answers screens while it follows closely enough and has what the person who asks has
    /// written; else the primary does.
    package init(
        writing: Pool,
        replica: Replica,
        exporting: Pool? = nil,
        clock: (@Sendable () -> Date)? = nil,
        own: @escaping @Sendable () -> Date = { Date() },
        doorTimeout: Duration = Self.usualDoorTimeout
    ) {
        self.writing = writing
        self.replica = replica
        reading = replica.fallback
        deciding = writing
        self.exporting = exporting ?? replica.fallback
        self.clock = PrimaryClock(replacement: clock, own: own)
        self.doorTimeout = doorTimeout
    }

    /// Reads what a page shows. Each statement stands alone and may come from a replica; a statement that writes fails.
    /// If the replica fails or lags too far, `body` runs again on the primary, so it must be safe to run twice.
    package func read<R: Sendable>(_ body: (Reader) async throws -> R) async throws -> R {
        guard let replica = usableReplica() else { return try await body(screenReader) }
        let reader = Reader(pool: replica.pool, now: clock.now, doorTimeout: doorTimeout, replica: replica)
        do {
            return try await body(reader)
        } catch is Replica.WillNotDo {
            return try await body(screenReader)
        } catch let error where isFault(error) {
            replica.failed(error)
            return try await body(screenReader)
        }
    }

    private var screenReader: Reader { Reader(pool: reading, now: clock.now, doorTimeout: doorTimeout) }

    /// nil when the replica will not do, as far as that is known.
    func usableReplica() -> Replica? {
        guard let replica, replica.isGoodEnough(written: RequestReads.current?.floor) else { return nil }
        return replica
    }

    /// The replica's own fault; a statement that took too long would take as long on the primary.
    private func isFault(_ error: any Error) -> Bool {
        guard !Task.isCancelled, let failure = error as? PostgresError, failure.sqlState != .queryCanceled else {
            return false
        }
        if case .away = DatabaseFailure(failure) { return true }
        return false
    }

    /// Reads what a decision rests on (sessions, permissions, limits): always from the primary.
    package func readPrimary<R: Sendable>(_ body: (Reader) async throws -> R) async throws -> R {
        try await body(Reader(pool: deciding, now: clock.now, doorTimeout: doorTimeout))
    }

    /// Runs `body` in one transaction, rolled back when it throws. No store is called inside.
    ///
    /// PostgreSQL ends one of several transactions that wait for each other (40P01). Nothing of it stays, so it is run again, and
    /// `body` must be safe to run twice.
    ///
    /// - Parameters:
    ///   - plansOnce: true if its statements run often and find few rows, and these by a key: they are planned once a connection, for
    /// whatever values.
    ///   - moment: the transaction's `now`, however long it waits; nil for the clock's after its last lock.
    ///   - lockTimeout: the time that its statements may wait for a lock; nil for the pool's.
    package func write<R: Sendable>(
        plansOnce: Bool = false,
        at moment: Date? = nil,
        lockTimeout: Duration? = nil,
        _ body: (WriteTransaction) async throws -> R
    ) async throws -> R {
        try await BackgroundWork.inTurn(at: \.transactions) {
            for _ in 1..<Self.mostAttempts {
                do {
                    return try await writeOnce(plansOnce, moment, lockTimeout, body)
                } catch let error as PostgresError where error.sqlState == .deadlockDetected {
                    continue
                }
            }
            return try await writeOnce(plansOnce, moment, lockTimeout, body)
        }
    }

    private func writeOnce<R: Sendable>(
        _ plansOnce: Bool,
        _ moment: Date?,
        _ lockTimeout: Duration?,
        _ body: (WriteTransaction) async throws -> R
    ) async throws -> R {
        let time = TransactionTime(at: moment ?? clock.now, by: moment == nil ? clock : nil)
        let planning: StatementPlanning = plansOnce ? .once : .automatic
        defer { RequestReads.current?.wrote() }
        return try await writing.withTransaction(planning: planning, lockTimeout: lockTimeout) { connection in
            try await body(WriteTransaction(connection: connection, time: time))
        }
    }

    private static let mostAttempts = 5

    /// As long as a store waits for an answer.
    package static let usualDoorTimeout = Duration.seconds(2)

    /// Runs one statement that commits by itself, on the shared lane of the primary.
    ///
    /// - Parameters:
    ///   - settings: statements to run before it, in the same transaction and round trip.
    ///   - timeout: the time that the caller waits; the statement itself may still run on. nil for the pool's.
    package func writeAlone(
        _ query: Query,
        after settings: [Query] = [],
        timeout: Duration? = nil
    ) async throws -> Rows {
        defer { RequestReads.current?.wrote() }
        let (statements, asked) = (settings + [query], ContinuousClock.now)
        guard clock.wantsToHear else { return try await writing.pipeline(statements, timeout: timeout)[settings.count] }
        let results = try await writing.pipeline(statements + ["SELECT clock_timestamp()"], timeout: timeout)
        if let moment = try results.last?.first?.decode(0, as: Date.self) { clock.hear(moment, asked: asked) }
        return results[settings.count]
    }

    /// The moment by the primary's clock.
    package var now: Date { clock.now }

    /// `now` where the clock is replaced; nil where PostgreSQL's own time will do, which is one for all servers.
    var replacedNow: Date? { clock.replaced }

    /// A new key, later than the keys before it.
    package func newUUID() -> UUID { .version7(at: clock.now) }
}

/// A source of reads; each statement commits by itself.
package struct Reader: Sendable {
    package let pool: Pool
    package let now: Date
    let doorTimeout: Duration
    /// nil for the primary.
    var replica: Replica?

    package func query(_ query: Query) async throws -> Rows {
        guard let replica else { return try await pool.query(query) }
        return try await replica.read([query])[0]  // safe: one answer a statement
    }

    /// Several statements in one round trip; the first that fails fails all.
    func pipeline(_ queries: [Query]) async throws -> [Rows] {
        guard let replica else { return try await pool.pipeline(queries) }
        return try await replica.read(queries)
    }
}
