package import Billing
package import Foundation
import Postgres

/// A customer as a list shows them: what they have and what they bought last.
package struct ListedCustomer: Sendable {
    package var customer: OrderDetails.Customer
    package var createdAt: Date
    package var subscriptions: [OrderDetails.CustomerSubscription]
    /// The sources from which the customer's access is derived.
    package var entitlementSources: EntitlementSources?
    /// The code of the plan that everybody of the app has; nil for an app without plans.
    package var basePlan: String?
    package var lastOrder: LastOrder?
    package var hasRefunds: Bool
    /// True if they bought in the sandbox alone: no production metric counts them.
    package var isOnlyInSandbox: Bool

    package init(
        customer: OrderDetails.Customer,
        createdAt: Date,
        subscriptions: [OrderDetails.CustomerSubscription],
        entitlementSources: EntitlementSources? = nil,
        lastOrder: LastOrder?,
        hasRefunds: Bool,
        isOnlyInSandbox: Bool = false
    ) {
        self.customer = customer
        self.createdAt = createdAt
        self.subscriptions = subscriptions
        self.entitlementSources = entitlementSources
        self.lastOrder = lastOrder
        self.hasRefunds = hasRefunds
        self.isOnlyInSandbox = isOnlyInSandbox
    }

    /// True if a customer bought in the sandbox alone, as `seen_in` of the schema defines it.
    ///
    /// - Parameter customer: the customer's key.
    static func isOnlyInSandbox(_ customer: Query) -> Query {
        func buys(_ environment: StoreEnvironment) -> Query {
            "EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = \(customer) AND s.environment = \(environment))"
        }
        return "(\(buys(.sandbox)) AND NOT \(buys(.production)))"
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
