package import Foundation

/// Terms that a store has for some storefronts since a date, beside those for the rest of the world. What it keeps of a charge goes by the
/// charge's own storefront and date; a refund and a correction have the terms of their charge.
package struct StoreTerms: Hashable, Sendable {
    /// Names them in the tens of a rollup cell's dimension: those of the product from 1, those of a catalogue from `ownNumbers`.
    package var number: Int
    package var store: Store
    /// ISO 3166-1 alpha-3, as stores give it.
    package var storefronts: [String]
    /// The beginning of the charges under these terms; nil for always.
    package var since: Date?
    package var share: StoreFee.Share
    /// True if they apply only to sales on iOS and iPadOS, which a transaction does not tell apart.
    package var isForIOSOnly: Bool

    package init(
        number: Int,
        store: Store,
        storefronts: [String],
        since: Date?,
        share: StoreFee.Share,
        isForIOSOnly: Bool = false
    ) {
        (self.number, self.store, self.storefronts, self.since) = (number, store, storefronts, since)
        (self.share, self.isForIOSOnly) = (share, isForIOSOnly)
    }

    /// The number of the terms for the rest of the world, and for before.
    package static let world = 0

    /// The first number of a catalogue's own terms, and how many it can have.
    package static let ownNumbers = 100..<3_000

    /// The product's own table; dates begin at midnight in UTC. The function `usual_store_terms` of the schema has the same storefronts and
    /// dates.
    package static let usual = [
        // Apple's notice of March 13, 2026; on iOS and iPadOS alone.
        StoreTerms(1, ["CHN"], since: 1_773_532_800, firstYear: 2_500, later: 1_200, isForIOSOnly: true),
        // Attachment 14, announced on August 18, 2026: in-app purchases since October 1, 2026.
        StoreTerms(2, european, since: 1_790_812_800, firstYear: 2_600, later: 1_500),
        // 21 % and 5 % of processing; by contract at the latest since March 17, 2026.
        StoreTerms(3, ["JPN"], since: 1_773_705_600, firstYear: 2_600, later: 1_500),
        // As in Japan, by contract at the latest since July 6, 2026.
        StoreTerms(4, ["BRA"], since: 1_783_296_000, firstYear: 2_600, later: 1_500),
    ]

    /// Google's terms for subscriptions that are paid for through Google Play's billing: a service fee of 10 % and a billing fee of 5 %, one
    /// after the other in these storefronts (Android Developers Blog, June 24, 2026, "Expanded billing choice and lower fees on Google
    /// Play"). Together they are what Google keeps everywhere else, 15 %: no charge of ours counts otherwise by them, and neither `usual` nor
    /// the schema's function has them. What is billed elsewhere and linked to is none of Google's charges.
    package static let google = [
        // The United States, the United Kingdom and the European Economic Area.
        StoreTerms(
            5,
            ["USA", "GBR", "ISL", "LIE", "NOR"] + european,
            since: 1_782_777_600,
            firstYear: 1_500,
            later: 1_500,
            store: .google
        ),
        StoreTerms(6, ["AUS"], since: 1_790_726_400, firstYear: 1_500, later: 1_500, store: .google),
        StoreTerms(7, ["JPN", "KOR"], since: 1_798_675_200, firstYear: 1_500, later: 1_500, store: .google),
    ]

    /// The two parts of Google's share under `google`, in basis points: for the service, and for the billing.
    package static let googleParts = (service: 1_000, billing: 500)

    private init(
        _ number: Int,
        _ storefronts: [String],
        since: TimeInterval,
        firstYear: Int,
        later: Int,
        isForIOSOnly: Bool = false,
        store: Store = .apple
    ) {
        self.init(
            number: number,
            store: store,
            storefronts: storefronts,
            since: Date(timeIntervalSince1970: since),
            share: StoreFee.Share(firstYear: firstYear, later: later),
            isForIOSOnly: isForIOSOnly
        )
    }

    /// The storefronts of the European Union.
    private static let european = [
        "AUT", "BEL", "BGR", "HRV", "CYP", "CZE", "DNK", "EST", "FIN", "FRA", "DEU", "GRC", "HUN", "IRL", "ITA", "LVA",
        "LTU", "LUX", "MLT",
        "NLD", "POL", "PRT", "ROU", "SVK", "SVN", "ESP", "SWE",
    ]
}
