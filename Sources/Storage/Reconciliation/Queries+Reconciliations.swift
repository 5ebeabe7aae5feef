package import Billing
package import Foundation
import Postgres

/// Which page of an app's reconciliations a list shows, newest first.
package struct ReconciliationFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: Reconciliation, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .reconciliationStarted, date: row.startedAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

/// A subscription that stood otherwise at its store.
package struct CorrectedSubscription: Sendable, Hashable {
    package var subscription: Subscription.ID
    package var originalTransactionID: String
    package var product: String?
    package var before: Subscription.State
    package var after: Subscription.State
    package var correctedAt: Date
}

extension Queries {
    package func reconciliations(
        of app: App.ID,
        _ filter: ReconciliationFilter
    ) async throws -> ListPage<Reconciliation> {
        let keyset = KeysetClauses(
            columns: ("r.started_at", "r.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT \(Reconciliation.columns)
            FROM reconciliations r
            WHERE r.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(Reconciliation.init(row:)), at: filter.position)
    }

    package func reconciliation(_ id: Reconciliation.ID, of app: App.ID) async throws -> Reconciliation? {
        try await reader.query(
            "SELECT \(Reconciliation.columns) FROM reconciliations r WHERE r.id = \(id) AND r.app_id = \(app)"
        ).first.map(Reconciliation.init(row:))
    }

    /// The newest of each store and environment.
    package func latestReconciliations(of app: App.ID) async throws -> [Reconciliation] {
        try await reader.query(
            """
            SELECT \(Reconciliation.columns)
            FROM (
                SELECT DISTINCT ON (store, environment) *
                FROM reconciliations
                WHERE app_id = \(app)
                ORDER BY store, environment, started_at DESC
            ) r
            ORDER BY r.store, r.environment
            """
        ).map(Reconciliation.init(row:))
    }

    /// What one found wrong, newest first.
    package func corrections(of id: Reconciliation.ID, limit: Int) async throws -> [CorrectedSubscription] {
        try await reader.query(
            """
            SELECT s.id, s.original_transaction_id, p.name, e.state_before, e.state_after, e.recorded_at
            FROM subscription_events e
            JOIN subscriptions s ON s.id = e.subscription_id
            LEFT JOIN products p ON p.id = s.product_id
            WHERE e.reconciliation_id = \(id)
            ORDER BY e.recorded_at DESC, e.id DESC
            LIMIT \(limit)
            """
        ).map { row in
            let (subscription, original, product, before, after, at) = try row.decode(
                Subscription.ID.self,
                String.self,
                String?.self,
                Subscription.State.self,
                Subscription.State.self,
                Date.self
            )
            return CorrectedSubscription(
                subscription: subscription,
                originalTransactionID: original,
                product: product,
                before: before,
                after: after,
                correctedAt: at
            )
        }
    }
}
