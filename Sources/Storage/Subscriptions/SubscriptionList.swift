package import Billing
package import Foundation

/// A page of the list of subscriptions.
package struct SubscriptionList: Sendable {
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
        package var id: Subscription.ID
        package var subscription: Subscription
        package var store: Store
        package var environment: StoreEnvironment
        package var originalTransactionID: String
        /// nil while no transaction has named a product.
        package var productName: String?
        package var planCode: String?
        /// When it began; when we first heard of it, where the store does not say.
        package var startedAt: Date
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
            self.customer = customer
        }
    }
}
