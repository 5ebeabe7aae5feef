package import Billing

/// Which customers a list shows, in which order, and which page of it.
package struct CustomerFilter: ListFilter, Hashable {
    /// Trimmed; empty for all.
    package var search: String
    package var plan: PlanNow?
    /// Who ever bought there.
    package var store: Store?
    /// Who has bought there, or nothing at all in production; who has only ever bought in the sandbox is there alone. nil for all.
    package var environment: StoreEnvironment?
    /// true: only those who got money back; nil for all.
    package var hasRefunds: Bool
    /// Only who has access now that was given in this way.
    package var given: Given?
    /// First seen at or after.
    package var from: BusinessDay?
    /// First seen on or before.
    package var to: BusinessDay?
    package var direction: SortDirection
    package var position: PagePosition
    /// Which columns the address names; nil for the person's own choice.
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

    /// What a customer may use now.
    package enum PlanNow: Hashable, Sendable {
        case noAccess
        case plan(code: String)
    }

    /// How access comes that nobody paid a store for. Raw values stand in addresses.
    package enum Given: String, Hashable, Sendable, CaseIterable {
        /// The trial that the app gives by itself; those of stores are subscriptions.
        case trial
        case promoCode = "promo_code"
        case staff
    }

    package func cursor(at row: ListedCustomer, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .customerCreated, date: row.createdAt, id: row.customer.id.uuid, rowsBefore: rowsBefore)
    }
}
