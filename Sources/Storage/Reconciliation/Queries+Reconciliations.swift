package import Billing
package import Foundation
import Postgres

/// The page of a list of an app's reconciliations, newest first.
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

    /// The subscriptions that one found wrong, each once: where it stood before the first answer, and after the last.
    package func corrections(of id: Reconciliation.ID, limit: Int) async throws -> [CorrectedSubscription] {
        try await reader.query(
            """
            SELECT s.id, s.original_transaction_id, p.name, c.before, c.after, c.at
            FROM (
                SELECT subscription_id, (array_agg(state_before ORDER BY recorded_at, id))[1] AS before,
                    (array_agg(state_after ORDER BY recorded_at DESC, id DESC))[1] AS after, max(recorded_at) AS at
                FROM subscription_events
                WHERE reconciliation_id = \(id) AND rejection_reason IS NULL
                GROUP BY subscription_id
            ) c
            JOIN subscriptions s ON s.id = c.subscription_id
            LEFT JOIN products p ON p.id = s.product_id
            ORDER BY c.at DESC, s.id DESC
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
