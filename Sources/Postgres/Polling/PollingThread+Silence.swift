// A server that is silent when it owes something is not waited for without end.
extension PollingThread {
    /// Gives up what the server has been silent about for too long.
    func giveUpSilent() {
        for case let wire? in wires {
            guard let end = silenceEnd(of: wire), end <= now else { continue }
            if let solo = wire.solo {
                wire.interrupt(solo.job, because: solo.progress.failure(configuration.progressLimits))
            } else {
                wire.lose(silent(for: stuckAfter ?? configuration.patience))
            }
            collect(wire)
        }
    }

    /// Returns the time by which the server must be heard on a wire; nil when it owes nothing there, or the job has its own
    /// deadline.
    func silenceEnd(of wire: PooledConnection) -> ContinuousClock.Instant? {
        if wire.solo != nil { return wire.soloDeadline(configuration.progressLimits) }
        guard wire.role == .shared, let stuckAfter else { return nil }
        return wire.busySince.map { $0 + stuckAfter }
    }

    /// Watches a command of the pool's own, for which nobody waits: where the server is well it takes no time.
    func watchChore(_ job: PendingQuery, on wire: PooledConnection) {
        deadlines.add(.chore(job, wire.id), at: now + configuration.patience) { $0.isWanted }
    }

    /// The server did not even do a chore. To close the connection rolls back and stops listening as well.
    func expireChore(_ job: PendingQuery, on wire: PooledConnection) {
        guard !job.isOver else { return }
        wire.lose(silent(for: configuration.patience))
        collect(wire)
    }

    /// The time after which a shared connection that does not answer counts as lost; nil is never.
    private var stuckAfter: Duration? { configuration.statementTimeout.map { $0 + configuration.patience } }

    private func silent(for time: Duration) -> PostgresError {
        PostgresError(.connectionLost, "the server has not answered for \(time)")
    }
}
