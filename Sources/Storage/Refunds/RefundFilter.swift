package import Billing

/// Which refund requests a list shows, in which order, and which page of it.
package struct RefundFilter: ListFilter, Hashable {
    /// nil for all.
    package var status: Refund.Status?
    /// nil for everybody's.
    package var opener: Opener?
    /// Trimmed; empty for all.
    package var search: String
    package var sort: Sort
    package var direction: SortDirection
    package var position: PagePosition
    /// Which columns the address names; nil for the person's own choice.
    package var columns: ColumnChoice?

    /// By itself: what waits for a decision, the most urgent first.
    package init(
        status: Refund.Status? = .pending,
        opener: Opener? = nil,
        search: String = "",
        sort: Sort = .deadline,
        direction: SortDirection? = nil,
        position: PagePosition = .first
    ) {
        self.status = status
        self.opener = opener
        self.search = search
        self.sort = sort
        self.direction = direction ?? sort.usualDirection
        self.position = position
    }

    /// Who made a request. Raw values are what addresses and the API say.
    package enum Opener: String, Hashable, Sendable, CaseIterable {
        /// By asking what we think.
        case store
        case staff
    }

    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case deadline
        case requested
        case amount

        package var cursorKind: PageCursor.Kind {
            switch self {
            case .deadline: .refundDeadline
            case .requested: .refundRequested
            case .amount: .refundAmount
            }
        }

        /// What is urgent, or old, or large comes first.
        package var usualDirection: SortDirection {
            switch self {
            case .deadline: .ascending
            case .requested, .amount: .descending
            }
        }
    }

    package func cursor(at row: ListedRefund, rowsBefore: Int) -> PageCursor {
        let (kind, request) = (sort.cursorKind, row.request)
        let id = request.id.uuid
        return switch sort {
        case .deadline: PageCursor(kind: kind, date: row.dueAt, id: id, rowsBefore: rowsBefore)
        case .requested: PageCursor(kind: kind, date: request.requested.at, id: id, rowsBefore: rowsBefore)
        case .amount: PageCursor(kind: kind, value: row.worth, id: id, rowsBefore: rowsBefore)
        }
    }
}
