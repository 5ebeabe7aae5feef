/// The calls of WeChat Pay's APIv3, with what is documented of each (payments.md, 1B).
package enum WeChatPayEndpoint: Hashable, Sendable, CaseIterable {
    case native
    case jsapi
    case app
    case h5
    case query
    case close
    case refund
    case refundQuery
    case abnormalRefund
    case tradeBill
    case fundFlowBill
    case billFile
    case certificates

    var method: String {
        switch self {
        case .native, .jsapi, .app, .h5, .close, .refund, .abnormalRefund: "POST"
        case .query, .refundQuery, .tradeBill, .fundFlowBill, .billFile, .certificates: "GET"
        }
    }

    /// True if a success has a body; otherwise it is 204, and empty.
    var answersWithBody: Bool { self != .close }

    /// The errors that stay however often it is asked: its no. Questions have none: that one cannot be answered says nothing of the order.
    package var refusals: Set<WeChatPayErrorCode> {
        switch self {
        case .native, .jsapi, .app, .h5:
            [
                .paramError, .invalidRequest, .orderClosed, .ruleLimit, .tradeError, .accountError, .requestBlocked,
                .openIDMismatch,
            ]
        case .refund, .abnormalRefund:
            [
                .paramError, .invalidRequest, .ruleLimit, .tradeError, .accountError, .userAccountAbnormal,
                .requestBlocked, .invalidTransactionID,
            ]
        case .close: [.paramError]
        case .tradeBill, .fundFlowBill: [.paramError, .invalidRequest]
        case .query, .refundQuery, .billFile, .certificates: []
        }
    }
}
