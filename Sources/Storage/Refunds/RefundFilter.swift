package import Billing

/// The filter, the order and the page of a list of refund requests.
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
    /// The columns that the URL names; nil for the person's own choice.
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

    /// The party that opened a request. URLs and the API use the raw values.
    package enum Opener: String, Hashable, Sendable, CaseIterable {
        /// By a consumption request.
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

        /// The default direction: the most urgent, the newest or the largest first.
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
