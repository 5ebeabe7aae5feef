package import Billing
package import Foundation

/// A page of the list of customers.
package struct CustomerList: Sendable {
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

    /// One customer, what they have and what they bought last.
    package struct Row: Sendable {
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
