package import Billing

/// The filter, the order and the page of a list of customers.
package struct CustomerFilter: ListFilter, Hashable {
    /// Trimmed; empty for all.
    package var search: String
    package var plan: PlanNow?
    /// Only customers who ever bought there.
    package var store: Store?
    /// Only customers who bought there; production includes those who never bought anything, and excludes those who only bought in
    /// the sandbox. nil for all.
    package var environment: StoreEnvironment?
    /// true: only those who got money back; nil for all.
    package var hasRefunds: Bool
    /// Only customers whose current access was given in this way.
    package var given: Given?
    /// First seen at or after.
    package var from: BusinessDay?
    /// First seen on or before.
    package var to: BusinessDay?
    package var direction: SortDirection
    package var position: PagePosition
    /// The columns that the URL names; nil for the person's own choice.
    package var columns: ColumnChoice?

    package init(
        search: String = "",
        plan: PlanNow? = nil,
        store: Store? = nil,
        environment: StoreEnvironment? = .production,
        hasRefunds: Bool = false,
        given: Given? = nil,
        from: BusinessDay? = nil,
        to: BusinessDay? = nil,
        direction: SortDirection = .descending,
        position: PagePosition = .first
    ) {
        self.search = search
        self.plan = plan
        self.store = store
        self.environment = environment
        self.hasRefunds = hasRefunds
        self.given = given
        self.from = from
        self.to = to
        self.direction = direction
        self.position = position
    }

    /// The customer's current access.
    package enum PlanNow: Hashable, Sendable {
        /// Nothing that was bought or given.
        case noAccess
        /// That plan; of the one that everybody has, also who has nothing else.
        case plan(code: String)
    }

    /// The source of access that was not bought in a store. Raw values appear in URLs.
    package enum Given: String, Hashable, Sendable, CaseIterable {
        /// The trial that the app itself gives; stores' trials are subscriptions.
        case trial
        case promoCode = "promo_code"
        case staff
    }

    package func cursor(at row: ListedCustomer, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .customerCreated, date: row.createdAt, id: row.customer.id.uuid, rowsBefore: rowsBefore)
    }
}
