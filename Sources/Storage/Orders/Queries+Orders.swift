package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of an app's orders alone.
    package func orders(
        _ filter: OrderFilter,
        app: App.ID,
        seesPersonalData: Bool,
        counts: CappedCounts
    ) async throws -> ListPage<ListedOrder> {
        try await orders(filter, app: app, seesPersonalData: seesPersonalData, counts: counts, alongside: .nothing).0
    }

    /// A page of an app's orders.
    ///
    /// - Parameters:
    ///   - seesPersonalData: without it neither names nor e-mail addresses leave the database or are searched.
    ///   - alongside: the caller's other query, for the same round trip.
    package func orders<Alongside>(
        _ filter: OrderFilter,
        app: App.ID,
        seesPersonalData: Bool,
        counts: CappedCounts,
        alongside: BatchedQuery<Alongside>
    ) async throws -> (ListPage<ListedOrder>, Alongside) {
        let sees = seesPersonalData
        // Only a search asks two things at a time: a task for what is known already costs more than asking.
        guard !filter.search.isEmpty else {
            return try await list(filter, app: app, seesPersonalData: sees, counts: counts, alongside: alongside)
        }
        async let isCut = OrderSearch(text: filter.search, app: app, seesPersonalData: sees).isCut(reader)
        var (list, others) = try await list(
            filter,
            app: app,
            seesPersonalData: sees,
            counts: counts,
            alongside: alongside
        )
        list.isCut = try await isCut
        return (list, others)
    }

    private func list<Alongside>(
        _ filter: OrderFilter,
        app: App.ID,
        seesPersonalData: Bool,
        counts: CappedCounts,
        alongside: BatchedQuery<Alongside>
    ) async throws -> (ListPage<ListedOrder>, Alongside) {
        let conditions = conditions(of: filter, app: app, seesPersonalData: seesPersonalData)
        let (page, others) = try await reader.ask(
            page(of: filter, where: conditions, seesPersonalData: seesPersonalData),
            alongside
        )
        let key = CountedList(
            app: app,
            filter: .orders(
                status: filter.status,
                search: filter.search,
                customer: filter.customer,
                seesPersonalData: seesPersonalData
            )
        )
        // In the order of an index: a common word is then counted from a short piece of it, a rare one from the
        // trigrams.
        let rows: Query = "SELECT 1 FROM orders o WHERE \(conditions) ORDER BY o.purchased_at DESC, o.id DESC"
        let list = try await counted(
            page,
            of: key,
            counts: counts,
            rows: rows,
            isSearch: !filter.search.isEmpty
        )
        return (list, others)
    }

    /// The number of the one order whose number or store transaction id this is.
    package func order(matching search: String, app: App.ID) async throws -> String? {
        let text = search.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        let keys = OrderSearch(text: text, app: app, seesPersonalData: false).exactKeys
        let found = try await reader.query("SELECT number FROM orders WHERE id = ANY (ARRAY(\(keys))) LIMIT 2")
        return found.count == 1 ? try found.first?.decode(0, as: String.self) : nil
    }

    func conditions(of filter: OrderFilter, app: App.ID, seesPersonalData: Bool) -> Query {
        let status: Query = filter.status.map { " AND o.status = \($0.rawValue)" } ?? ""
        let customer: Query = filter.customer.map { " AND o.customer_id = \($0)" } ?? ""
        let search: Query =
            filter.search.isEmpty
            ? "" : OrderSearch(text: filter.search, app: app, seesPersonalData: seesPersonalData).condition
        return "o.app_id = \(app)\(status)\(customer)\(search)"
    }

    private func page(
        of filter: OrderFilter,
        where conditions: Query,
        seesPersonalData: Bool
    ) -> BatchedQuery<ListPage<ListedOrder>> {
        let keyset =
            switch filter.sort {
            case .created:
                KeysetClauses(
                    columns: ("o.purchased_at", "o.id"),
                    direction: filter.direction,
                    position: filter.position
                ) { "\($0.date)" }
            case .amount:
                KeysetClauses(columns: ("o.worth", "o.id"), direction: filter.direction, position: filter.position) {
                    "\($0.value)"
                }
            }
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        // The page is cut before customers are looked up: a search may have to sort many rows first.
        let rows = FirstRows.query(
            """
            SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
                o.currency, o.worth, o.purchased_at, o.customer_id
            FROM orders o
            WHERE \(conditions)\(keyset.condition)
            """,
            as: "o",
            by: keyset.order,
            limit: ListPageSize.fetched,
            isSearch: !filter.search.isEmpty
        )
        let query: Query = """
            SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
                o.currency, o.worth, o.purchased_at, o.customer_id, coalesce(c.key, ''), \(person)
            FROM (\(rows)) AS o
            LEFT JOIN customers c ON c.id = o.customer_id
            ORDER BY \(keyset.order)
            """
        return .of(query, plannedForValues: !filter.search.isEmpty) {
            ListPage(try $0.map(ListedOrder.init(row:)), at: filter.position)
        }
    }
}

extension ListedOrder {
    init(row: Postgres.Row) throws {
        var columns = try row.columns(15)
        id = try columns.next()
        number = try columns.next()
        status = try columns.word()
        store = try columns.word()
        environment = try columns.word()
        productName = try columns.next()
        planCode = try columns.next()
        amount = try columns.next()
        currency = try columns.next()
        worth = try columns.next()
        purchasedAt = try columns.next()
        customerID = try columns.next()
        customerKey = try columns.next()
        customerName = try columns.next()
        customerEmail = try columns.next()
    }
}
