package import Billing

/// A store that pays refunds for us.
package protocol RefundServer: Sendable {
    /// Asks the store to pay. The number is the store's idempotency key: asked again with it, the store pays nothing more.
    ///
    /// - Throws: `.refused` only for a no that the store documents as final for this number. Any other outcome, also an answer that
    ///   cannot be verified, is not known yet: it is asked for under the same number and never taken for a failure.
    func refund(_ refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding

    /// The refund as it stands at the store.
    ///
    /// - Returns: nil where the store says that it does not know the number.
    func standing(of refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding?
}

/// A store that pays a refund to another account where the customer's takes nothing.
package protocol AbnormalRefundServer: RefundServer {
    /// Has the store pay a refund that is abnormal to another account. It is the same refund, under its number, and is paid once.
    ///
    /// - Parameter storeID: the store's own number of the refund.
    /// - Throws: `.refused` where the store says no; any other outcome is not known yet, and is asked for under the refund's number.
    func settleAbnormal(
        _ refund: StoreRefund,
        storeID: String,
        to route: AbnormalRoute
    ) async throws(StoreFailure) -> StoreRefundStanding
}

/// The account that an abnormal refund goes to.
package enum AbnormalRoute: Hashable, Sendable {
    /// The merchant's own bank account; people pay the customer from there.
    case merchant
    /// The customer's bank card, by the bank's word at the store. Account and name are encrypted for the store, and are kept nowhere.
    case customer(bank: String, account: Secret, name: Secret)
}

/// A refund for a store to pay.
package struct StoreRefund: Hashable, Sendable {
    /// Names it at the store, for ever.
    package var number: String
    /// Our number of the order.
    package var orderNumber: String
    /// The store's number of the payment.
    package var transactionID: String
    package var amount: Money
    /// The amount of the whole payment.
    package var total: Money
    /// For the customer.
    package var reason: String
    /// The address for the store's messages about it, where it takes one for each refund.
    package var notificationURL: String?
    /// True if access ends with it, where the store decides about access (Google).
    package var revokes: Bool

    package init(
        number: String,
        orderNumber: String,
        transactionID: String,
        amount: Money,
        total: Money,
        reason: String,
        notificationURL: String? = nil,
        revokes: Bool = true
    ) {
        (self.number, self.orderNumber, self.transactionID) = (number, orderNumber, transactionID)
        (self.amount, self.total, self.reason) = (amount, total, reason)
        (self.notificationURL, self.revokes) = (notificationURL, revokes)
    }
}
