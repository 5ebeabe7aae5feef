import Billing
import Foundation

/// An order by WeChat Pay's account: the answer to a query, and what a notification of a payment carries.
struct WeChatPayTransaction {
    let number: String
    let merchantID: String
    let standing: CheckoutStanding

    /// - Throws: `.malformed`, `.missing`; also for a state that is not known here.
    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "transaction")
        number = try fields.required("out_trade_no")
        merchantID = try fields.required("mchid")
        standing =
            switch try fields.required("trade_state") {
            case "SUCCESS": .paid(try Self.payment(fields, number, merchantID, isRefunded: false))
            case "REFUND": .paid(try Self.payment(fields, number, merchantID, isRefunded: true))
            // A payment by code that failed, and of which another may come: only closing ends it.
            case "NOTPAY", "PAYERROR": .open
            case "USERPAYING": .paying
            case "CLOSED", "REVOKED": .closed(nil)
            default: throw GatewayError(.malformed, "The state of the order is none that is known here.")
            }
    }

    private static func payment(
        _ fields: JSONFields,
        _ number: String,
        _ merchantID: String,
        isRefunded: Bool
    ) throws(GatewayError) -> StorePayment {
        guard let amounts = try fields.object("amount", as: "amount") else {
            throw GatewayError(.missing, "The member amount is missing.")
        }
        guard let total = try amounts.money("total", in: try amounts.currency("currency")) else {
            throw GatewayError(.missing, "The member total is missing.")
        }
        guard let paidAt = try fields.moment("success_time") else {
            throw GatewayError(.missing, "The member success_time is missing.")
        }
        return StorePayment(
            number: number,
            transactionID: try fields.requiredNumber("transaction_id"),
            merchantID: merchantID,
            appID: try fields.string("appid"),
            amount: total,
            payerAmount: try amounts.money("payer_total", in: try amounts.currency("payer_currency")),
            paidAt: paidAt,
            payer: fields.unneeded { fields throws(GatewayError) in
                ProviderText.subject(try fields.object("payer", as: "payer")?.string("openid")).map { Secret($0) }
            },
            bank: fields.unneeded { fields throws(GatewayError) in
                WeChatPayText.word(try fields.string("bank_type"))
            },
            kind: fields.unneeded { fields throws(GatewayError) in
                WeChatPayText.word(try fields.string("trade_type"))
            },
            isRefunded: isRefunded
        )
    }
}
