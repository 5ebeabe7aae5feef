package import Billing
import Foundation
import Postgres

/// Which page of an app's extensions a list shows, newest first.
package struct ExtensionFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: ExtensionRequest, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .extensionRequested, date: row.requested.at, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension Queries {
    package func extensions(of app: App.ID, _ filter: ExtensionFilter) async throws -> ListPage<ExtensionRequest> {
        let keyset = KeysetClauses(
            columns: ("x.requested_at", "x.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            \(ExtensionRequest.selection)
            WHERE x.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ExtensionRequest.init(row:)), at: filter.position)
    }

    package func extensionRequest(_ id: ExtensionRequest.ID, of app: App.ID) async throws -> ExtensionRequest? {
        try await reader.query("\(ExtensionRequest.selection) WHERE x.id = \(id) AND x.app_id = \(app)").first
            .map(ExtensionRequest.init(row:))
    }

    /// The newest of a customer's subscriptions.
    package func extensions(ofCustomer customer: Customer.ID, limit: Int = 10) async throws -> [ExtensionRequest] {
        try await reader.query(
            """
            \(ExtensionRequest.selection)
            WHERE x.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = \(customer))
            ORDER BY x.requested_at DESC, x.id DESC
            LIMIT \(limit)
            """
        ).map(ExtensionRequest.init(row:))
    }
}
