package import Billing
package import Foundation
import Postgres

/// A list whose customers a bulk job takes.
package enum BulkList: Sendable, Hashable {
    /// - Parameter zone: the app's, in which the filter's days begin and end.
    case customers(CustomerFilter, zone: TimeZone)
    case subscriptions(SubscriptionFilter)

    /// The lists that are of customers.
    package static let lists: [ListName] = [.customers, .subscriptions]

    package var name: ListName {
        switch self {
        case .customers: .customers
        case .subscriptions: .subscriptions
        }
    }
}

extension BulkWrites {
    /// The customers of a list in its order, each once, read page by page.
    ///
    /// - Parameter limit: one beyond it is given where there are more.
    package func customers(
        of list: BulkList,
        app: App.ID,
        seesPersonalData: Bool,
        limit: Int
    ) async throws -> [Customer.ID] {
        let lists = ListConditions(now: transaction.now, app: app, seesPersonalData: seesPersonalData)
        var position = PagePosition.first
        var known: Set<Customer.ID> = []
        var customers: [Customer.ID] = []
        while customers.count <= limit {
            // A plan for these very values, as for the list itself.
            let rows = try await transaction.pipeline([
                "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)",
                lists.customers(of: list, at: position, limit: Self.page),
            ])[1]
            for row in rows {
                let customer = try row.decode(0, as: Customer.ID.self)
                if known.insert(customer).inserted { customers.append(customer) }
            }
            guard rows.count == Self.page, let last = rows.last else { break }
            position = .after(
                PageCursor(kind: .customerCreated, date: try last.decode(1), id: try last.decode(2), rowsBefore: 0)
            )
        }
        return Array(customers.prefix(limit + 1))
    }

    private static var page: Int { 5_000 }
}

extension ListConditions {
    /// A page of customers with what the next one begins behind.
    fileprivate func customers(of list: BulkList, at position: PagePosition, limit: Int) -> Query {
        switch list {
        case .customers(let filter, let zone):
            let keyset = keyset("c.created_at", "c.id", filter.direction, position)
            return """
                SELECT c.id, c.created_at, c.id
                FROM customers c
                WHERE \(of(filter, zone: zone))\(keyset.condition)
                ORDER BY \(keyset.order)
                LIMIT \(limit)
                """
        case .subscriptions(let filter):
            let column = filter.sort == .started ? Queries.start : Queries.end
            let keyset = keyset(column.text, "s.id", filter.direction, position)
            return """
                SELECT s.customer_id, \(column), s.id
                FROM subscriptions s
                WHERE \(of(filter))\(keyset.condition)
                ORDER BY \(keyset.order)
                LIMIT \(limit)
                """
        }
    }

    private func keyset(
        _ column: String,
        _ id: String,
        _ direction: SortDirection,
        _ position: PagePosition
    ) -> KeysetClauses {
        KeysetClauses(columns: (column, id), direction: direction, position: position) { "\($0.date)" }
    }
}
