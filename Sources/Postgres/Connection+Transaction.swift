import Synchronization

/// The isolation level of a transaction: how much it sees of others.
package enum IsolationLevel: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

/// The server's way to plan the statements of a transaction.
package enum StatementPlanning: Sendable {
    /// As it sees fit, which for statements that take arrays is anew each time.
    case automatic
    /// Once a connection, for whatever values, each row by an index wherever there is one, though a table may be small yet:
    /// for statements that run often, find few rows, and these by a key. A plan that reads a whole table or index would
    /// stay when that has grown.
    case once
}

extension Connection {
    /// Runs a transaction, or a savepoint inside one: what the body did stays when it returns and is undone when it
    /// throws. A savepoint takes the transaction's level, planning and waiting.
    ///
    /// - Parameter lockTimeout: the longest that a statement of it waits for a lock; nil for the pool's own limit.
    package func withTransaction<Value>(
        at level: IsolationLevel = .readCommitted,
        planning: StatementPlanning = .automatic,
        lockTimeout: Duration? = nil,
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        let depth = loan.withLock { loan in
            loan.depth += 1
            return loan.depth
        }
        defer { loan.withLock { $0.depth -= 1 } }
        guard depth == 1 else {
            return try await savepoint(named: "s\(depth)", body)
        }
        let waiting = lockTimeout.map { timeout in
            // safe: the program's own limits, of seconds
            ["SET LOCAL lock_timeout = \(max(1, Int(max(timeout, shortestLockTimeout) / .milliseconds(1))))"]
        }
        return try await transaction([level.begin] + planning.settings + (waiting ?? []), body)
    }

    private func transaction<Value>(
        _ begin: [String],
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        // A body without statements costs no round trip.
        loan.withLock { $0.pendingBegin = begin.map { Query(unsafe: $0) } }
        let value: Value
        do {
            value = try await body(self)
        } catch {
            await rollBack("ROLLBACK")
            throw error
        }
        guard takePendingBegin().isEmpty else { return value }
        let end = try await run(PendingQuery(JobContent(.group(["COMMIT"]), mayBeCancelled: false)), shielded: true)
        guard end.first?.commandTag == "COMMIT" else {
            throw PostgresError(
                .server(.inFailedSQLTransaction),
                "the transaction was rolled back: an error in it was caught, but the transaction could not go on"
            )
        }
        return value
    }

    private func savepoint<Value>(
        named name: String,
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        _ = try await pipeline([Query(unsafe: "SAVEPOINT \(name)")])
        let value: Value
        do {
            value = try await body(self)
        } catch {
            await rollBack("ROLLBACK TO SAVEPOINT \(name)")
            throw error
        }
        _ = try await pipeline([Query(unsafe: "RELEASE SAVEPOINT \(name)")])
        return value
    }

    /// Undoes, also in a cancelled task. If that fails the connection is broken, which the next statement reports.
    private func rollBack(_ statement: String) async {
        guard takePendingBegin().isEmpty else { return }
        _ = try? await run(
            PendingQuery(JobContent(.group([Query(unsafe: statement)]), mayBeCancelled: false)),
            shielded: true
        )
    }
}

extension IsolationLevel {
    fileprivate var begin: String {
        switch self {
        case .readCommitted: "BEGIN"
        case .repeatableRead, .serializable: "BEGIN ISOLATION LEVEL \(rawValue)"
        }
    }
}

extension StatementPlanning {
    fileprivate var settings: [String] {
        switch self {
        case .automatic: []
        case .once:
            [
                """
                SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
                    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
                    set_config('enable_material', 'off', true)
                """
            ]
        }
    }
}
