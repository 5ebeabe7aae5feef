package import Billing
package import Foundation

/// A subscription as a list shows it.
package struct ListedSubscription: Sendable {
    package var id: Subscription.ID
    package var subscription: Subscription
    package var store: Store
    package var environment: StoreEnvironment
    package var originalTransactionID: String
    /// nil while no transaction has named a product.
    package var productName: String?
    package var planCode: String?
    /// The time at which it began, or became known here where the store does not say.
    package var startedAt: Date
    package var trialStartedAt: Date?
    package var trialEndsAt: Date?
    /// The time at which it became known here.
    package var createdAt: Date
    /// The time of the last news about it.
    package var updatedAt: Date
    /// A seat that somebody else pays for.
    package var isAssigned: Bool
    /// nil for what is not sold by seats.
    package var seats: SeatCounts?
    package var customer: OrderDetails.Customer

    package init(
        id: Subscription.ID,
        subscription: Subscription,
        store: Store,
        environment: StoreEnvironment,
        originalTransactionID: String,
        productName: String?,
        planCode: String?,
        startedAt: Date,
        trialStartedAt: Date? = nil,
        trialEndsAt: Date? = nil,
        createdAt: Date,
        updatedAt: Date,
        isAssigned: Bool = false,
        seats: SeatCounts? = nil,
        customer: OrderDetails.Customer
    ) {
        self.id = id
        self.subscription = subscription
        self.store = store
        self.environment = environment
        self.originalTransactionID = originalTransactionID
        self.productName = productName
        self.planCode = planCode
        self.startedAt = startedAt
        self.trialStartedAt = trialStartedAt
        self.trialEndsAt = trialEndsAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.isAssigned = isAssigned
        self.seats = seats
        self.customer = customer
    }
}
