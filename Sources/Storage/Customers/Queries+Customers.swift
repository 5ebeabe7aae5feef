package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of an app's customers.
    ///
    /// - Parameters:
    ///   - zone: the app's, in which the filter's days begin and end.
    ///   - seesPersonalData: without it neither names nor e-mail addresses leave the database or are searched.
    package func customers(
        _ filter: CustomerFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool,
        counts: CappedCounts
    ) async throws -> ListPage<ListedCustomer> {
        let conditions = conditions(of: filter, app: app, zone: zone, seesPersonalData: seesPersonalData)
        let keyset = KeysetClauses(
            columns: ("c.created_at", "c.id"),
            direction: filter.direction,
            position: filter.position
        ) { "\($0.date)" }
        let page = try await customerPage(of: filter, conditions, keyset, seesPersonalData)
        var list = try await counted(
            page,
            of: CountedList(app: app, filter: .customers(filter.counted, seesPersonalData: seesPersonalData)),
            counts: counts,
            rows: "SELECT 1 FROM customers c WHERE \(conditions) ORDER BY c.created_at DESC, c.id DESC",
            isSearch: true
        )
        list.rows = try await withSubscriptions(page.rows)
        return list
    }

    /// The name of a customer; nil when the app has none with that id.
    ///
    /// - Parameter seesPersonalData: without it neither name nor e-mail address leaves the database.
    package func customerName(_ id: Customer.ID, app: App.ID, seesPersonalData: Bool) async throws -> CustomerName? {
        try await reader.query(
            """
            SELECT key, CASE WHEN \(seesPersonalData) THEN name END, CASE WHEN \(seesPersonalData) THEN email END
            FROM customers
            WHERE id = \(id) AND app_id = \(app)
            """
        ).first.map(CustomerName.init(row:))
    }

    /// The plans of an app by rank, for filters: code and name.
    package func plans(of app: App.ID) async throws -> [PlanChoice] {
        try await reader.query("SELECT code, name, rank = 0 FROM plans WHERE app_id = \(app) ORDER BY rank").map {
            row in
            let (code, name, isBase) = try row.decode(String.self, String.self, Bool.self)
            return PlanChoice(code: code, name: name, isBase: isBase)
        }
    }

    func conditions(
        of filter: CustomerFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) -> Query {
        ListConditions(now: reader.now, app: app, seesPersonalData: seesPersonalData).of(filter, zone: zone)
    }

    private func customerPage(
        of filter: CustomerFilter,
        _ conditions: Query,
        _ keyset: KeysetClauses,
        _ seesPersonalData: Bool
    ) async throws -> ListPage<ListedCustomer> {
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        // The page is cut before anything else is looked up: a search may have to sort many rows first.
        let first = FirstRows.query(
            """
            SELECT c.id, c.key, c.external_id, c.name, c.email, c.created_at, c.app_id
            FROM customers c
            WHERE \(conditions)\(keyset.condition)
            """,
            as: "c",
            by: keyset.order,
            limit: ListPageSize.fetched,
            isSearch: !filter.search.isEmpty
        )
        let rows = try await reader.queryPlannedForValues(
            """
            SELECT c.id, c.key, c.external_id, \(person), c.created_at, o.number, o.purchased_at, o.store,
                EXISTS (SELECT FROM orders r WHERE r.customer_id = c.id AND r.has_refunds),
                \(ListedCustomer.isOnlyInSandbox("c.id")), \(BasePlan.code(of: "c.app_id"))
            FROM (\(first)) AS c
            LEFT JOIN LATERAL (
                SELECT o.number, o.purchased_at, o.store
                FROM orders o
                WHERE o.customer_id = c.id
                ORDER BY o.purchased_at DESC, o.id DESC
                LIMIT 1
            ) AS o ON true
            ORDER BY \(keyset.order)
            """
        )
        return ListPage(try rows.map(ListedCustomer.init(row:)), at: filter.position)
    }

    /// The rows with the subscriptions that they have, of which each brings the newest few.
    private func withSubscriptions(_ rows: [ListedCustomer]) async throws -> [ListedCustomer] {
        guard !rows.isEmpty else { return [] }
        async let entitlementSources = reader.entitlementSources.of(rows.map(\.customer.id))
        let found = try await reader.query(
            """
            SELECT \(OrderDetails.CustomerSubscription.columns), s.customer_id
            FROM unnest(\(rows.map(\.customer.id.uuid))) AS c(id)
            CROSS JOIN LATERAL (
                SELECT * FROM subscriptions s
                WHERE s.customer_id = c.id AND s.product_id IS NOT NULL
                ORDER BY s.created_at DESC, s.id DESC
                LIMIT 50
            ) AS s
            \(OrderDetails.CustomerSubscription.joins)
            """
        ).map { row in
            var columns = try row.columns(OrderDetails.CustomerSubscription.columnCount + 1)
            let subscription = try OrderDetails.CustomerSubscription(&columns)
            return (subscription, customer: try columns.next(Customer.ID.self))
        }
        let byCustomer = Dictionary(grouping: found, by: \.customer)
        let held = try await entitlementSources
        return rows.map { row in
            var row = row
            row.subscriptions = byCustomer[row.customer.id]?.map(\.0) ?? []
            row.entitlementSources = held[row.customer.id]
            return row
        }
    }
}

/// A plan that a list can be filtered by.
package struct PlanChoice: Hashable, Sendable {
    package var code: String
    package var name: String
    /// Everybody has it.
    package var isBase: Bool

    package init(code: String, name: String, isBase: Bool = false) {
        self.code = code
        self.name = name
        self.isBase = isBase
    }
}

extension CustomerFilter {
    /// Without order, page and columns: what a count is of.
    var counted: CustomerFilter {
        var copy = firstPage
        (copy.direction, copy.columns) = (.descending, nil)
        return copy
    }
}

extension ListedCustomer {
    fileprivate init(row: Postgres.Row) throws {
        let (id, key, externalID, name, email, createdAt, number, purchasedAt, store, hasRefunds, isTester, basePlan) =
            try row.decode(
                Customer.ID.self,
                String.self,
                String?.self,
                Personal<String>?.self,
                Personal<String>?.self,
                Date.self,
                String?.self,
                Date?.self,
                Store?.self,
                Bool.self,
                Bool.self,
                String?.self
            )
        var lastOrder: ListedCustomer.LastOrder?
        if let number, let purchasedAt, let store {
            lastOrder = ListedCustomer.LastOrder(number: number, purchasedAt: purchasedAt, store: store)
        }
        self.init(
            customer: OrderDetails.Customer(id: id, key: key, externalID: externalID, name: name, email: email),
            createdAt: createdAt,
            subscriptions: [],
            lastOrder: lastOrder,
            hasRefunds: hasRefunds,
            isOnlyInSandbox: isTester
        )
        self.basePlan = basePlan
    }
}
