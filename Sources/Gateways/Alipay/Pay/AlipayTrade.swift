import Billing
import Foundation

/// An order as Alipay tells it: in the answer to a query, and in a notification.
struct AlipayTrade {
    let number: String
    let transactionID: String
    let status: Status
    /// nil before it was paid.
    let payment: StorePayment?

    /// Alipay's own states. They go downwards only.
    enum Status: String, Hashable, Sendable, CaseIterable {
        /// Somebody has opened it and not paid. Can transition to all others.
        case waiting = "WAIT_BUYER_PAY"
        /// Paid, and refunds are possible. Stays so after a refund of a part. Can transition to `finished`, and to `closed` by a refund of
        /// the whole.
        case success = "TRADE_SUCCESS"
        /// Paid, and the time for refunds is over.
        case finished = "TRADE_FINISHED"
        /// Never paid, or wholly given back.
        case closed = "TRADE_CLOSED"
    }

    /// Reads the answer to a query.
    ///
    /// - Throws: `.malformed` and `.missing`, also of an answer about another order.
    init(_ fields: JSONFields, of number: String, for app: AlipayConfiguration) throws(GatewayError) {
        guard try fields.required("out_trade_no") == number else {
            throw GatewayError(.malformed, "Alipay's answer is about another order.", field: "out_trade_no")
        }
        self.number = number
        transactionID = try AlipayText.id(try fields.required("trade_no"), "trade_no")
        status = try Self.status(try fields.required("trade_status"))
        let (sentAt, otherwise) = (try fields.string("send_pay_date"), try fields.string("gmt_payment"))
        let paidAt = AlipayTime.date(sentAt ?? otherwise)
        guard let paidAt else {
            guard status == .waiting || status == .closed else {
                throw GatewayError(.missing, "Alipay does not say when it was paid.", field: "send_pay_date")
            }
            payment = nil
            return
        }
        guard status != .waiting else {
            payment = nil
            return
        }
        let currency = try fields.string("trans_currency").flatMap { Currency($0) } ?? AlipayAmount.currency
        let total = try AlipayAmount.money(try fields.required("total_amount"), of: "total_amount", in: currency)
        payment = StorePayment(
            number: number,
            transactionID: transactionID,
            appID: app.appID,
            amount: total,
            payerAmount: try fields.string("buyer_pay_amount").map { (text) throws(GatewayError) in
                try AlipayAmount.money(text, of: "buyer_pay_amount", in: currency)
            },
            paidAt: paidAt,
            payer: AlipayText.payer(
                fields.unneeded { (fields) throws(GatewayError) in try fields.string("buyer_open_id") }
                    ?? fields.unneeded { (fields) throws(GatewayError) in try fields.string("buyer_user_id") }
            ),
            bank: AlipayText.channels(fields.value("fund_bill_list")),
            isRefunded: status == .closed,
            // A trade that was paid is closed when all of it is back; of a part that is back the query says nothing.
            refunded: status == .closed ? total : nil
        )
    }

    var standing: CheckoutStanding {
        switch status {
        case .waiting: .open
        case .success, .finished: payment.map(CheckoutStanding.paid) ?? .open
        case .closed: .closed(payment)
        }
    }

    static func status(_ text: String) throws(GatewayError) -> Status {
        guard let status = Status(rawValue: text) else {
            throw GatewayError(.malformed, "Alipay tells of a state that is not known here.", field: "trade_status")
        }
        return status
    }
}

/// Texts of Alipay's, within bounds.
enum AlipayText {
    /// A number of Alipay's, which ends in lists, files and addresses.
    ///
    /// - Throws: `.malformed`.
    static func id(_ text: String, _ field: String) throws(GatewayError) -> String {
        guard text.wholeMatch(of: /[A-Za-z0-9_.-]{1,64}/) != nil else {
            throw GatewayError(.malformed, "\(field) is no number.", field: field)
        }
        return text
    }

    static func payer(_ text: String?) -> Secret? { ProviderText.subject(text).map { Secret($0) } }

    /// With what it was paid, in Alipay's words: `ALIPAYACCOUNT, PCREDIT`. A list, or one as text.
    static func channels(_ value: JSON?) -> String? {
        var value = value
        if case .string(let text)? = value { value = try? JSON(parsing: Array(text.utf8)) }
        guard case .array(let bills)? = value else { return nil }
        let names = bills.prefix(10).compactMap { ($0["fund_channel"] ?? $0["fundChannel"])?.string }
            .filter { $0.wholeMatch(of: /[A-Za-z0-9_]{1,40}/) != nil }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
