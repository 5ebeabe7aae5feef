package import Billing

/// The filter, the order and the page of a list of orders.
package struct OrderFilter: ListFilter, Hashable {
    /// nil for all.
    package var status: OrderStatus?
    /// Trimmed; empty for all.
    package var search: String
    package var customer: Customer.ID?
    package var sort: Sort
    package var direction: SortDirection
    package var position: PagePosition
    /// The columns that the URL names; nil for the person's own choice.
    package var columns: ColumnChoice?

    package init(
        status: OrderStatus? = nil,
        search: String = "",
        customer: Customer.ID? = nil,
        sort: Sort = .created,
        direction: SortDirection = .descending,
        position: PagePosition = .first
    ) {
        self.status = status
        self.search = search
        self.customer = customer
        self.sort = sort
        self.direction = direction
        self.position = position
    }

    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case created
        case amount

        package var cursorKind: PageCursor.Kind { self == .created ? .orderCreated : .orderAmount }
    }

    package func cursor(at row: ListedOrder, rowsBefore: Int) -> PageCursor {
        switch sort {
        case .created: PageCursor(kind: .orderCreated, date: row.purchasedAt, id: row.id, rowsBefore: rowsBefore)
        case .amount: PageCursor(kind: .orderAmount, value: row.worth, id: row.id, rowsBefore: rowsBefore)
        }
    }
}
