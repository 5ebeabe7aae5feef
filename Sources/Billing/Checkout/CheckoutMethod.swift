/// A way to pay an order that our server opens at a store. Raw values are what the database and the API have (lightgallery document,
/// payment methods).
package enum CheckoutMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// A QR code that the customer scans with WeChat.
    case wechatNative = "wechat_native"
    /// Inside WeChat: an official account's page or a mini program. Needs the payer's openid.
    case wechatJSAPI = "wechat_jsapi"
    /// From an app, by WeChat's SDK.
    case wechatApp = "wechat_app"
    /// From a browser on a phone, which opens WeChat. Needs the payer's address.
    case wechatH5 = "wechat_h5"
    /// Alipay's page in a desktop browser.
    case alipayPage = "alipay_page"
    /// Alipay's page in a browser on a phone.
    case alipayWap = "alipay_wap"
    /// From an app, by Alipay's SDK.
    case alipayApp = "alipay_app"
    /// A QR code that the customer scans with Alipay.
    case alipayQR = "alipay_qr"

    package var store: Store {
        switch self {
        case .wechatNative, .wechatJSAPI, .wechatApp, .wechatH5: .wechat
        case .alipayPage, .alipayWap, .alipayApp, .alipayQR: .alipay
        }
    }

    /// Seconds for which the address that a store gives for the payment works (WeChat: H5, payments.md, 1B); nil where it works as long as
    /// the order can be paid.
    package var linkLifetime: Double? { self == .wechatH5 ? 300 : nil }

    /// True where our server alone signs all that a client needs to pay, with the time, of which the store takes it for a few minutes
    /// (payments.md, 1C): it is signed anew whenever it is shown.
    package var isSignedWhenShown: Bool {
        switch self {
        case .alipayPage, .alipayWap, .alipayApp: true
        case .alipayQR, .wechatNative, .wechatJSAPI, .wechatApp, .wechatH5: false
        }
    }

    /// The currency of its orders: both stores take yuan alone (payments.md, 1B and 1C).
    package var currency: Currency { Currency("CNY") ?? .unknown }
}
