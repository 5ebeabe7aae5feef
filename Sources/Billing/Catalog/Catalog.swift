/// What an app sells and how its stores are recognised: the content of a catalogue file.
package struct Catalog: Hashable, Sendable {
    package var app: String
    package var name: String
    /// IANA name of the business time zone.
    package var timeZone: String
    package var reportingCurrency: Currency
    /// Where the app sells, one account a store.
    package var accounts: [Store: StoreAccount]
    package var refunds: RefundPolicy
    /// What plans can include, in the order in which it is shown.
    package var features: [CatalogFeature]
    package var plans: [CatalogPlan]
    package var products: [CatalogProduct]
    /// How many days ahead support may give to one customer.
    package var supportGrantLimitDays: Int
    /// From how many customers on, of all that one person starts in a day, a bulk job needs a second person.
    package var bulkApprovalFrom: Int
    /// Within how many days after its end a trial converts.
    package var trialConversionDays: Int
    /// For how long a signed entitlement is good without a connection, in hours.
    package var offlineHours: Int
    /// The answer to a device that shows an account's purchase.
    package var transferBehavior: TransferBehavior
    /// The part of the account that the device is told.
    package var ownerHint: OwnerHint
    /// What stores keep of a charge, where it is not their usual share.
    package var fees: [Store: StoreFee]
    /// What stores are answered that ask about a refund.
    package var consumption: ConsumptionPolicy
    /// What a paywall says besides what it sells.
    package var paywall: PaywallCopy
    /// Web pages that may call from a browser, as `https://app.example.com`.
    package var corsOrigins: [String]
    /// nil for an app whose customers sign in here.
    package var tokenIssuer: TokenIssuer?
    /// nil for an app that gives no trial by itself.
    package var trial: TrialOffer?
    /// How often its callers may call, where that is not as usual for the installation.
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
    /// What staff pages show: the English name, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// What a customer is told at the end of a limit; `{limit}` in it is the limit. Empty for the usual sentence.
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
    /// What staff pages show: the English name, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// What a paywall says of it, in this order.
    package var benefits: [PlanBenefit]
    /// What it includes, by the code of the feature; what is not here it does not include.
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
    /// What staff pages show: the English name, or the only one.
    package var name: String
    /// By language; empty where there is one name for all.
    package var names: LocalizedText
    /// nil for what does not renew.
    package var period: BillingPeriod?
    package var trial: BillingPeriod?
    /// List prices, one a currency.
    package var prices: [Money]
    /// Whether a paywall highlights it; at most one of an app and store.
    package var isRecommended: Bool

    package init(
        plan: String,
        store: Store,
        id: String,
        name: String,
        names: LocalizedText = LocalizedText(),
        period: BillingPeriod?,
        trial: BillingPeriod?,
        prices: [Money],
        isRecommended: Bool = false
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
    }

    package func name(in language: String) -> String { names.text(in: language) ?? name }
}
