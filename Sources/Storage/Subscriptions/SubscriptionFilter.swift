package import Billing
import Foundation

/// The filter, the order and the page of a list of subscriptions.
package struct SubscriptionFilter: ListFilter, Hashable {
    /// Trimmed; empty for all.
    package var search: String
    /// As it is now, also where the store has not said so yet.
    package var state: Subscription.State?
    /// The code of the plan that it gives.
    package var plan: String?
    package var store: Store?
    package var environment: StoreEnvironment?
    package var customer: Customer.ID?
    /// Renews itself within so many days.
    package var renewsWithin: Int?
    /// Ends within so many days and cannot renew by itself.
    package var endsWithin: Int?
    package var sort: Sort
    package var direction: SortDirection
    package var position: PagePosition
    /// The columns that the URL names; nil for the person's own choice.
    package var columns: ColumnChoice?

    package init(
        search: String = "",
        state: Subscription.State? = nil,
        plan: String? = nil,
        store: Store? = nil,
        environment: StoreEnvironment? = nil,
        customer: Customer.ID? = nil,
        renewsWithin: Int? = nil,
        endsWithin: Int? = nil,
        sort: Sort = .started,
        direction: SortDirection = .descending,
        position: PagePosition = .first
    ) {
        self.search = search
        self.state = state
        self.plan = plan
        self.store = store
        self.environment = environment
        self.customer = customer
        self.renewsWithin = renewsWithin
        self.endsWithin = endsWithin
        self.sort = sort
        self.direction = direction
        self.position = position
    }

    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case started
        /// The end of what is paid for; what never ends is last.
        case end

        package var cursorKind: PageCursor.Kind { self == .started ? .subscriptionStarted : .subscriptionEnd }
    }

    package func cursor(at row: ListedSubscription, rowsBefore: Int) -> PageCursor {
        let date =
            switch sort {
            case .started: row.startedAt
            case .end: row.subscription.periodEndsAt ?? Self.never
            }
        return PageCursor(kind: sort.cursorKind, date: date, id: row.id.uuid, rowsBefore: rowsBefore)
    }

    /// 31 December 9999, where the list sorts what never ends.
    private static let never = Date(timeIntervalSince1970: 253_402_214_400)

    /// Without order, page and columns: what a count is of.
    var counted: SubscriptionFilter {
        var copy = firstPage
        (copy.sort, copy.direction, copy.columns) = (.started, .descending, nil)
        return copy
    }
}
