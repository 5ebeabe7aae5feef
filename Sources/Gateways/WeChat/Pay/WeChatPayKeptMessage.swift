import Billing

/// The text that is kept of a verified notification: its body as it came, and beside it what names the order or the refund. The body alone
/// could not be opened any more once the merchant's APIv3 key is another one.
struct WeChatPayKeptMessage: Hashable, Sendable {
    let body: String
    let subject: Subject

    enum Subject: Hashable, Sendable {
        /// Our number of the order, and the amount that the notification tells.
        case payment(number: String, amount: Money)
        /// Our number of the refund.
        case refund(number: String)
        /// Nothing that is known here.
        case other
    }

    /// - Parameter body: as it came.
    init(_ notification: WeChatPayNotification, body: String) {
        self.body = body
        subject =
            switch notification.content {
            case .payment(let payment): .payment(number: payment.number, amount: payment.amount)
            case .refund(let notice): notice.number.map(Subject.refund) ?? .other
            case .ignored: .other
            }
    }

    /// Reads it again.
    ///
    /// - Throws: `.malformed`, `.missing`.
    init(_ text: String) throws(GatewayError) {
        let fields = try JSONFields(try JSON(parsing: Array(text.utf8)), of: "kept message")
        body = try fields.required("body")
        if let number = try fields.string("out_trade_no") {
            guard let amount = try fields.money("total", in: try fields.currency("currency")) else {
                throw GatewayError(.missing, "The member total is missing.")
            }
            subject = .payment(number: number, amount: amount)
        } else {
            subject = try fields.string("out_refund_no").map(Subject.refund) ?? .other
        }
    }

    var text: String {
        var json: JSON = ["body": .string(body)]
        switch subject {
        case .payment(let number, let amount):
            json["out_trade_no"] = .string(number)
            json["total"] = .integer(amount.minorUnits)
            json["currency"] = .string(amount.currency.code)
        case .refund(let number): json["out_refund_no"] = .string(number)
        case .other: break
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
