import Synchronization

/// A connection that is lent to one borrower, who runs one thing at a time on it.
package final class Connection: Sendable {
    struct Loan {
        var isOver = false
        /// 0 outside a transaction, 1 in one, more in savepoints.
        var depth = 0
        /// BEGIN, and what a transaction sets for itself: they travel with its first statement.
        var pendingBegin: [Query] = []
    }

    let id: WireID
    /// The server process behind the connection, as `pg_stat_activity` shows it.
    package let processID: Int32
    let inbox: Mailbox
    /// The least that a transaction's own limit on locks may be.
    let shortestLockTimeout: Duration
    let loan = Mutex(Loan())

    init(id: WireID, processID: Int32, inbox: Mailbox, shortestLockTimeout: Duration = .zero) {
        self.id = id
        self.processID = processID
        self.inbox = inbox
        self.shortestLockTimeout = shortestLockTimeout
    }

    /// Runs one statement. After `timeout`, or when the task is cancelled, the server stops it; the connection stays
    /// usable, an open transaction must be rolled back.
    package func query(
        _ query: Query,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> Rows {
        try await pipeline([query], timeout: timeout, file: file, line: line)[0]
    }

    /// Runs several statements in one round trip; throws the first error, after which none of the following has run.
    package func pipeline(
        _ queries: [Query],
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> [Rows] {
        guard !queries.isEmpty else { return [] }
        for query in queries { try query.validatePipelined() }
        let begin = takePendingBegin()
        let content = JobContent(
            .group(begin + queries),
            deadline: timeout.map { .now + $0 },
            file: file,
            line: line
        )
        let rows = try await run(PendingQuery(content))
        return Array(rows.dropFirst(begin.count))
    }

    /// Runs a text of several statements without binds, by the simple protocol; results are thrown away.
    package func execute(
        script: String,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws {
        try Query(unsafe: script).validate()
        try await beginIfPending()
        _ = try await run(
            PendingQuery(JobContent(.script(script), deadline: timeout.map { .now + $0 }, file: file, line: line))
        )
    }

    func giveBack() {
        loan.withLock { $0.isOver = true }
        inbox.post(.takeBack(id))
    }

    /// Awaits a job. A cancelled task has the server stop it, unless it is `shielded`.
    func run(_ job: PendingQuery, shielded: Bool = false) async throws -> [Rows] {
        try checkLoan()
        guard !shielded else {
            return try await job.answer { inbox.post(.perform(job, id)) }
        }
        return try await withTaskCancellationHandler {
            guard !Task.isCancelled else {
                throw PostgresError(
                    .cancelled,
                    "the task was cancelled before the query",
                    file: job.content.file,
                    line: job.content.line
                )
            }
            return try await job.answer { inbox.post(.perform(job, id)) }
        } onCancel: {
            inbox.post(.interrupt(job, id, .cancelled))
        }
    }

    func checkLoan() throws {
        guard !loan.withLock(\.isOver) else {
            throw PostgresError(.protocolViolation, "the connection was used after it had been given back")
        }
    }

    func takePendingBegin() -> [Query] {
        loan.withLock { loan in
            defer { loan.pendingBegin = [] }
            return loan.pendingBegin
        }
    }

    /// For what cannot share a round trip with BEGIN.
    func beginIfPending() async throws {
        let begin = takePendingBegin()
        guard !begin.isEmpty else { return }
        _ = try await run(PendingQuery(JobContent(.group(begin))))
    }
}
