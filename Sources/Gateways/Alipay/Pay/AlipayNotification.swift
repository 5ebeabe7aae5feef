package import Billing
package import Foundation

/// A notification of Alipay's about one of our orders, signed for this app and its seller.
///
/// It is a hint: what it says of the order is asked for before anything is granted (payments.md, 0). Alipay sends it up to eight times
/// within 25 hours, until the answer is exactly `success`.
package struct AlipayNotification: Hashable, Sendable {
    /// The same on every delivery.
    package let id: String
    /// `trade_status_sync`
    package let type: String
    package let signedAt: Date
    /// Our number of the order.
    package let number: String
    /// Alipay's own word for the order's state: `TRADE_SUCCESS`.
    package let status: String
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// Somebody has opened the order and not paid.
        case waiting
        case payment(StorePayment)
        /// Some of a payment was given back; the payment is told, too.
        case refund(StoreRefundNotice, of: StorePayment)
        /// It was not paid in time.
        case closed
    }

    /// Reads and verifies what arrived.
    ///
    /// - Parameter body: as it came.
    /// - Throws: what failed first: form, signature, app, seller, content.
    package init(
        _ body: some Collection<UInt8>,
        for app: AlipayConfiguration,
        at now: Date
    ) throws(GatewayError) {
        let form = try AlipaySignedForm(body)
        try form.requireSigned(by: app.keys.signers, mayNameType: false, at: now)
        try self.init(form, for: app)
    }

    /// Reads again what was verified when it came, and kept.
    ///
    /// - Throws: what failed first: app, seller, content.
    init(kept body: some Collection<UInt8>, for app: AlipayConfiguration) throws(GatewayError) {
        try self.init(try AlipaySignedForm(body), for: app)
    }

    private init(_ form: AlipaySignedForm, for app: AlipayConfiguration) throws(GatewayError) {
        try Self.requireOurs(form, app)
        type = try AlipayText.id(try form.required("notify_type"), "notify_type")
        guard type == "trade_status_sync" else {
            throw GatewayError(
                .malformed,
                "Alipay's notification is of a kind that is not taken in.",
                field: "notify_type"
            )
        }
        id = try AlipayText.id(try form.required("notify_id"), "notify_id")
        guard let signedAt = AlipayTime.date(try form.required("notify_time")) else {
            throw GatewayError(.malformed, "notify_time is no time.", field: "notify_time")
        }
        self.signedAt = signedAt
        number = try AlipayText.id(try form.required("out_trade_no"), "out_trade_no")
        let status = try AlipayTrade.status(try form.required("trade_status"))
        self.status = status.rawValue
        content = try Self.content(form, number, status, app)
    }

    /// The app's APPID that a delivery claims to be for; for nothing but the look-up.
    package static func claimedAppID(_ body: some Collection<UInt8>) throws(GatewayError) -> String? {
        try ReceivedForm(body).text("app_id")
    }

    /// The answer that ends Alipay's deliveries, and the one that asks for another.
    package static let accepted = "success"
    package static let refused = "failure"

    private static func requireOurs(_ form: AlipaySignedForm, _ app: AlipayConfiguration) throws(GatewayError) {
        guard try form.required("app_id") == app.appID else {
            throw GatewayError(.wrongApp, "The notification is about another app.", field: "app_id")
        }
        guard let sellerID = app.sellerID else {
            throw GatewayError(
                .misconfigured,
                "The seller's id at Alipay is not set.",
                field: "settings.\(AlipaySetting.sellerID)"
            )
        }
        guard try form.required("seller_id") == sellerID else {
            throw GatewayError(.wrongApp, "The notification is about another seller.", field: "seller_id")
        }
    }

    private static func content(
        _ form: AlipaySignedForm,
        _ number: String,
        _ status: AlipayTrade.Status,
        _ app: AlipayConfiguration
    ) throws(GatewayError) -> Content {
        let isRefund = try isRefund(form)
        switch status {
        case .waiting: return .waiting
        case .closed where !isRefund: return .closed
        case .success, .finished, .closed:
            var payment = try payment(form, number, app)
            guard isRefund else { return .payment(payment) }
            payment.isRefunded = true
            return .refund(
                StoreRefundNotice(
                    orderNumber: number,
                    transactionID: payment.transactionID,
                    number: try form.text("out_biz_no").map { (text) throws(GatewayError) in
                        try AlipayText.id(text, "out_biz_no")
                    },
                    merchantID: app.sellerID,
                    // refund_fee is what was given back of the payment so far, by all refunds.
                    standing: StoreRefundStanding(.succeeded, succeededAt: AlipayTime.date(form.text("gmt_refund")))
                ),
                of: payment
            )
        }
    }

    /// A refund is told by the payment's own notification, with what was given back.
    private static func isRefund(_ form: AlipaySignedForm) throws(GatewayError) -> Bool {
        if let fee = form.text("refund_fee") {
            return try AlipayAmount.money(fee, of: "refund_fee").minorUnits > 0
        }
        return form.text("gmt_refund") != nil
    }

    private static func payment(
        _ form: AlipaySignedForm,
        _ number: String,
        _ app: AlipayConfiguration
    ) throws(GatewayError) -> StorePayment {
        guard let paidAt = AlipayTime.date(form.text("gmt_payment")) else {
            throw GatewayError(.missing, "Alipay does not say when it was paid.", field: "gmt_payment")
        }
        return StorePayment(
            number: number,
            transactionID: try AlipayText.id(try form.required("trade_no"), "trade_no"),
            merchantID: app.sellerID,
            appID: app.appID,
            amount: try AlipayAmount.money(try form.required("total_amount"), of: "total_amount"),
            payerAmount: try form.text("buyer_pay_amount").map { (text) throws(GatewayError) in
                try AlipayAmount.money(text, of: "buyer_pay_amount")
            },
            paidAt: paidAt,
            payer: AlipayText.payer(form.text("buyer_open_id") ?? form.text("buyer_id")),
            bank: AlipayText.channels(form.text("fund_bill_list").map(JSON.string))
        )
    }
}
