package import Foundation

/// A refund that we asked a store to pay, by the store's account.
package struct StoreRefundStanding: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The store is at it (WeChat PROCESSING).
        case processing
        /// The customer has the money.
        case succeeded
        /// It failed, and will not be paid under this number (WeChat CLOSED).
        case closed
        /// The customer's account takes nothing: people have to pay it in another way (WeChat ABNORMAL).
        case abnormal
    }

    package var state: State
    /// The store's number of the refund; nil where it has none (Alipay, Google).
    package var storeID: String?
    /// nil where the store does not say.
    package var amount: Money?
    /// The moment at which the customer had the money; nil before, and where the store does not say.
    package var succeededAt: Date?
    /// The account that received it, in the store's words.
    package var receiver: String?

    package init(
        _ state: State,
        storeID: String? = nil,
        amount: Money? = nil,
        succeededAt: Date? = nil,
        receiver: String? = nil
    ) {
        (self.state, self.storeID, self.amount) = (state, storeID, amount)
        (self.succeededAt, self.receiver) = (succeededAt, receiver)
    }
}

/// A store's message about a refund of one of our orders.
package struct StoreRefundNotice: Hashable, Sendable {
    /// Our number of the order.
    package var orderNumber: String
    /// The store's number of the payment that is given back.
    package var transactionID: String
    /// Our number of the refund (`out_refund_no`, `out_request_no`); nil of one that nobody asked for through us.
    package var number: String?
    package var merchantID: String?
    package var standing: StoreRefundStanding

    package init(
        orderNumber: String,
        transactionID: String,
        number: String?,
        merchantID: String? = nil,
        standing: StoreRefundStanding
    ) {
        (self.orderNumber, self.transactionID, self.number) = (orderNumber, transactionID, number)
        (self.merchantID, self.standing) = (merchantID, standing)
    }
}
