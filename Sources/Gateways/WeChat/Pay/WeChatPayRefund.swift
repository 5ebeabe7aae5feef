import Billing
import Foundation

/// A refund by WeChat Pay's account: the answer to a request and to a query (`status`), and what a notification carries
/// (`refund_status`).
struct WeChatPayRefund {
    /// Our number of the refund.
    let number: String
    let orderNumber: String
    let transactionID: String
    let standing: StoreRefundStanding

    /// - Parameter state: the member that has the state.
    /// - Throws: `.malformed`, `.missing`; also for a state that is not known here.
    init(_ json: JSON, state: StaticString) throws(GatewayError) {
        let fields = try JSONFields(json, of: "refund")
        number = try fields.required("out_refund_no")
        orderNumber = try fields.required("out_trade_no")
        transactionID = try fields.requiredNumber("transaction_id")
        let known: StoreRefundStanding.State =
            switch try fields.required(state) {
            case "SUCCESS": .succeeded
            case "CLOSED": .closed
            case "PROCESSING": .processing
            case "ABNORMAL": .abnormal
            default: throw GatewayError(.malformed, "The state of the refund is none that is known here.")
            }
        let amounts = try fields.object("amount", as: "amount")
        standing = StoreRefundStanding(
            known,
            storeID: try fields.requiredNumber("refund_id"),
            amount: try amounts?.money("refund", in: try amounts?.currency("currency") ?? .unknown),
            succeededAt: try fields.moment("success_time"),
            receiver: fields.unneeded { fields throws(GatewayError) in
                WeChatPayText.word(try fields.string("user_received_account"), atMost: 100)
            }
        )
    }
}
