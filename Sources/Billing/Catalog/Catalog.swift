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
    package var plans: [CatalogPlan]
    package var products: [CatalogProduct]
    /// How many days ahead support may give to one customer.
    package var supportGrantLimitDays: Int
    /// From how many customers on, of all that one person starts in a day, a bulk job needs a second person.
    package var bulkApprovalFrom: Int
    /// Within how many days after its end a trial converts.
    package var trialConversionDays: Int
    /// What stores keep of a charge, where it is not their usual share.
    package var fees: [Store: StoreFee]
    /// What stores are answered that ask about a refund.
    package var consumption: ConsumptionPolicy

    /// - Parameter refunds: nil for the standard ones in the reporting currency.
    package init(
        app: String,
        name: String,
        timeZone: String,
        reportingCurrency: Currency,
        accounts: [StoreAccount],
        refunds: RefundPolicy? = nil,
        plans: [CatalogPlan],
        products: [CatalogProduct],
        supportGrantLimitDays: Int = 30,
        bulkApprovalFrom: Int = 100,
        trialConversionDays: Int = MetricDefinitions.trialConversionDays,
        fees: [Store: StoreFee] = [:],
        consumption: ConsumptionPolicy = ConsumptionPolicy()
    ) {
        self.app = app
        self.name = name
        self.timeZone = timeZone
        self.reportingCurrency = reportingCurrency
        self.accounts = Dictionary(accounts.map { ($0.store, $0) }) { first, _ in first }
        self.refunds = refunds ?? .standard(in: reportingCurrency)
        self.plans = plans
        self.products = products
        self.supportGrantLimitDays = supportGrantLimitDays
        self.bulkApprovalFrom = bulkApprovalFrom
        self.trialConversionDays = trialConversionDays
        self.fees = fees
        self.consumption = consumption
    }
}

/// A plan with the name that people read.
package struct CatalogPlan: Hashable, Sendable {
    package var plan: Plan
    package var name: String

    package init(plan: Plan, name: String) {
        self.plan = plan
        self.name = name
    }
}

/// Something that a store sells for a plan.
package struct CatalogProduct: Hashable, Sendable {
    package var plan: String
    package var store: Store
    /// The store's identifier.
    package var id: String
    package var name: String
    /// nil for what does not renew.
    package var period: BillingPeriod?
    package var trial: BillingPeriod?
    /// List prices, one a currency.
    package var prices: [Money]

    package init(
        plan: String,
        store: Store,
        id: String,
        name: String,
        period: BillingPeriod?,
        trial: BillingPeriod?,
        prices: [Money]
    ) {
        self.plan = plan
        self.store = store
        self.id = id
        self.name = name
        self.period = period
        self.trial = trial
        self.prices = prices
    }
}
