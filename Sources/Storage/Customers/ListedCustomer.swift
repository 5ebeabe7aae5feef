package import Billing
package import Foundation

/// A customer as a list shows them: what they have and what they bought last.
package struct ListedCustomer: Sendable {
    package var customer: OrderDetails.Customer
    package var createdAt: Date
    package var subscriptions: [OrderDetails.CustomerSubscription]
    /// What they may use is derived from these.
    package var entitlementSources: EntitlementSources?
    package var lastOrder: LastOrder?
    package var hasRefunds: Bool

    package init(
        customer: OrderDetails.Customer,
        createdAt: Date,
        subscriptions: [OrderDetails.CustomerSubscription],
        entitlementSources: EntitlementSources? = nil,
        lastOrder: LastOrder?,
        hasRefunds: Bool
    ) {
        self.customer = customer
        self.createdAt = createdAt
        self.subscriptions = subscriptions
        self.entitlementSources = entitlementSources
        self.lastOrder = lastOrder
        self.hasRefunds = hasRefunds
    }

    package struct LastOrder: Sendable {
        package var number: String
        package var purchasedAt: Date
        package var store: Store

        package init(number: String, purchasedAt: Date, store: Store) {
            self.number = number
            self.purchasedAt = purchasedAt
            self.store = store
        }
    }
}
