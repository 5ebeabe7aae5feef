package import Foundation

/// A payment of one of our orders, by the store's account. It grants nothing before merchant, amount and currency are found to be
/// the order's (payments.md, section 0, rule 5).
package struct StorePayment: Hashable, Sendable {
    /// Our number of the order (WeChat, Alipay: `out_trade_no`).
    package var number: String
    /// The store's number of the payment (WeChat `transaction_id`, Alipay `trade_no`).
    package var transactionID: String
    /// The merchant that was paid (WeChat `mchid`, Alipay `seller_id`); nil where the store does not say.
    package var merchantID: String?
    /// The app that it was paid in (WeChat `appid`, Alipay `app_id`); nil where the store does not say.
    package var appID: String?
    /// The order's whole amount, with what the store or a coupon paid.
    package var amount: Money
    /// The part of it that the customer paid; nil where the store does not say.
    package var payerAmount: Money?
    package var paidAt: Date
    /// The payer's id at the store (WeChat openid, Alipay `buyer_open_id` or `buyer_id`).
    package var payer: Secret?
    /// The payer's bank or wallet, in the store's words.
    package var bank: String?
    /// The kind of payment, in the store's words (WeChat `trade_type`).
    package var kind: String?
    /// True once any of it was given back.
    package var isRefunded: Bool
    /// The amount of it that was given back so far; nil where the store does not say: then its refunds tell.
    package var refunded: Money?

    package init(
        number: String,
        transactionID: String,
        merchantID: String? = nil,
        appID: String? = nil,
        amount: Money,
        payerAmount: Money? = nil,
        paidAt: Date,
        payer: Secret? = nil,
        bank: String? = nil,
        kind: String? = nil,
        isRefunded: Bool = false,
        refunded: Money? = nil
    ) {
        (self.number, self.transactionID, self.merchantID, self.appID) = (number, transactionID, merchantID, appID)
        (self.amount, self.payerAmount, self.paidAt, self.payer) = (amount, payerAmount, paidAt, payer)
        (self.bank, self.kind, self.isRefunded, self.refunded) = (bank, kind, isRefunded, refunded)
    }
}
