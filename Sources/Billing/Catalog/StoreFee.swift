/// The share that a store keeps of an app's charges. Proceeds computed with it are an estimate: the store's own report decides
/// (metrics.md, "proceeds").
package struct StoreFee: Hashable, Sendable {
    /// The share of all charges by the app's catalogue, in every storefront; nil where the store's usual terms hold (`StoreTerms`).
    package var share: Share?
    /// The catalogue's own terms of some storefronts, by storefront and date. No others hold for a storefront that is named.
    package var storefronts: [StoreTerms]
    /// True if the app is sold on iOS and iPadOS alone, which some terms ask for.
    package var isOnIOSOnly: Bool

    package init(share: Share? = nil, storefronts: [StoreTerms] = [], isOnIOSOnly: Bool = false) {
        (self.share, self.storefronts, self.isOnIOSOnly) = (share, storefronts, isOnIOSOnly)
    }

    package init(firstYear: Int, later: Int) {
        self.init(share: Share(firstYear: firstYear, later: later))
    }

    /// In basis points (15 % = 1500).
    package struct Share: Hashable, Sendable {
        /// While the subscriber is in the first year of paid service.
        package var firstYear: Int
        /// After it.
        package var later: Int

        package init(firstYear: Int, later: Int) {
            (self.firstYear, self.later) = (firstYear, later)
        }

        /// - Parameter paidDays: days of paid service before the charge.
        package func basisPoints(after paidDays: Int) -> Int { paidDays < StoreFee.yearOfService ? firstYear : later }

        /// The share of charges that no terms of a storefront are for: Apple's standard terms, Google's terms for
        /// subscriptions, the payment services' 0.6 %, and nothing for a store that is not known here.
        package static func standard(at store: Store) -> Share {
            switch store {
            case .apple: Share(firstYear: 3_000, later: 1_500)
            case .google: Share(firstYear: 1_500, later: 1_500)
            case .wechat, .alipay: Share(firstYear: 60, later: 60)
            default: Share(firstYear: 0, later: 0)
            }
        }
    }

    /// The first year's days of paid service.
    package static let yearOfService = 365

    /// The share of charges under some terms.
    ///
    /// - Parameter terms: their number; that of none is `StoreTerms.world`.
    package func share(under terms: Int, at store: Store) -> Share {
        if let own = storefronts.first(where: { $0.number == terms }) { return own.share }
        if let share { return share }
        guard let usual = usualTerms(terms, at: store) else { return .standard(at: store) }
        return usual.share
    }

    /// True if the store's terms for the rest of the world hold, because there are none for the charge's storefront.
    package func isOfWorld(_ terms: Int, at store: Store) -> Bool {
        !storefronts.contains { $0.number == terms } && (share != nil || usualTerms(terms, at: store) == nil)
    }

    private func usualTerms(_ number: Int, at store: Store) -> StoreTerms? {
        StoreTerms.usual.first { $0.number == number && $0.store == store && (isOnIOSOnly || !$0.isForIOSOnly) }
    }
}
