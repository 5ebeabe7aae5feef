package import Billing
import Foundation
import Postgres

/// Which page of an app's mass extensions a list shows, newest first.
package struct RenewalExtensionFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: RenewalExtension, rowsBefore: Int) -> PageCursor {
        PageCursor(
            kind: .renewalExtensionStarted,
            date: row.startedAt ?? .distantPast,
            id: row.id.uuid,
            rowsBefore: rowsBefore
        )
    }
}

extension Queries {
    package func renewalExtensions(
        of app: App.ID,
        _ filter: RenewalExtensionFilter
    ) async throws -> ListPage<RenewalExtension> {
        let keyset = KeysetClauses(
            columns: ("coalesce(e.requested_at, e.completed_at)", "e.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT \(RenewalExtension.columns)
            FROM renewal_extensions e
            WHERE e.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(RenewalExtension.init(row:)), at: filter.position)
    }

    package func renewalExtension(_ id: RenewalExtension.ID, of app: App.ID) async throws -> RenewalExtension? {
        try await reader.query(
            "SELECT \(RenewalExtension.columns) FROM renewal_extensions e WHERE e.id = \(id) AND e.app_id = \(app)"
        ).first.map(RenewalExtension.init(row:))
    }

    /// The subscriptions that one could not extend, newest first.
    package func failures(
        of id: RenewalExtension.ID,
        limit: Int
    ) async throws -> [RenewalExtensionFailure] {
        try await reader.query(
            """
            SELECT f.id, f.subscription_id, s.original_transaction_id, f.failed_at
            FROM renewal_extension_failures f
            JOIN subscriptions s ON s.id = f.subscription_id
            WHERE f.extension_id = \(id)
            ORDER BY f.failed_at DESC, f.id DESC
            LIMIT \(limit)
            """
        ).map { row in
            let (id, subscription, original, failedAt) = try row.decode(
                UUID.self,
                Subscription.ID.self,
                String.self,
                Date.self
            )
            return RenewalExtensionFailure(
                id: id,
                subscription: subscription,
                originalTransactionID: original,
                failedAt: failedAt
            )
        }
    }
}
