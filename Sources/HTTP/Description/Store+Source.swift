import Billing

extension Store {
    /// The document's name of it.
    package var source: String {
        switch self {
        case .apple: "APPLE_IAP"
        case .google: "GOOGLE_PLAY"
        case .wechat: "WECHAT_PAY"
        case .alipay: "ALIPAY"
        default: rawValue.uppercased()
        }
    }

    /// The store of that name.
    package init?(source: String) {
        guard let store = Store.allCases.first(where: { $0.source == source }) else { return nil }
        self = store
    }
}
