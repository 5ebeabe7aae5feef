package import Billing
package import Foundation

/// An authentic notification on its way into the inbox.
package struct ReceivedNotification: Sendable {
    package var id: Identifier<ReceivedNotification>
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    /// The store's own id, the same on every delivery.
    package var notificationUUID: String
    package var type: String
    package var subtype: String?
    package var signedAt: Date
    package var receivedAt: Date
    package var signedPayload: String
    package var content: MessageContent
    /// The reconciliation that found it missing; nil for one that the store delivered.
    package var reconciliation: Reconciliation.ID?

    package init(
        id: Identifier<ReceivedNotification>,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        notificationUUID: String,
        type: String,
        subtype: String?,
        signedAt: Date,
        receivedAt: Date,
        signedPayload: String,
        content: MessageContent,
        reconciliation: Reconciliation.ID? = nil
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.notificationUUID = notificationUUID
        self.type = type
        self.subtype = subtype
        self.signedAt = signedAt
        self.receivedAt = receivedAt
        self.signedPayload = signedPayload
        self.content = content
        self.reconciliation = reconciliation
    }
}

/// A notification that this worker may process until the lease ends, and nobody else.
package struct LeasedNotification: Sendable {
    package var lease: Lease
    package var app: App.ID
    package var store: Store
    /// nil until its store was asked what it means.
    package var event: StoreEvent?
    /// The events of what was bought together with that one's subscription.
    package var otherEvents: [StoreEvent] = []
    package var signedAt: Date
    package var receivedAt: Date

    package var id: Identifier<ReceivedNotification> { Identifier(lease.id) }
}
