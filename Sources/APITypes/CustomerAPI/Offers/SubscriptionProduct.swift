/// Something that can be bought: `GET /api/v1/subscription/products` (lightgallery, "SubscriptionProduct").
public struct SubscriptionProduct: Resource {
    public var id: String
    public var tier: String
    public var billingPeriod: String
    public var price: Amount
    public var currency: String
    public var localizedPrice: String
    public var localizedDescription: String

    public static let fields = Fields<Self> {
        Field("id", \.id, "The store's product identifier.")
        Field("tier", \.tier, "The plan, in the app's own spelling.")
        Field("billingPeriod", \.billingPeriod, periods)
        Field("price", \.price, "The list price.")
        Field("currency", \.currency, .currencyCode)
        Field("localizedPrice", \.localizedPrice, localizedPrices)
        Field("localizedDescription", \.localizedDescription, "The product's name in the catalogue.")
    }

    static let periods = """
        `daily`, `weekly`, `monthly`, `yearly`; `every_3_months` and the like for others; `lifetime` for what has no end. Values may \
        be added.
        """
    static let localizedPrices =
        "For a page, in the language that `Accept-Language` asks for: `¥128/年`, `$9.99/month`, `₺49,99/ay`."

    public init(
        id: String,
        tier: String,
        billingPeriod: String,
        price: Amount,
        currency: String,
        localizedPrice: String,
        localizedDescription: String
    ) {
        self.id = id
        self.tier = tier
        self.billingPeriod = billingPeriod
        self.price = price
        self.currency = currency
        self.localizedPrice = localizedPrice
        self.localizedDescription = localizedDescription
    }
}
