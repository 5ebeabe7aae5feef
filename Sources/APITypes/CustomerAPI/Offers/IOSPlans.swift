/// The plans of an app, and what they cost at the App Store: `GET /ios/plans` (llm-proxy, "Get iOS Plans").
public struct IOSPlans: Resource {
    public var success: Bool
    public var data: Content

    public static let fields = Fields<Self> {
        Field("success", \.success)
        Field("data", \.data)
    }

    public init(plans: [Plan]) {
        success = true
        data = Content(plans: plans)
    }

    /// The list.
    public struct Content: Resource {
        public var plans: [Plan]

        public static let fields = Fields<Self> {
            Field("plans", \.plans, "The plan that everybody has is first.")
        }

        public init(plans: [Plan]) {
            self.plans = plans
        }
    }

    /// One plan.
    public struct Plan: Resource {
        public var plan: String
        public var name: String
        public var products: [Product]

        public static let fields = Fields<Self> {
            Field("plan", \.plan, "In the app's own spelling.")
            Field("name", \.name)
            Field("products", \.products, "What it can be bought as at the App Store, the shortest period first.")
        }

        public init(plan: String, name: String, products: [Product]) {
            self.plan = plan
            self.name = name
            self.products = products
        }
    }

    /// One product of the App Store.
    public struct Product: Resource {
        public var productId: String
        public var name: String
        public var billingPeriod: String
        public var price: Amount?
        public var currency: String?
        public var localizedPrice: String?

        public static let fields = Fields<Self> {
            Field("productId", \.productId, "What StoreKit is asked for.")
            Field("name", \.name)
            Field("billingPeriod", \.billingPeriod, SubscriptionProduct.periods)
            Field(
                "price",
                \.price,
                "The list price; null where the catalogue has none. StoreKit knows the customer's own."
            )
            Field("currency", \.currency, .currencyCode)
            Field("localizedPrice", \.localizedPrice, SubscriptionProduct.localizedPrices)
        }

        public init(
            productId: String,
            name: String,
            billingPeriod: String,
            price: Amount?,
            currency: String?,
            localizedPrice: String?
        ) {
            self.productId = productId
            self.name = name
            self.billingPeriod = billingPeriod
            self.price = price
            self.currency = currency
            self.localizedPrice = localizedPrice
        }
    }
}
