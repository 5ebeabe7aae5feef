// A connection that one borrower has to himself: one job at a time, which can be interrupted.
extension PooledConnection {
    /// Takes a job; it runs after those before it.
    func enqueue(_ job: PendingQuery) {
        waiting.append(job)
        startNext()
    }

    /// The borrower is done: what he left behind is cancelled and rolled back.
    func takeBack() {
        isTakenBack = true
        let error = PostgresError(.cancelled, "the connection was returned before the query had run")
        while let job = waiting.popFirst() { job.fail(error) }
        if let current { interrupt(current, .cancelled) }
        startNext()
    }

    /// Stops a job: one that waits is gone at once, one that runs is cancelled at the server.
    func interrupt(_ job: PendingQuery, because reason: PostgresError) {
        guard !isLost, !job.isOver else { return }
        guard job === current else {
            waiting.removeAll { $0 === job }
            return job.fail(reason)
        }
        guard interruption == nil else { return }
        interruption = reason
        interruptedAt = .now
        askToCancel()
        discardSolo(reason)
    }

    func interrupt(_ job: PendingQuery, _ code: PostgresError.Code) {
        interrupt(job, because: PostgresError(code, Self.text(of: code)))
    }

    /// Asks again: a request that reaches the server before the query has begun there is lost.
    func askToCancel() {
        guard !isLost, !isCancelling else { return }
        guard let handle = connection.cancelHandle() else { return lose() }
        isCancelling = true
        reports.append(.cancel(handle))
    }

    /// A new borrower.
    func lend() {
        isTakenBack = false
        isRollingBack = false
    }

    /// The server has been asked.
    func cancelSent() {
        isCancelling = false
        if let heldBack {
            self.heldBack = nil
            finishCurrent(heldBack)
        } else {
            startNext()
        }
    }

    func finishCurrent(_ result: Result<[Rows], PostgresError>) {
        guard let job = current else { return }
        guard !isCancelling else {
            heldBack = result
            return
        }
        current = nil
        switch result {
        case .success(let rows): job.finish(.success(rows))
        case .failure(let error):
            job.fail(interpreted(error))
            reports.append(.failed(error))
        }
        interruption = nil
        interruptedAt = nil
        startNext()
    }

    /// An error that our own cancel request caused says why we cancelled.
    func interpreted(_ error: PostgresError) -> PostgresError {
        guard let interruption, error.sqlState == .queryCanceled else { return error }
        var error = error
        error.code = interruption.code
        error.message = interruption.message
        return error
    }

    private func startNext() {
        while !isLost, current == nil, !isCancelling, let job = waiting.popFirst() {
            guard job.take() else { continue }
            current = job
            send(job)
        }
        guard isTakenBack, !isLost, current == nil, !isCancelling else { return }
        if connection.transaction != .idle, !isRollingBack {
            isRollingBack = true
            let job = PendingQuery(JobContent(.script("ROLLBACK")))
            reports.append(.chore(job))
            enqueue(job)
        } else if connection.transaction != .idle {
            lose()
        } else {
            isTakenBack = false
            reports.append(.returned)
        }
    }

    private static func text(of code: PostgresError.Code) -> String {
        switch code {
        case .timeout: "the query did not end before its deadline"
        default: "the query was cancelled"
        }
    }
}
