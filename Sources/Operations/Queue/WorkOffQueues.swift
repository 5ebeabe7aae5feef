package import Foundation
package import Storage

/// The workers' operations on the queues, around the work itself.
extension BackOffice {
    package func queue(_ table: QueueTable) -> Queue { database.queue(table) }

    /// Reports new entries in a queue, whichever server wrote them.
    package func arrivals(in table: QueueTable) async throws -> some AsyncSequence<Void, any Error> & Sendable {
        try await database.arrivals(in: table)
    }

    /// Leases up to `limit` notifications that are due, oldest first, for `lease` from now by the database's clock; apps
    /// share the limit.
    package func leaseNotifications(
        limit: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        try await database.leaseNotifications(limit: limit, by: worker, for: lease)
    }

    /// Leases all that is due of up to so many subscriptions, for `lease` from now by the database's clock.
    package func leaseHistory(
        subscriptions: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        try await database.leaseHistory(subscriptions: subscriptions, by: worker, for: lease)
    }

    /// Leases due jobs, for `jobLease` from now by the database's clock: of each lane as many as it has places.
    ///
    /// - Parameters:
    ///   - places: the number of concurrent jobs of each kind for one app.
    ///   - running: the number of jobs that the worker has under way.
    package func leaseJobs(
        _ places: [Job.Kind: Int],
        besides running: [JobLane: Int],
        by worker: UUID
    ) async throws -> [LeasedJob] {
        try await database.leaseJobs(places, besides: running, by: worker, for: Self.jobLease)
    }

    /// Makes dead letters of the inbox available again.
    ///
    /// - Parameter caller: named by the audit log where anything is tried again; nil where nobody asked.
    /// - Returns: the number of dead letters.
    package func retryFailedNotifications(caller: Caller? = nil) async throws -> Int {
        let revived = try await queue(.notifications).reviveDeadLetters()
        if revived > 0, let caller {
            let name = QueueName.notifications.rawValue
            try await database.appendToAuditLog(
                caller.entry(
                    .retryQueue,
                    on: "queue",
                    name,
                    after: AuditJSON([("queue", name), ("count", String(revived))]).text
                )
            )
        }
        return revived
    }

    /// Removes reconciliations of more than 90 days ago; what they found stays.
    package func forgetReconciliations() async throws {
        _ = try await database.forgetReconciliations(before: database.now.addingTimeInterval(-90 * 86_400))
    }

    /// Removes jobs that were over 30 days ago, and says how many; dead letters stay.
    package func forgetJobs() async throws -> Int {
        try await database.forgetJobs(before: database.now.addingTimeInterval(-30 * 86_400))
    }
}
