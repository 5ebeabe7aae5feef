/// A country's App Store and its money.
package struct SimulatedStorefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3.
    package var country: String
    package var id: String
    package var currency: String
    /// The worth of one CNY in this currency, in thousandths; only roughly right, for prices that look real.
    private var rate: Int64
    /// Prices are `charm` below a multiple of this; both are in thousandths of the currency's unit.
    private var step: Int64
    private var charm: Int64

    /// All storefronts, with their share of customers in percent.
    static let weighted: [(weight: Int, storefront: SimulatedStorefront)] = [
        (84, SimulatedStorefront(country: "CHN", id: "143465", currency: "CNY", rate: 1_000, step: 1_000, charm: 0)),
        (4, SimulatedStorefront(country: "TUR", id: "143480", currency: "TRY", rate: 4_800, step: 10_000, charm: 10)),
        (4, SimulatedStorefront(country: "USA", id: "143441", currency: "USD", rate: 140, step: 1_000, charm: 10)),
        (3, SimulatedStorefront(country: "DEU", id: "143443", currency: "EUR", rate: 130, step: 1_000, charm: 10)),
        (3, SimulatedStorefront(country: "GBR", id: "143444", currency: "GBP", rate: 110, step: 1_000, charm: 10)),
        (2, SimulatedStorefront(country: "JPN", id: "143462", currency: "JPY", rate: 21_000, step: 100_000, charm: 0)),
    ]

    /// Returns the storefronts of an app whose customers mostly live in a country: it and China change places.
    static func weighted(home: String) -> [(weight: Int, item: SimulatedStorefront)] {
        let shares = Dictionary(uniqueKeysWithValues: weighted.map { ($0.storefront.country, $0.weight) })
        return weighted.map { share, storefront in
            let place =
                switch storefront.country {
                case home: "CHN"
                case "CHN": home
                default: storefront.country
                }
            return (shares[place] ?? share, storefront)
        }
    }

    /// Returns the price here, in thousandths of this currency's unit; the home price where the currency is the product's own.
    func price(of product: SimulatedProduct) -> Int64 {
        guard currency != product.currency else { return product.priceMilliunits }
        let home = Self.weighted.first { $0.storefront.currency == product.currency }?.storefront.rate ?? 1_000
        let converted = product.priceMilliunits * rate / home
        return (converted + step - 1) / step * step - charm
    }
}
