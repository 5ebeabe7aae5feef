package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var renewalExtensions: RenewalExtensionWrites { RenewalExtensionWrites(transaction: self) }
}

/// Keeps what was asked of a store for all active subscribers of a product, and what came of it.
package struct RenewalExtensionWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a request before the store is asked.
    ///
    /// - Parameter renewalExtension: with its `request`.
    /// - Returns: false when its identifier is known already; then nothing has changed.
    package func open(_ renewalExtension: RenewalExtension) async throws -> Bool {
        try await lock(
            renewalExtension.productID,
            renewalExtension.app,
            renewalExtension.store,
            renewalExtension.environment
        )
        let inserted = try await transaction.query(
            """
            INSERT INTO renewal_extensions
                (id, app_id, store, environment, request_identifier, store_product_id, storefronts, extend_by_days,
                 reason_code, requested_at, recorded_at)
            VALUES
                (\(renewalExtension.id), \(renewalExtension.app), \(renewalExtension.store),
                 \(renewalExtension.environment), \(renewalExtension.requestIdentifier), \(renewalExtension.productID),
                 \(renewalExtension.storefronts), \(renewalExtension.request?.days, as: Int16.self),
                 \(renewalExtension.request?.reasonCode, as: Int16.self), \(renewalExtension.request?.requestedAt),
                 \(transaction.now))
            ON CONFLICT ON CONSTRAINT an_extension_is_known_once DO NOTHING
            """
        ).affectedRows
        guard inserted == 1 else { return false }
        try await attribute(
            renewalExtension.productID,
            renewalExtension.app,
            renewalExtension.store,
            renewalExtension.environment
        )
        return true
    }

    /// Forgets a request that the store refused: nobody is extended by it.
    package func withdraw(_ refused: RenewalExtension) async throws {
        try await lock(refused.productID, refused.app, refused.store, refused.environment)
        try await transaction.pipeline([
            "UPDATE renewal_extension_failures SET extension_id = NULL WHERE extension_id = \(refused.id)",
            "DELETE FROM renewal_extensions WHERE id = \(refused.id) AND completed_at IS NULL",
        ])
        try await attribute(refused.productID, refused.app, refused.store, refused.environment)
    }

    /// Takes over the store's summary. One that was not requested here is known from then on; a summary that was signed before
    /// the one that is kept changes nothing.
    ///
    /// - Parameter summed: with its `summary`.
    package func complete(_ summed: RenewalExtension) async throws {
        try await lock(summed.productID, summed.app, summed.store, summed.environment)
        try await transaction.query(
            """
            INSERT INTO renewal_extensions AS e
                (id, app_id, store, environment, request_identifier, store_product_id, storefronts, succeeded_count,
                 failed_count, completed_at, recorded_at)
            VALUES
                (\(summed.id), \(summed.app), \(summed.store), \(summed.environment), \(summed.requestIdentifier),
                 \(summed.productID), \(summed.storefronts), \(summed.summary?.succeeded), \(summed.summary?.failed),
                 \(summed.summary?.completedAt), \(transaction.now))
            ON CONFLICT ON CONSTRAINT an_extension_is_known_once DO UPDATE
            SET succeeded_count = excluded.succeeded_count, failed_count = excluded.failed_count,
                completed_at = excluded.completed_at
            WHERE e.completed_at IS NULL OR e.completed_at < excluded.completed_at
            """
        )
        try await attribute(summed.productID, summed.app, summed.store, summed.environment)
    }

    /// Keeps that a subscription could not be extended. The store does not say by which request: it is the one of the
    /// product that was under way when the store signed the failure.
    package func recordFailure(of subscription: Subscription.ID, in event: StoreEvent, of app: App.ID) async throws {
        let product = event.transaction.productID
        try await lock(product, app, event.store, event.environment)
        try await transaction.query(
            """
            INSERT INTO renewal_extension_failures
                (id, app_id, store, environment, store_product_id, subscription_id, event_id, failed_at)
            VALUES
                (\(transaction.newUUID()), \(app), \(event.store), \(event.environment), \(product), \(subscription),
                 \(event.id), \(event.signedAt))
            ON CONFLICT ON CONSTRAINT a_failure_is_recorded_once DO NOTHING
            """
        )
        try await attribute(product, app, event.store, event.environment)
    }

    /// Who writes of a product's extensions is alone with it: a failure and a summary that arrive at once see each other.
    private func lock(_ product: String, _ app: App.ID, _ store: Store, _ environment: StoreEnvironment) async throws {
        let name = "\(app.description) \(store.rawValue) \(environment.rawValue) \(product)"
        try await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended(\(name), 14))")
    }

    /// A failure is of the extension that was completed first after it; else of the newest that is under way; else of the
    /// one that was completed last. One that was not requested here began within the 30 days before its summary.
    private func attribute(
        _ product: String,
        _ app: App.ID,
        _ store: Store,
        _ environment: StoreEnvironment
    ) async throws {
        try await transaction.query(
            """
            UPDATE renewal_extension_failures f
            SET extension_id = a.extension_id
            FROM (
                SELECT f.id, (
                    SELECT e.id
                    FROM renewal_extensions e
                    WHERE e.app_id = f.app_id AND e.store = f.store AND e.environment = f.environment
                        AND e.store_product_id = f.store_product_id
                        AND coalesce(e.requested_at, e.completed_at - interval '30 days') <= f.failed_at
                    ORDER BY CASE WHEN e.completed_at >= f.failed_at THEN 0 WHEN e.completed_at IS NULL THEN 1 ELSE 2 END,
                        CASE WHEN e.completed_at >= f.failed_at THEN e.completed_at END,
                        coalesce(e.completed_at, e.requested_at) DESC, e.id
                    LIMIT 1
                ) AS extension_id
                FROM renewal_extension_failures f
                WHERE f.app_id = \(app) AND f.store = \(store) AND f.environment = \(environment)
                    AND f.store_product_id = \(product)
            ) a
            WHERE f.id = a.id AND f.extension_id IS DISTINCT FROM a.extension_id
            """
        )
    }
}
