/// One open connection on the polling thread: what was sent on it, and what came back.
final class PooledConnection {
    /// An event that the polling thread must know of after the connection has worked.
    enum Report {
        /// A shared job is over; its rows are still to be handed out, nil when its caller has got an error.
        case jobDone(PendingQuery, [Rows]?)
        /// The borrower's connection is fit for the next one.
        case returned
        /// A job failed, and its caller has got the error.
        case failed(PostgresError)
        /// The wire does something of its own, which has to end soon.
        case chore(PendingQuery)
        case notification(PostgresNotification)
        /// The server is to be asked, by a thread that may block, to cancel what this wire runs.
        case cancel(PGCancel)
        /// The jobs that were under way; their callers have no answer yet.
        case lost(PostgresError, [PendingQuery])
    }

    let id: WireID
    let role: WireRole
    let connection: PGConnection
    /// Exclusive jobs behind the current one.
    var waiting = FIFO<PendingQuery>()
    var current: PendingQuery?
    var pipeline = PipelineStateMachine<PendingQuery, Rows>()
    var solo: UnpipelinedCommand?
    /// The reason why the current exclusive job was stopped.
    var interruption: PostgresError?
    var interruptedAt: ContinuousClock.Instant?
    /// A thread is asking the server to cancel; what runs next must not be hit by it.
    var isCancelling = false
    /// The current job's answer, held back while `isCancelling`.
    var heldBack: Result<[Rows], PostgresError>?
    var isTakenBack = false
    var isRollingBack = false
    var isFlushing = false
    var isReadingPaused = false
    var isPipelining = false
    var isLost = false
    var reports: [Report] = []
    /// The time at which the oldest unanswered group was sent.
    var busySince: ContinuousClock.Instant?
    var statements: StatementCache
    var surplus: [String] = []
    var scratch = BindScratch()

    init(id: WireID, role: WireRole, connection: PGConnection, statementLimit: Int) {
        self.id = id
        self.role = role
        self.connection = connection
        statements = StatementCache(limit: statementLimit)
    }

    var interest: SocketReadiness.Interest {
        var interest: SocketReadiness.Interest = isReadingPaused ? [] : .reading
        // While we flush we must read too, or both sides may wait for each other with full buffers.
        if isFlushing { interest.insert(.writing) }
        return interest
    }

    /// The connection is of no use any more.
    func lose(_ reason: PostgresError? = nil, with job: PendingQuery? = nil) {
        guard !isLost else { return }
        isLost = true
        let message = connection.errorMessage
        let error =
            reason ?? PostgresError(.connectionLost, message.isEmpty ? "the server closed the connection" : message)
        var jobs = pipeline.lost()
        if let job, !jobs.contains(where: { $0 === job }) { jobs.append(job) }
        if let current, !jobs.contains(where: { $0 === current }) { jobs.append(current) }
        while let next = waiting.popFirst() { jobs.append(next) }
        current = nil
        reports.append(.lost(error, jobs))
    }

    func lose(with job: PendingQuery?) {
        lose(nil, with: job)
    }
}

/// The use of a connection in its pool.
enum WireRole {
    case shared
    case exclusive
    case listener
}
