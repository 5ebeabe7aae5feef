/// An app's offers to a customer: `GET /paywall` (kombin, "PaywallView Design"). Texts are in the language that `Accept-Language` asks for.
public struct Paywall: Resource {
    public var app: String
    public var title: String?
    public var headline: String?
    public var subscribe: String?
    public var termsUrl: String?
    public var privacyUrl: String?
    public var plans: [PaywallPlan]
    public var products: [PaywallProduct]
    public var locked: [LockedFeature]
    public var customer: CustomerEntitlement?

    public static let fields = Fields<Self> {
        Field("app", \.app, "Its slug.")
        Field("title", \.title, "null where the catalogue has none; the same of the four below.")
        Field("headline", \.headline, "The line under the title.")
        Field("subscribe", \.subscribe, "What the button says that buys.")
        Field("termsUrl", \.termsUrl)
        Field("privacyUrl", \.privacyUrl)
        Field("plans", \.plans, "All plans by rank, with what each includes: what a comparison is made of.")
        Field("products", \.products, "What can be bought, by rank of the plan, the shortest period first.")
        Field(
            "locked",
            \.locked,
            "What the customer cannot use now and a plan opens; without a token, of the plan that everybody has."
        )
        Field("customer", \.customer, "What the customer has now; null without a token.")
    }

    public init(
        app: String,
        title: String?,
        headline: String?,
        subscribe: String?,
        termsUrl: String?,
        privacyUrl: String?,
        plans: [PaywallPlan],
        products: [PaywallProduct],
        locked: [LockedFeature],
        customer: CustomerEntitlement?
    ) {
        (self.app, self.title, self.headline, self.subscribe) = (app, title, headline, subscribe)
        (self.termsUrl, self.privacyUrl) = (termsUrl, privacyUrl)
        (self.plans, self.products, self.locked, self.customer) = (plans, products, locked, customer)
    }
}

/// A plan, as a paywall compares it with others.
public struct PaywallPlan: Resource {
    public var plan: String
    public var name: String
    public var benefits: [PaywallBenefit]
    public var features: [PaywallFeature]

    public static let fields = Fields<Self> {
        Field("plan", \.plan, "In the app's own spelling.")
        Field("name", \.name)
        Field("benefits", \.benefits, "What to say of it, in this order.")
        Field("features", \.features, "What it includes, in the app's order.")
    }

    public init(plan: String, name: String, benefits: [PaywallBenefit], features: [PaywallFeature]) {
        (self.plan, self.name, self.benefits, self.features) = (plan, name, benefits, features)
    }
}

/// One line of what a plan brings.
public struct PaywallBenefit: Resource {
    public var text: String
    public var icon: String?

    public static let fields = Fields<Self> {
        Field("text", \.text)
        Field("icon", \.icon, "The name of a picture that the app has; null without one.")
    }

    public init(text: String, icon: String?) {
        (self.text, self.icon) = (text, icon)
    }
}

/// A feature that a plan includes.
public struct PaywallFeature: Resource {
    public var feature: String
    public var name: String
    public var limits: [PlanLimit]

    public static let fields = Fields<Self> {
        Field("feature", \.feature, "The app's own code of it.")
        Field("name", \.name)
        Field("limits", \.limits, "Empty for what is unlimited.")
    }

    public init(feature: String, name: String, limits: [PlanLimit]) {
        (self.feature, self.name, self.limits) = (feature, name, limits)
    }
}

/// A plan's limit of a feature's use within a window.
public struct PlanLimit: Resource {
    public var window: String
    public var limit: Int64

    public static let fields = Fields<Self> {
        Field(
            "window",
            \.window,
            "A day or a calendar month in the app's time zone, or all time. Values may be added.",
            .oneOf(Vocabulary.usageWindows)
        )
        Field("limit", \.limit, .range(1))
    }

    public init(window: String, limit: Int64) {
        (self.window, self.limit) = (window, limit)
    }
}

/// A feature that the customer cannot use now, and the plan that unlocks it.
public struct LockedFeature: Resource {
    public var feature: String
    public var name: String
    public var reason: String
    public var message: String
    public var requiredPlan: String
    public var requiredPlanName: String
    public var limits: [PlanLimit]

    public static let fields = Fields<Self> {
        Field("feature", \.feature, "The app's own code of it.")
        Field("name", \.name)
        Field("reason", \.reason, "Values may be added.", .oneOf(Vocabulary.restrictions))
        Field("message", \.message, "What to show to the customer.")
        Field("requiredPlan", \.requiredPlan, "The lowest plan that opens it.")
        Field("requiredPlanName", \.requiredPlanName)
        Field("limits", \.limits, "What that plan gives of it; empty for what is unlimited.")
    }

    public init(
        feature: String,
        name: String,
        reason: String,
        message: String,
        requiredPlan: String,
        requiredPlanName: String,
        limits: [PlanLimit]
    ) {
        (self.feature, self.name, self.reason, self.message) = (feature, name, reason, message)
        (self.requiredPlan, self.requiredPlanName, self.limits) = (requiredPlan, requiredPlanName, limits)
    }
}
