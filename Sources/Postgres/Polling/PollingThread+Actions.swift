// The state machine's decisions are carried out here.
extension PollingThread {
    func perform(_ action: Machine.Action?) {
        guard let action else { return }
        actions.append(action)
        performWaiting()
    }

    func perform(_ new: [Machine.Action]) {
        for action in new { actions.append(action) }
        performWaiting()
    }

    /// One after the other, not nested: an action may cause thousands.
    private func performWaiting() {
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while let action = actions.popFirst() {
            switch action {
            case .connect(let id): connect(id)
            case .close(let slot): close(slot)
            case .send(let job, let slot): send(job, on: slot)
            case .lend(let request, let slot): lend(slot, to: request)
            case .listen(let slot): listen(on: slot)
            case .refuse(let job, let error):
                metrics.failed(error)
                job.fail(error)
            case .refuseLease(let request, let error):
                metrics.failed(error)
                request.finish(.failure(error))
            case .stop: isStopped = true
            }
        }
    }

    private func close(_ slot: Int) {
        guard let wire = wires[slot] else { return }
        wires[slot] = nil
        wire.lose(.closing)
        for case .lost(let error, let jobs) in wire.reports {
            for job in jobs { job.fail(error) }
        }
    }

    /// A job whose connection broke after it had been chosen was never sent: another connection may have it.
    private func send(_ job: PendingQuery, on slot: Int) {
        guard let wire = wires[slot] else { return perform(machine.resubmit(job, at: now)) }
        guard !wire.isLost else { return job.fail(.lostBefore) }
        guard job.take() else {
            machine.withdrawnJobs = max(0, machine.withdrawnJobs - 1)
            return perform(machine.jobFinished(on: slot))
        }
        metrics.waited(now - job.content.createdAt)
        wire.send(job)
        if wire.isLost { collect(wire) }
    }

    private func lend(_ slot: Int, to request: LeaseRequest) {
        guard let wire = wires[slot] else {
            perform(machine.lostReturned(slot, at: now))
            return perform(machine.lendAgain(to: request, at: now))
        }
        guard request.take() else {
            machine.withdrawnLeases = max(0, machine.withdrawnLeases - 1)
            return perform(machine.takenBack(slot, at: now))
        }
        metrics.waited(now - request.content)
        wire.lend()
        let connection = Connection(
            id: wire.id,
            processID: wire.connection.backendProcessID,
            inbox: inbox,
            shortestLockTimeout: configuration.shortestLockTimeout ?? .zero
        )
        guard !request.finish(.success(connection)) else { return }
        perform(machine.takenBack(slot, at: now))
    }
}

extension PostgresError {
    static var lostBefore: PostgresError {
        PostgresError(.connectionLost, "the connection was lost before this query")
    }
}
