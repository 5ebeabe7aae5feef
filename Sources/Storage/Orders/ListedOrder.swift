package import Billing
package import Foundation

/// An order as a list shows it, and whose it is.
package struct ListedOrder: Sendable {
    package var id: UUID
    package var number: String
    package var status: OrderStatus
    package var store: Store
    package var environment: StoreEnvironment
    package var productName: String
    package var planCode: String
    /// nil, as its currency, while the store has not said what was charged.
    package var amount: Int64?
    package var currency: Currency?
    /// In minor units of what the app reports in, at the rate of the day: by it amounts are sorted. -1 without a rate.
    package var worth: Int64
    package var purchasedAt: Date
    package var customerID: Customer.ID
    package var customerKey: String
    /// nil when unknown or not for the viewer's eyes.
    package var customerName: Personal<String>?
    package var customerEmail: Personal<String>?

    package init(
        id: UUID,
        number: String,
        status: OrderStatus,
        store: Store,
        environment: StoreEnvironment,
        productName: String,
        planCode: String,
        amount: Int64?,
        currency: Currency?,
        worth: Int64,
        purchasedAt: Date,
        customerID: Customer.ID,
        customerKey: String,
        customerName: Personal<String>?,
        customerEmail: Personal<String>?
    ) {
        self.id = id
        self.number = number
        self.status = status
        self.store = store
        self.environment = environment
        self.productName = productName
        self.planCode = planCode
        self.amount = amount
        self.currency = currency
        self.worth = worth
        self.purchasedAt = purchasedAt
        self.customerID = customerID
        self.customerKey = customerKey
        self.customerName = customerName
        self.customerEmail = customerEmail
    }
}
