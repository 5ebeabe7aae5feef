import Billing
import Postgres

/// A list without its order and page: what a count is of.
struct CountedList: Hashable {
    let app: App.ID
    let filter: Filter

    enum Filter: Hashable {
        case orders(status: OrderStatus?, search: String, customer: Customer.ID?, seesPersonalData: Bool)
        case ledger(LedgerFilter)
        case subscriberRows(SubscriberRowsFilter)
        case cohortRows(CohortRowsFilter)
        case access(AccessFilter)
        case notifications(state: NotificationState?, reconciliation: Reconciliation.ID? = nil)
        case refunds(status: Refund.Status?, opener: RefundFilter.Opener?, search: String, seesPersonalData: Bool)
        case audit(AuditFilter, AuditScope)
        case customers(CustomerFilter, seesPersonalData: Bool)
        case subscriptions(SubscriptionFilter, seesPersonalData: Bool)
        case promoBatches(PromoBatchFilter)
    }
}

extension Queries {
    /// A page that says how many rows its list has. They are counted, unless the page itself tells or the list was found
    /// long within the last minute.
    ///
    /// - Parameters:
    ///   - rows: a statement that gives one row for each row of the list.
    ///   - isSearch: the best plan depends on the very values.
    func counted<Row>(
        _ page: ListPage<Row>,
        of list: CountedList,
        counts: CappedCounts,
        rows: Query,
        isSearch: Bool = false
    ) async throws -> ListPage<Row> {
        var page = page
        page.total = try await count(list, showing: page, counts: counts, rows: rows, isSearch: isSearch)
        return page
    }

    private func count<Row>(
        _ list: CountedList,
        showing page: ListPage<Row>,
        counts: CappedCounts,
        rows: Query,
        isSearch: Bool
    ) async throws -> RowCount {
        if !page.hasPrevious, !page.hasNext { return .exact(page.rows.count) }
        guard !counts.isLong(list, at: reader.now) else { return page.longTotal }
        let limit = Query(unsafe: String(RowCount.limit + 1))
        let query: Query = "SELECT count(*) FROM (\(rows) LIMIT \(limit)) AS counted"
        let result = isSearch ? try await reader.queryPlannedForValues(query) : try await reader.query(query)
        let counted = try result.first?.decode(0, as: Int.self)
        guard let counted, counted <= RowCount.limit else {
            counts.rememberLong(list, at: reader.now)
            return page.longTotal
        }
        return .exact(max(counted, page.rowsBefore + page.rows.count))
    }
}

extension ListPage {
    /// The length of a list with more rows than are counted: its last page derives it from its own rows and those before it.
    var longTotal: RowCount {
        let end = rowsBefore + rows.count
        return hasNext || end <= RowCount.limit ? .moreThanCounted : .exact(end)
    }
}
