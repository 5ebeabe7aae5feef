package import Billing
package import Foundation

/// A notification as the inbox lists it.
package struct ListedNotification: Sendable {
    package var id: UUID
    package var receivedAt: Date
    package var store: Store
    package var environment: StoreEnvironment
    package var type: String
    package var subtype: String?
    /// The store's own id.
    package var notificationUUID: String
    package var state: NotificationState
    package var attempts: Int
    package var lastError: String?
    package var originalTransactionID: String?
    /// The order it made or changed, else the newest of its subscription.
    package var orderNumber: String?

    package init(
        id: UUID,
        receivedAt: Date,
        store: Store,
        environment: StoreEnvironment,
        type: String,
        subtype: String?,
        notificationUUID: String,
        state: NotificationState,
        attempts: Int,
        lastError: String?,
        originalTransactionID: String?,
        orderNumber: String?
    ) {
        self.id = id
        self.receivedAt = receivedAt
        self.store = store
        self.environment = environment
        self.type = type
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.state = state
        self.attempts = attempts
        self.lastError = lastError
        self.originalTransactionID = originalTransactionID
        self.orderNumber = orderNumber
    }
}
