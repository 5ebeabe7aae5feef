package import Billing
package import Foundation

/// The results of the search box of every page, over all apps that the person may see.
package struct SearchResults: Sendable {
    /// The objects that the text names exactly: by a whole number or id.
    package var exact: [Exact]
    package var customers: [AppGroup<CustomerHit>]
    package var orders: [AppGroup<OrderHit>]
    package var refunds: [AppGroup<RefundHit>]
    package var subscriptions: [AppGroup<SubscriptionHit>]
    package var notifications: [AppGroup<NotificationHit>]

    package init(
        exact: [Exact] = [],
        customers: [AppGroup<CustomerHit>] = [],
        orders: [AppGroup<OrderHit>] = [],
        refunds: [AppGroup<RefundHit>] = [],
        subscriptions: [AppGroup<SubscriptionHit>] = [],
        notifications: [AppGroup<NotificationHit>] = []
    ) {
        self.exact = exact
        self.customers = customers
        self.orders = orders
        self.refunds = refunds
        self.subscriptions = subscriptions
        self.notifications = notifications
    }

    /// The number of results of each kind and app on a page.
    package static let shown = 5

    /// The results in one app, newest first.
    package struct AppGroup<Hit: Sendable>: Sendable {
        package var app: FindableApp
        package var hits: [Hit]
        package var hasMore: Bool

        package init(app: FindableApp, hits: [Hit], hasMore: Bool) {
            self.app = app
            self.hits = hits
            self.hasMore = hasMore
        }
    }

    /// One thing that the whole text names.
    package struct Exact: Sendable, Hashable {
        package var app: App.ID
        package var kind: Kind
        /// The key, or the number of an order or of a refund request.
        package var id: String

        package init(app: App.ID, kind: Kind, id: String) {
            self.app = app
            self.kind = kind
            self.id = id
        }

        package enum Kind: String, Sendable {
            case order
            case refund
            case customer
            case subscription
            case notification
        }
    }

    package struct CustomerHit: Sendable {
        package var customer: OrderDetails.Customer
        package var createdAt: Date

        package init(customer: OrderDetails.Customer, createdAt: Date) {
            self.customer = customer
            self.createdAt = createdAt
        }
    }

    package typealias OrderHit = ListedOrder
    package typealias RefundHit = ListedRefund
    package typealias SubscriptionHit = ListedSubscription

    package struct NotificationHit: Sendable {
        package var id: UUID
        package var type: String
        package var subtype: String?
        package var state: NotificationState
        package var receivedAt: Date

        package init(id: UUID, type: String, subtype: String?, state: NotificationState, receivedAt: Date) {
            self.id = id
            self.type = type
            self.subtype = subtype
            self.state = state
            self.receivedAt = receivedAt
        }
    }
}

/// An app that somebody may look for things in.
package struct FindableApp: Sendable, Hashable {
    package var id: App.ID
    package var slug: String
    package var name: String

    package init(id: App.ID, slug: String, name: String) {
        self.id = id
        self.slug = slug
        self.name = name
    }
}
