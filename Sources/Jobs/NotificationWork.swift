import Billing
package import Foundation
package import Operations
package import Storage

/// Applies what the stores said, one notification at a time for each subscription, in the order in which its store signed them.
package struct NotificationWork: QueuedWork {
    private static let batch = 128
    private static let lease = Duration.seconds(30)

    package let table = QueueTable.notifications
    private let backOffice: BackOffice
    private let patience = Patience()

    init(backOffice: BackOffice) {
        self.backOffice = backOffice
    }

    /// A history that is played is worked on by who plays it.
    package var pauses: Bool {
        switch backOffice.recording.time {
        case .whenApplied: false
        case .whenSigned: true
        }
    }

    package func lease(by worker: UUID) async throws -> [LeasedNotification] {
        try await backOffice.leaseNotifications(limit: Self.batch, by: worker, for: Self.lease)
    }

    package func lanes(of leased: [LeasedNotification]) -> [[LeasedNotification]] {
        Dictionary(grouping: leased) { SubscriptionKey($0) }.values.map { $0.sorted(by: Self.inSignedOrder) }
    }

    package func work(on notification: LeasedNotification) async throws {
        do {
            _ = try await backOffice.apply(notification, patience: patience.now)
            patience.worked()
        } catch {
            if AttemptFailure(error).isPassing { patience.waited() }
            throw error
        }
    }

    package func lease(of notification: LeasedNotification) -> Lease { notification.lease }

    package func policy(for notification: LeasedNotification) -> RetryPolicy { RetryPolicy() }

    private static func inSignedOrder(_ left: LeasedNotification, _ right: LeasedNotification) -> Bool {
        (left.signedAt, left.event?.id ?? "") < (right.signedAt, right.event?.id ?? "")
    }

    /// The key of a lane, whose notifications are applied one after the other.
    private enum SubscriptionKey: Hashable {
        case subscription(App.ID, Store, StoreEnvironment, originalID: String)
        /// Of which subscription it is nobody knows before its store was asked.
        case unresolved(Identifier<ReceivedNotification>)

        init(_ leased: LeasedNotification) {
            if let event = leased.event {
                self = .subscription(
                    leased.app,
                    event.store,
                    event.environment,
                    originalID: event.transaction.originalID
                )
            } else {
                self = .unresolved(leased.id)
            }
        }
    }
}

package typealias NotificationWorker = QueueWorker<NotificationWork>

extension NotificationWorker {
    package static var usualConcurrency: Int { 4 }

    /// - Parameter concurrency: the number of subscriptions that are worked on at once; each takes a database connection.
    package convenience init(backOffice: BackOffice, concurrency: Int = usualConcurrency) {
        self.init(NotificationWork(backOffice: backOffice), backOffice: backOffice, concurrency: concurrency)
    }
}
