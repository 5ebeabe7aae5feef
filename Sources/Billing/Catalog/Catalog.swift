/// An app's products, plans and store settings: the content of a catalogue file.
package struct Catalog: Hashable, Sendable {
    package var app: String
    package var name: String
    /// IANA name of the business time zone.
    package var timeZone: String
    package var reportingCurrency: Currency
    /// The app's store accounts, one per store.
    package var accounts: [Store: StoreAccount]
    package var refunds: RefundPolicy
    /// The features that plans can include, in display order.
    package var features: [CatalogFeature]
    package var plans: [CatalogPlan]
    package var products: [CatalogProduct]
    /// The number of days ahead that support may grant to one customer.
    package var supportGrantLimitDays: Int
    /// The number of customers from which a bulk job needs a second person, counting all jobs that one person starts in a day.
    package var bulkApprovalFrom: Int
    /// The number of days after its end within which a trial still converts.
    package var trialConversionDays: Int
    /// The number of hours for which a signed entitlement is valid offline.
    package var offlineHours: Int
    /// The number of minutes in which an order at a store can be paid.
    package var checkoutMinutes: Int
    /// The answer to a device that shows an account's purchase.
    package var transferBehavior: TransferBehavior
    /// The part of the account that the device is told.
    package var ownerHint: OwnerHint
    /// The stores' shares of a charge, where they differ from the usual ones.
    package var fees: [Store: StoreFee]
    /// The answers to stores that ask about a refund.
    package var consumption: ConsumptionPolicy
    /// The paywall's texts, apart from the products.
    package var paywall: PaywallCopy
    /// Web pages that may call from a browser, as `https://app.example.com`.
    package var corsOrigins: [String]
    /// nil for an app whose customers sign in here.
    package var tokenIssuer: TokenIssuer?
    /// nil for an app that gives no trial by itself.
    package var trial: TrialOffer?
    /// The rate limits of its callers, where they differ from the installation's.
    package var rateLimits: [RateLimitPolicy: RateLimit]
    /// The customers to whom a store's sandbox gives access.
    package var sandboxAccess: SandboxAccess

    /// - Parameter refunds: nil for the standard ones in the reporting currency.
    package init(
        app: String,
        name: String,
        timeZone: String,
        reportingCurrency: Currency,
        accounts: [StoreAccount],
        refunds: RefundPolicy? = nil,
        features: [CatalogFeature] = [],
        plans: [CatalogPlan],
        products: [CatalogProduct],
        supportGrantLimitDays: Int = 30,
        bulkApprovalFrom: Int = 100,
        trialConversionDays: Int = MetricDefinitions.trialConversionDays,
        offlineHours: Int = 24,
        checkoutMinutes: Int = 15,
        transferBehavior: TransferBehavior = .refuse,
        ownerHint: OwnerHint = .provider,
        fees: [Store: StoreFee] = [:],
        consumption: ConsumptionPolicy = ConsumptionPolicy(),
        paywall: PaywallCopy = PaywallCopy(),
        corsOrigins: [String] = [],
        tokenIssuer: TokenIssuer? = nil,
        trial: TrialOffer? = nil,
        rateLimits: [RateLimitPolicy: RateLimit] = [:],
        sandboxAccess: SandboxAccess = .testers
    ) {
        self.app = app
        self.name = name
        self.timeZone = timeZone
        self.reportingCurrency = reportingCurrency
        self.accounts = Dictionary(accounts.map { ($0.store, $0) }) { first, _ in first }
        self.refunds = refunds ?? .standard(in: reportingCurrency)
        self.features = features
        self.plans = plans
        self.products = products
        self.supportGrantLimitDays = supportGrantLimitDays
        self.bulkApprovalFrom = bulkApprovalFrom
        self.trialConversionDays = trialConversionDays
        self.offlineHours = offlineHours
        self.checkoutMinutes = checkoutMinutes
        self.transferBehavior = transferBehavior
        self.ownerHint = ownerHint
        self.fees = fees
        self.consumption = consumption
        self.paywall = paywall
        self.corsOrigins = corsOrigins
        self.tokenIssuer = tokenIssuer
        self.trial = trial
        self.rateLimits = rateLimits
        self.sandboxAccess = sandboxAccess
    }
}

/// A feature with the name that people read.
package struct CatalogFeature: Hashable, Sendable {
    package var feature: Feature
    /// The name on staff pages: the English one, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// The message at the end of a limit; `{limit}` in it stands for the limit. Empty for the default message.
    package var limitReached: LocalizedText

    package init(
        feature: Feature,
        name: String,
        names: LocalizedText = LocalizedText(),
        limitReached: LocalizedText = LocalizedText()
    ) {
        self.feature = feature
        self.name = name
        self.names = names
        self.limitReached = limitReached
    }

    package func name(in language: String) -> String { names.text(in: language) ?? name }
}

/// A plan with the name that people read, and what it includes.
package struct CatalogPlan: Hashable, Sendable {
    package var plan: Plan
    /// The name on staff pages: the English one, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// The benefits on the paywall, in display order.
    package var benefits: [PlanBenefit]
    /// The included features by code; a feature that is missing here is not included.
    package var features: [String: FeatureLimits]

    package init(
        plan: Plan,
        name: String,
        names: LocalizedText = LocalizedText(),
        benefits: [PlanBenefit] = [],
        features: [String: FeatureLimits] = [:]
    ) {
        self.plan = plan
        self.name = name
        self.names = names
        self.benefits = benefits
        self.features = features
    }

    package func name(in language: String) -> String { names.text(in: language) ?? name }
}

/// Something that a store sells for a plan.
package struct CatalogProduct: Hashable, Sendable {
    package var plan: String
    package var store: Store
    /// The store's identifier.
    package var id: String
    /// The name on staff pages: the English one, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// nil for a product that does not renew: one that is owned for ever, and one that is used up.
    package var period: BillingPeriod?
    package var trial: BillingPeriod?
    /// List prices, one a currency.
    package var prices: [Money]
    /// True if a paywall highlights it; at most one product per app and store.
    package var isRecommended: Bool
    /// True of what is used up and can be bought again (coins): its order counts for the plan, and gives no access. Without a period.
    package var isConsumable: Bool
    /// The uses of features, by code, that each order brings beside the plan: those of a period end with it, others never expire.
    package var credits: [String: Int64]

    /// The credits of a feature that a product can bring.
    package static let possibleCredits: ClosedRange<Int64> = 1...1_000_000_000

    package init(
        plan: String,
        store: Store,
        id: String,
        name: String,
        names: LocalizedText = LocalizedText(),
        period: BillingPeriod?,
        trial: BillingPeriod?,
        prices: [Money],
        isRecommended: Bool = false,
        isConsumable: Bool = false,
        credits: [String: Int64] = [:]
    ) {
        self.plan = plan
        self.store = store
        self.id = id
        self.name = name
        self.names = names
        self.period = period
        self.trial = trial
        self.prices = prices
        self.isRecommended = isRecommended
        self.isConsumable = isConsumable
        self.credits = credits
    }

    package func name(in language: String) -> String { names.text(in: language) ?? name }
}
