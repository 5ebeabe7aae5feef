/// The share that a store keeps of a charge, in basis points (15 % = 1500). Proceeds computed with it are an estimate: the store's
/// own report decides (metrics.md, "proceeds").
package struct StoreFee: Hashable, Sendable {
    /// While the subscriber is in the first year of paid service.
    package var firstYear: Int
    /// After it.
    package var later: Int

    package init(firstYear: Int, later: Int) {
        (self.firstYear, self.later) = (firstYear, later)
    }

    /// What a store takes where the app's catalogue says nothing: Apple's standard terms, Google's terms for subscriptions, the
    /// payment services' 0.6 %, and nothing for a store that is not known here.
    package static func standard(at store: Store) -> StoreFee {
        switch store {
        case .apple: StoreFee(firstYear: 3_000, later: 1_500)
        case .google: StoreFee(firstYear: 1_500, later: 1_500)
        case .wechat, .alipay: StoreFee(firstYear: 60, later: 60)
        default: StoreFee(firstYear: 0, later: 0)
        }
    }
}
