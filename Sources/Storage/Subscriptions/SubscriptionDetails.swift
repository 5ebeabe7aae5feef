package import Billing
package import Foundation

/// Everything that the page of one subscription shows.
package struct SubscriptionDetails: Sendable {
    package var row: ListedSubscription
    /// Its access, and the next renewal.
    package var held: OrderDetails.CustomerSubscription
    package var trialEndsAt: Date?
    /// Somebody else pays: it is shared by family, or a seat that was assigned.
    package var isFamilyShared: Bool
    package var storeProductID: String?
    package var lastSignedAt: Date?
    /// The store's events, newest first.
    package var events: [Event]
    /// Newest first; each is for one paid period.
    package var orders: [OrderDetails.SubscriptionOrder]
    /// Newest first.
    package var notifications: [OrderDetails.Notification]

    package init(
        row: ListedSubscription,
        held: OrderDetails.CustomerSubscription,
        trialEndsAt: Date?,
        isFamilyShared: Bool,
        storeProductID: String?,
        lastSignedAt: Date?,
        events: [Event],
        orders: [OrderDetails.SubscriptionOrder],
        notifications: [OrderDetails.Notification]
    ) {
        self.row = row
        self.held = held
        self.trialEndsAt = trialEndsAt
        self.isFamilyShared = isFamilyShared
        self.storeProductID = storeProductID
        self.lastSignedAt = lastSignedAt
        self.events = events
        self.orders = orders
        self.notifications = notifications
    }

    package struct Event: Sendable {
        package var source: EventSource
        package var kind: StoreEvent.Kind
        package var before: Subscription.State
        package var after: Subscription.State
        package var rejectionReason: String?
        package var signedAt: Date
        package var recordedAt: Date
        package var notification: UUID?

        package init(
            source: EventSource = .notification,
            kind: StoreEvent.Kind,
            before: Subscription.State,
            after: Subscription.State,
            rejectionReason: String? = nil,
            signedAt: Date,
            recordedAt: Date,
            notification: UUID? = nil
        ) {
            self.source = source
            self.kind = kind
            self.before = before
            self.after = after
            self.rejectionReason = rejectionReason
            self.signedAt = signedAt
            self.recordedAt = recordedAt
            self.notification = notification
        }
    }
}
