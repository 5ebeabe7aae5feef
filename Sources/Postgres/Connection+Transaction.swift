import Synchronization

/// How much a transaction sees of others.
package enum IsolationLevel: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension Connection {
    /// Runs a transaction, or a savepoint inside one: what the body did stays when it returns and is undone when it
    /// throws. A savepoint takes the transaction's level.
    package func withTransaction<Value>(
        at level: IsolationLevel = .readCommitted,
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
        return try await transaction(at: level, body)
    }

    private func transaction<Value>(
        at level: IsolationLevel,
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        // BEGIN travels with the first statement; a body without statements costs no round trip.
        loan.withLock { $0.pendingBegin = Query(unsafe: level.begin) }
        let value: Value
        do {
            value = try await body(self)
        } catch {
            await rollBack("ROLLBACK")
            throw error
        }
        guard takePendingBegin() == nil else { return value }
        let end = try await run(Job(JobContent(.group(["COMMIT"]))), shielded: true)
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
        guard takePendingBegin() == nil else { return }
        _ = try? await run(Job(JobContent(.group([Query(unsafe: statement)]))), shielded: true)
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
