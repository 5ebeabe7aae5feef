import Foundation
import Logging

extension PollingThread {
    func handle(_ message: Message) {
        switch message {
        case .submit(let job):
            watch(job, on: nil)
            perform(machine.submit(job, at: now))
        case .withdrawn:
            machine.jobWithdrawn { !$0.isOver }
        case .lend(let request):
            perform(machine.lend(to: request, at: now))
        case .leaseWithdrawn:
            machine.leaseWithdrawn { !$0.isOver }
        case .perform(let job, let id):
            guard let wire = wire(id) else { return job.fail(.lostBefore) }
            watch(job, on: id)
            wire.enqueue(job)
            collect(wire)
        case .interrupt(let job, let id, let code):
            guard let wire = wire(id) else { return job.fail(.lostBefore) }
            wire.interrupt(job, code)
            collect(wire)
        case .attend(let id):
            guard let wire = wire(id) else { return }
            wire.attendSolo()
            collect(wire)
        case .takeBack(let id):
            guard let wire = wire(id) else { return perform(machine.lostReturned(id.slot, at: now)) }
            wire.takeBack()
            collect(wire)
        case .opened(let id, let result):
            opened(id, result)
        case .interrupted(let id):
            guard let wire = wire(id) else { return }
            wire.cancelSent()
            collect(wire)
        case .subscribe(let subscription):
            subscribe(subscription)
        case .unsubscribe(let subscription):
            unsubscribe(subscription)
        case .drain:
            deadlines.add(.drain, at: now + configuration.drainTimeout) { _ in true }
            perform(machine.drain())
        case .close:
            perform(machine.close(because: .closing))
        }
    }

    func expire(_ deadline: Deadline) {
        switch deadline {
        case .job(let job, nil):
            guard job.abandon(PostgresError(.timeout, "the query did not end before its deadline")) else { return }
            machine.jobWithdrawn { !$0.isOver }
        case .job(let job, let id?):
            guard !job.isOver, let wire = wire(id) else { return }
            if job.content.mayBeCancelled {
                wire.interrupt(job, .timeout)
            } else {
                wire.lose(
                    PostgresError(.connectionLost, "the server did not say whether the transaction was committed")
                )
            }
            collect(wire)
        case .interruption(let job, let id):
            guard let wire = wire(id), wire.current === job, let since = wire.interruptedAt else { return }
            if since + configuration.patience <= now {
                let reason = wire.interruption?.message ?? "the query was cancelled"
                wire.lose(PostgresError(.connectionLost, "\(reason), and the server does not react"))
            } else {
                wire.askToCancel()
                // While one request is still on its way there is none to set the next deadline.
                if wire.isCancelling, wire.reports.isEmpty {
                    deadlines.add(deadline, at: now + Self.cancelInterval) { _ in true }
                }
            }
            collect(wire)
        case .chore(let job, let id):
            guard let wire = wire(id) else { return }
            expireChore(job, on: wire)
        case .drain:
            logger.warning("closing the connection pool with work under way")
            perform(machine.close(because: .closing))
        }
    }

    /// Reports the outcome of a wire to the state machine and to the callers concerned.
    ///
    /// Of one that was lost the machine hears only that: if it first heard that it has room, it would send the next job
    /// there, and nobody would ever answer it.
    func collect(_ wire: PooledConnection) {
        while !wire.reports.isEmpty {
            let reports = wire.reports
            wire.reports = []
            for report in reports {
                switch report {
                case .jobDone(let job, let rows):
                    if let rows { answers.append((job, rows)) }
                    statistics.queriesDone += 1
                    metrics.queried(now - job.content.createdAt)
                    if wire.role == .shared, !wire.isLost { perform(machine.jobFinished(on: wire.id.slot)) }
                case .returned where wire.isLost: wire.isTakenBack = true
                case .returned: perform(machine.takenBack(wire.id.slot, at: now))
                case .failed(let error): metrics.failed(error)
                case .chore(let job): watchChore(job, on: wire)
                case .cancel(let handle): cancel(wire, with: handle)
                case .notification(let notification): subscriptions.deliver(notification)
                case .lost(let error, let jobs): lost(wire, error, jobs)
                }
            }
        }
    }

    private func wire(_ id: WireID) -> PooledConnection? {
        guard let wire = wires[id.slot], wire.id == id else { return nil }
        return wire
    }

    private func watch(_ job: PendingQuery, on id: WireID?) {
        var deadline = job.content.deadline
        if deadline == nil, id != nil, job.content.answersAtOnce, let answerTimeout = configuration.answerTimeout {
            deadline = job.content.createdAt + answerTimeout
        }
        guard let deadline else { return }
        deadlines.add(.job(job, id), at: deadline) { $0.isWanted }
    }

    private func cancel(_ wire: PooledConnection, with handle: PGCancel) {
        if let job = wire.current {
            deadlines.add(.interruption(job, wire.id), at: now + Self.cancelInterval) { _ in true }
        }
        let (id, inbox) = (wire.id, inbox)
        let isStarted = help {
            handle.sendBlocking()
            inbox.post(.interrupted(id))
        }
        if !isStarted { inbox.post(.interrupted(id)) }
    }

    private func lost(_ wire: PooledConnection, _ error: PostgresError, _ jobs: [PendingQuery]) {
        guard wires[wire.id.slot] === wire else { return }
        wires[wire.id.slot] = nil
        statistics.connectionsLost += 1
        logger.info("lost a database connection", metadata: ["reason": "\(error.message)", "jobs": "\(jobs.count)"])
        metrics.failed(error)
        if wire.id.slot == machine.listenerSlot { subscriptions.interrupt() }
        let canRetry = configuration.isReadOnly && wire.role == .shared
        var again: [PendingQuery] = []
        for job in jobs where !(canRetry && job.putBack()) { job.fail(error) }
        for job in jobs where canRetry && !job.isOver { again.append(job) }
        perform(machine.lost(wire.id, at: now, random: Double.random(in: 0..<1)))
        if wire.isTakenBack { perform(machine.lostReturned(wire.id.slot, at: now)) }
        for job in again.reversed() { perform(machine.resubmit(job, at: now)) }
    }
}
