package import Billing
import Foundation
import Postgres

/// The page of a list of an app's extensions, newest first.
package struct ExtensionFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: RenewalExtension, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .extensionStarted, date: row.startedAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

/// The page of a list of the subscriptions that one extension failed to extend, newest first.
package struct ExtensionFailureFilter: ListFilter, Hashable {
    package var `extension`: RenewalExtension.ID
    package var position: PagePosition

    package init(of id: RenewalExtension.ID, position: PagePosition = .first) {
        self.extension = id
        self.position = position
    }

    package func cursor(at row: RenewalExtensionFailure, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .extensionFailed, date: row.failedAt, id: row.id, rowsBefore: rowsBefore)
    }
}

extension Queries {
    package func extensions(of app: App.ID, _ filter: ExtensionFilter) async throws -> ListPage<RenewalExtension> {
        let keyset = KeysetClauses(
            columns: ("coalesce(x.requested_at, x.finished_at)", "x.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            \(RenewalExtension.selection)
            WHERE x.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(RenewalExtension.init(row:)), at: filter.position)
    }

    package func renewalExtension(_ id: RenewalExtension.ID, of app: App.ID) async throws -> RenewalExtension? {
        try await reader.query("\(RenewalExtension.selection) WHERE x.id = \(id) AND x.app_id = \(app)").first
            .map(RenewalExtension.init(row:))
    }

    /// The newest of a customer's subscriptions.
    package func extensions(ofCustomer customer: Customer.ID, limit: Int = 10) async throws -> [RenewalExtension] {
        try await reader.query(
            """
            \(RenewalExtension.selection)
            WHERE x.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = \(customer))
            ORDER BY x.requested_at DESC, x.id DESC
            LIMIT \(limit)
            """
        ).map(RenewalExtension.init(row:))
    }

    /// The subscriptions that the extension of a product's subscribers left out, as the store told of each.
    package func failures(_ filter: ExtensionFailureFilter) async throws -> ListPage<RenewalExtensionFailure> {
        let keyset = KeysetClauses(
            columns: ("f.failed_at", "f.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT f.id, f.subscription_id, s.original_transaction_id, f.failed_at
            FROM renewal_extension_failures f
            JOIN subscriptions s ON s.id = f.subscription_id
            WHERE f.extension_id = \(filter.extension)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(RenewalExtensionFailure.init(row:)), at: filter.position)
    }
}

extension RenewalExtensionFailure {
    fileprivate init(row: Row) throws {
        let (id, subscription, original, failedAt) = try row.decode(
            UUID.self,
            Subscription.ID.self,
            String.self,
            Date.self
        )
        self.init(id: id, subscription: subscription, originalTransactionID: original, failedAt: failedAt)
    }
}
