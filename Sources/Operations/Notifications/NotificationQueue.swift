package import Foundation
package import Storage

/// What a worker does with the queue of notifications, around `applyNotification`.
extension BackOffice {
    /// Leases up to `limit` notifications that are due, oldest first, for `lease` from now by the database's clock.
    package func leaseNotifications(
        limit: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        try await database.leaseNotifications(limit: limit, by: worker, for: lease)
    }

    /// Returns expired leases to the queue, and marks as failed those that were left so on `lastAttempt`.
    ///
    /// - Returns: how many there were.
    package func rescueNotifications(lastAttempt: Int32) async throws -> Int {
        try await database.rescueNotifications(lastAttempt: lastAttempt)
    }

    /// Puts a notification back, to be tried again after `delay`.
    ///
    /// - Parameter isWait: the attempt ended for no fault of the notification.
    package func retry(
        _ leased: LeasedNotification,
        after delay: Duration,
        because error: String,
        isWait: Bool
    ) async throws {
        try await database.retry(leased, after: delay, because: error, isWait: isWait)
    }

    /// Puts notifications back that were leased and not tried.
    package func putBack(_ leased: [LeasedNotification], after delay: Duration) async throws {
        try await database.putBack(leased, after: delay)
    }

    /// Parks a notification for people to look at.
    package func markFailed(_ leased: LeasedNotification, because error: String) async throws {
        try await database.markFailed(leased, because: error)
    }

    /// Makes parked notifications due again.
    ///
    /// - Returns: how many there were.
    package func retryFailedNotifications() async throws -> Int {
        try await database.retryFailedNotifications()
    }
}
