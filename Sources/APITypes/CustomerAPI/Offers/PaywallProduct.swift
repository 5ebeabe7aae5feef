/// Something that a paywall sells (kombin, "SubscriptionPlan", whose names the first six fields have).
public struct PaywallProduct: Resource {
    public var id: String
    public var name: String
    public var price: String?
    public var duration: String?
    public var features: [String]
    public var isRecommended: Bool
    public var plan: String
    public var planName: String
    public var paymentMethod: String
    public var billingPeriod: String
    public var amount: Amount?
    public var currency: String?
    public var trial: PaywallTrial?
    public var saving: PaywallSaving?

    public static let fields = Fields<Self> {
        Field("id", \.id, "The store's product identifier.")
        Field("name", \.name, "In the catalogue.")
        Field(
            "price",
            \.price,
            """
            For a page: `¥128/年`, `$9.99/month`, `₺49,99/ay`; null where the catalogue has no list price. The store knows the \
            customer's own.
            """
        )
        Field("duration", \.duration, "For a page: `1 month`, `1 ay`, `1个月`; null for what has no end.")
        Field("features", \.features, "The benefits of its plan, for a page.")
        Field("isRecommended", \.isRecommended, "What to highlight: at most one of each store.")
        Field("plan", \.plan, "In the app's own spelling.")
        Field("planName", \.planName)
        Field(
            "paymentMethod",
            \.paymentMethod,
            "Where it is bought. Values may be added.",
            .oneOf(Vocabulary.paymentMethods)
        )
        Field("billingPeriod", \.billingPeriod, SubscriptionProduct.periods)
        Field("amount", \.amount, "The list price; null where the catalogue has none.")
        Field("currency", \.currency, .currencyCode)
        Field(
            "trial",
            \.trial,
            "What the catalogue gives for nothing at first; null for nothing. Whether the customer may still have it is another call's."
        )
        Field(
            "saving",
            \.saving,
            "Against paying the same plan by the month at the same store; null where there is no such price, and for no saving."
        )
    }

    public init(
        id: String,
        name: String,
        price: String?,
        duration: String?,
        features: [String],
        isRecommended: Bool,
        plan: String,
        planName: String,
        paymentMethod: String,
        billingPeriod: String,
        amount: Amount?,
        currency: String?,
        trial: PaywallTrial?,
        saving: PaywallSaving?
    ) {
        (self.id, self.name, self.price, self.duration) = (id, name, price, duration)
        (self.features, self.isRecommended) = (features, isRecommended)
        (self.plan, self.planName, self.paymentMethod) = (plan, planName, paymentMethod)
        (self.billingPeriod, self.amount, self.currency) = (billingPeriod, amount, currency)
        (self.trial, self.saving) = (trial, saving)
    }
}

/// The free trial of a product.
public struct PaywallTrial: Resource {
    public var period: String
    public var text: String

    public static let fields = Fields<Self> {
        Field("period", \.period, "A duration of ISO 8601: `P7D`.")
        Field("text", \.text, "For a page: `7 days free`, `7 gün ücretsiz`, `免费试用7天`.")
    }

    public init(period: String, text: String) {
        (self.period, self.text) = (period, text)
    }
}

/// The saving of a longer period.
public struct PaywallSaving: Resource {
    public var percent: Int
    public var amount: Amount
    public var currency: String
    public var comparedTo: String
    public var text: String

    public static let fields = Fields<Self> {
        Field("percent", \.percent, "Rounded down.", .range(1, 100))
        Field("amount", \.amount, "In each period.")
        Field("currency", \.currency, .currencyCode)
        Field("comparedTo", \.comparedTo, "The store's identifier of the product that is paid by the month.")
        Field("text", \.text, "For a page: `Save 36%`, `%36 tasarruf`, `节省36%`.")
    }

    public init(percent: Int, amount: Amount, currency: String, comparedTo: String, text: String) {
        (self.percent, self.amount, self.currency) = (percent, amount, currency)
        (self.comparedTo, self.text) = (comparedTo, text)
    }
}
