package import Billing
package import Foundation

/// A page of the inbox.
package struct NotificationList: Sendable {
    package var rows: [Row]
    package var total: RowCount
    package var rowsBefore: Int
    package var hasPrevious: Bool
    package var hasNext: Bool
    /// The cursor led nowhere: the list's first page is what to show.
    package var startsOver: Bool

    package init(
        rows: [Row],
        total: RowCount,
        rowsBefore: Int,
        hasPrevious: Bool,
        hasNext: Bool,
        startsOver: Bool = false
    ) {
        self.rows = rows
        self.total = total
        self.rowsBefore = rowsBefore
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
        self.startsOver = startsOver
    }

    package struct Row: Sendable {
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
}
