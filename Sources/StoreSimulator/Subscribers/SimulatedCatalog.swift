package import Billing

/// An app and its subscriptions, as the simulated App Store knows them.
package struct SimulatedCatalog: Hashable, Sendable {
    package var bundleID: String
    package var appAppleID: Int64
    package var products: [SimulatedProduct]
    /// The country where most of its customers live, as ISO 3166-1 alpha-3.
    package var home: String

    package init(bundleID: String, appAppleID: Int64, products: [SimulatedProduct], home: String = "CHN") {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.products = products
        self.home = home
    }

    /// Readmigo's four subscriptions, in CNY.
    package static let readmigo = SimulatedCatalog(
        bundleID: "com.readmigo.app",
        appAppleID: 1_600_000_001,
        products: [
            SimulatedProduct(
                id: "com.readmigo.pro.monthly",
                group: "readmigo",
                period: BillingPeriod(1, .month),
                priceMilliunits: 18_000,
                currency: "CNY",
                rank: 1,
                hasTrial: false
            ),
            SimulatedProduct(
                id: "com.readmigo.pro.yearly",
                group: "readmigo",
                period: BillingPeriod(1, .year),
                priceMilliunits: 128_000,
                currency: "CNY",
                rank: 1,
                hasTrial: true
            ),
            SimulatedProduct(
                id: "com.readmigo.premium.monthly",
                group: "readmigo",
                period: BillingPeriod(1, .month),
                priceMilliunits: 28_000,
                currency: "CNY",
                rank: 2,
                hasTrial: false
            ),
            SimulatedProduct(
                id: "com.readmigo.premium.yearly",
                group: "readmigo",
                period: BillingPeriod(1, .year),
                priceMilliunits: 198_000,
                currency: "CNY",
                rank: 2,
                hasTrial: true
            ),
        ]
    )

    /// Kombin's subscriptions of a month and of a year, in TRY. Recoveries here come later than a week's end: it sells none of a week.
    package static let kombin = SimulatedCatalog(
        bundleID: "com.kombinapp.app",
        appAppleID: 1_600_000_003,
        products: [
            SimulatedProduct(
                id: "com.kombinapp.premium.monthly",
                group: "kombin",
                period: BillingPeriod(1, .month),
                priceMilliunits: 129_990,
                currency: "TRY",
                rank: 1,
                hasTrial: false
            ),
            SimulatedProduct(
                id: "com.kombinapp.premium.yearly",
                group: "kombin",
                period: BillingPeriod(1, .year),
                priceMilliunits: 999_990,
                currency: "TRY",
                rank: 1,
                hasTrial: true
            ),
        ],
        home: "TUR"
    )

    /// Returns the product of the same length at the next higher rank; nil at the top.
    func upgrade(of product: SimulatedProduct) -> SimulatedProduct? {
        products.filter { $0.group == product.group && $0.period == product.period && $0.rank > product.rank }
            .min { $0.rank < $1.rank }
    }

    /// Returns the product of the same length at the next lower rank; nil at the bottom.
    func downgrade(of product: SimulatedProduct) -> SimulatedProduct? {
        products.filter { $0.group == product.group && $0.period == product.period && $0.rank < product.rank }
            .max { $0.rank < $1.rank }
    }
}

/// A subscription on sale.
package struct SimulatedProduct: Hashable, Sendable {
    package var id: String
    package var group: String
    package var period: BillingPeriod
    /// The price in the app's home storefront, in thousandths of the currency's unit.
    package var priceMilliunits: Int64
    package var currency: String
    /// The plan's rank; higher is better.
    package var rank: Int
    /// True if a first-time subscriber gets seven days free.
    package var hasTrial: Bool

    package init(
        id: String,
        group: String,
        period: BillingPeriod,
        priceMilliunits: Int64,
        currency: String,
        rank: Int,
        hasTrial: Bool
    ) {
        self.id = id
        self.group = group
        self.period = period
        self.priceMilliunits = priceMilliunits
        self.currency = currency
        self.rank = rank
        self.hasTrial = hasTrial
    }
}
