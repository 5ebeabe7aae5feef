/// The calls of Alipay's OpenAPI about payments, with what identifies the products that they sell.
///
/// `alipay.trade.cancel` is not among them: of an order that was paid meanwhile it gives the money back.
enum AlipayCall: Hashable, Sendable, CaseIterable {
    /// A QR code.
    case precreate
    /// Alipay's page in a desktop browser, which takes the signed parameters there itself.
    case page
    /// The same in a browser on a phone.
    case wap
    /// The same by Alipay's SDK in an app.
    case app
    case query
    case close
    case refund
    case refundQuery
    case billAddress

    var method: String {
        switch self {
        case .precreate: "alipay.trade.precreate"
        case .page: "alipay.trade.page.pay"
        case .wap: "alipay.trade.wap.pay"
        case .app: "alipay.trade.app.pay"
        case .query: "alipay.trade.query"
        case .close: "alipay.trade.close"
        case .refund: "alipay.trade.refund"
        case .refundQuery: "alipay.trade.fastpay.refund.query"
        case .billAddress: "alipay.data.dataservice.bill.downloadurl.query"
        }
    }

    /// nil of a call that opens nothing.
    var productCode: String? {
        switch self {
        case .precreate: "FACE_TO_FACE_PAYMENT"
        case .page: "FAST_INSTANT_TRADE_PAY"
        case .wap: "QUICK_WAP_WAY"
        case .app: "QUICK_MSECURITY_PAY"
        case .query, .close, .refund, .refundQuery, .billAddress: nil
        }
    }
}
