extension PooledConnection {
    /// The socket is ready.
    func attend(_ ready: SocketReadiness.Interest) {
        guard !isLost else { return }
        if !ready.isDisjoint(with: [.reading, .broken]), !isReadingPaused, !connection.consumeInput() {
            receive()
            return lose()
        }
        solo?.progress.heard(at: .now)
        if isFlushing { flush() }
        receive()
        if isReadingPaused, !ready.isDisjoint(with: .broken) { lose() }
    }

    /// Takes everything that libpq has read.
    func receive() {
        guard !isLost else { return }
        if solo != nil {
            receiveSolo()
        } else {
            receivePipeline()
        }
        guard role == .listener, !isLost else { return }
        while let notification = connection.nextNotification() {
            reports.append(.notification(notification))
        }
    }

    private func receivePipeline() {
        while !isLost, !pipeline.isEmpty, !connection.isBusy {
            let event = event(of: connection.nextResult())
            guard !isLost else { return }
            switch pipeline.received(event) {
            case .none: break
            case .complete(let job, let rows): groupDone(job, .success(rows))
            case .fail(let job, let failure): groupFailed(job, failure)
            case .breakUp: lose()
            }
        }
        if pipeline.isEmpty { busySince = nil }
    }

    private func event(of result: PGResult?) -> PipelineStateMachine<PendingQuery, Rows>.Event {
        guard let result else { return .endOfStep }
        switch result.status {
        case .done, .rows, .singleRow:
            return .output(Rows(result: result))
        case .failed:
            let error = PostgresError(server: result.message)
            // No Sync follows: the session is over.
            if error.code == .connectionLost { lose(error) }
            return .failure(error)
        case .aborted:
            return .aborted
        case .synced:
            return .synced
        case .copyIn, .copyOut, .unexpected:
            lose(PostgresError(.protocolViolation, "a COPY can only be run by copyIn and copyOut"))
            return .aborted
        }
    }

    private func groupFailed(_ job: PendingQuery?, _ failure: PipelineStateMachine<PendingQuery, Rows>.Failure) {
        for statement in failure.unprepared { statements.forget(statement) }
        if let outdated = failure.outdated {
            if statements.forget(outdated), failure.error.sqlState == .featureNotSupported {
                surplus.append(outdated.name)
            }
            // Nothing took effect: the group's own transaction is rolled back, and no other is open.
            if interruption == nil, connection.transaction == .idle || role == .shared, let job, !job.isOver,
                case .group(let queries) = job.content.work
            {
                return sendGroup(job, queries, prepared: false)
            }
        }
        if let job {
            let error = interpreted(failure.error)
            job.fail(error, statement: failure.statement)
            reports.append(.failed(error))
        }
        groupDone(job, .failure(failure.error))
    }

    private func groupDone(_ job: PendingQuery?, _ result: Result<[Rows], PostgresError>) {
        if !pipeline.isEmpty { busySince = .now }
        guard let job else { return }
        if role == .shared {
            reports.append(.jobDone(job, try? result.get()))
        } else {
            finishCurrent(result)
        }
    }
}
