/// A sign-in provider of customers. The raw values are those of the API and the database (lightgallery's `AuthProvider`).
package enum AuthProvider: String, Hashable, Sendable, Codable, CaseIterable {
    case apple
    case wechat
    case alipay

    /// The store at which the app has its account with the provider.
    package var store: Store {
        switch self {
        case .apple: .apple
        case .wechat: .wechat
        case .alipay: .alipay
        }
    }
}
