extension PollingThread {
    /// Publishes what has changed, and tells the metrics at most once a second.
    func report() {
        statistics.sharedOpen = 0
        statistics.exclusiveIdle = 0
        statistics.exclusiveLent = 0
        statistics.connecting = 0
        for slot in machine.slots {
            switch slot.state {
            case .open: if slot.role == .shared { statistics.sharedOpen += 1 }
            case .idle: statistics.exclusiveIdle += 1
            case .lent, .lostWhileLent: statistics.exclusiveLent += 1
            case .connecting, .waiting: statistics.connecting += 1
            case .closed: break
            }
        }
        statistics.queuedQueries = max(0, machine.jobs.count - machine.withdrawnJobs)
        statistics.queuedLeases = max(0, machine.leases.count - machine.withdrawnLeases)
        if statistics != published {
            hasNews = true
            published = statistics
            publish(statistics)
        }
        guard hasNews, reportedAt + .seconds(1) <= now else { return }
        hasNews = false
        reportedAt = now
        metrics.report(statistics)
    }
}
