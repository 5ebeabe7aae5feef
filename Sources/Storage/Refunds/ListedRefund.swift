package import Billing
package import Foundation

/// A refund request as the queue shows it.
package struct ListedRefund: Sendable {
    package var request: RefundRequest
    /// The moment that the list is sorted by: the store's deadline, else the end by itself.
    package var dueAt: Date
    /// The requested amount in minor units of the app's reporting currency, at the rate of the day: the sort key of amounts. -1
    /// without a rate.
    package var worth: Int64
    package var orderNumber: String
    package var store: Store
    package var environment: StoreEnvironment
    package var productName: String
    package var customerKey: String
    /// Never there without the right to see personal data.
    package var customerName: Personal<String>?
    package var requesterName: String?
    /// The state of its payment by the store; nil where people pay.
    package var payout: RefundPayout.State?
    /// Nobody asked for it through us: the store told of it.
    package var isUnasked: Bool

    package init(
        request: RefundRequest,
        dueAt: Date,
        worth: Int64,
        orderNumber: String,
        store: Store,
        environment: StoreEnvironment,
        productName: String,
        customerKey: String,
        customerName: Personal<String>?,
        requesterName: String?,
        payout: RefundPayout.State? = nil,
        isUnasked: Bool = false
    ) {
        self.request = request
        self.dueAt = dueAt
        self.worth = worth
        self.orderNumber = orderNumber
        self.store = store
        self.environment = environment
        self.productName = productName
        self.customerKey = customerKey
        self.customerName = customerName
        self.requesterName = requesterName
        (self.payout, self.isUnasked) = (payout, isUnasked)
    }
}
