package import Billing

/// The part of an app's business that a metric covers; the same for charts, tables, files and programs (metrics.md, "Filters").
package struct MetricsFilter: Hashable, Sendable {
    /// Sandbox is never mixed into production.
    package var environment: StoreEnvironment
    package var store: Store?
    /// A plan's code.
    package var plan: String?
    /// The store's product identifier.
    package var product: String?
    /// The length of the period that one charge pays for.
    package var period: BillingPeriod?
    /// The storefront's country as the store names it (Apple: ISO 3166-1 alpha-3); empty for charges that came without
    /// one.
    package var country: String?
    package var currency: Currency?
    /// The numbers as they were known at the end of this day; nil for now.
    package var asOf: BusinessDay?

    package init(
        environment: StoreEnvironment = .production,
        store: Store? = nil,
        plan: String? = nil,
        product: String? = nil,
        period: BillingPeriod? = nil,
        country: String? = nil,
        currency: Currency? = nil,
        asOf: BusinessDay? = nil
    ) {
        self.environment = environment
        self.store = store
        self.plan = plan
        self.product = product
        self.period = period
        self.country = country
        self.currency = currency
        self.asOf = asOf
    }

    /// The last day that metrics know of: today, or the day as of which they are.
    package func lastDay(today: BusinessDay) -> BusinessDay { min(today, asOf ?? today) }

    /// The day that is not over yet: today, or the one after the day at whose end the metrics are as they were known. So a period is
    /// finished as of its own last day.
    package func runningDay(today: BusinessDay) -> BusinessDay { min(today, asOf?.advanced(by: 1) ?? today) }

    /// True if it leaves only some products.
    var isOfSomeProducts: Bool { store != nil || plan != nil || product != nil || period != nil }
}
