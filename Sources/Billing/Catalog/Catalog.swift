/// What an app sells and how its stores are recognised: the content of a catalogue file.
package struct Catalog: Hashable, Sendable {
    package var app: String
    package var name: String
    /// IANA name of the business time zone.
    package var timeZone: String
    package var reportingCurrency: Currency
    package var apple: Apple?
    package var refunds: RefundPolicy
    package var plans: [CatalogPlan]
    package var products: [CatalogProduct]
    /// How many days ahead support may give to one customer.
    package var supportGrantLimitDays: Int
    /// From how many customers on, of all that one person starts in a day, a bulk job needs a second person.
    package var bulkApprovalFrom: Int
    /// What stores keep of a charge, where it is not their usual share.
    package var fees: [Store: StoreFee]

    /// - Parameter refunds: nil for the standard ones in the reporting currency.
    package init(
        app: String,
        name: String,
        timeZone: String,
        reportingCurrency: Currency,
        apple: Apple?,
        refunds: RefundPolicy? = nil,
        plans: [CatalogPlan],
        products: [CatalogProduct],
        supportGrantLimitDays: Int = 30,
        bulkApprovalFrom: Int = 100,
        fees: [Store: StoreFee] = [:]
    ) {
        self.app = app
        self.name = name
        self.timeZone = timeZone
        self.reportingCurrency = reportingCurrency
        self.apple = apple
        self.refunds = refunds ?? .standard(in: reportingCurrency)
        self.plans = plans
        self.products = products
        self.supportGrantLimitDays = supportGrantLimitDays
        self.bulkApprovalFrom = bulkApprovalFrom
        self.fees = fees
    }

    /// The app at Apple.
    package struct Apple: Hashable, Sendable {
        package var bundleID: String
        package var appID: Int64?
        /// Trusts a test authority instead of Apple (stores/apple.md, 9).
        package var isSimulated: Bool
        /// DER certificates that may end a chain.
        package var anchors: [[UInt8]]

        package init(bundleID: String, appID: Int64?, isSimulated: Bool, anchors: [[UInt8]]) {
            self.bundleID = bundleID
            self.appID = appID
            self.isSimulated = isSimulated
            self.anchors = anchors
        }
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
