package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var renewalExtensions: RenewalExtensionWrites { RenewalExtensionWrites(transaction: self) }
}

/// Keeps what a store was asked to extend, and what came of it.
package struct RenewalExtensionWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a request before the store is asked.
    package func insert(_ row: RenewalExtension) async throws {
        var (subscription, product, storefronts): (Subscription.ID?, String?, [String]?)
        switch row.target {
        case .subscription(let id, _): subscription = id
        case .product(let id, let countries): (product, storefronts) = (id, countries)
        }
        try await transaction.query(
            """
            INSERT INTO renewal_extensions
                (id, app_id, store, environment, request_identifier, subscription_id, store_product_id, storefronts, days,
                 reason_code, reason, requested_by, requested_as, requested_at, state)
            VALUES
                (\(row.id), \(row.app), \(row.store), \(row.environment), \(row.requestIdentifier), \(subscription),
                 \(product), string_to_array(\(storefronts?.joined(separator: " ")), ' '),
                 \(row.request?.days, as: Int16.self), \(row.request.map { Int($0.reasonCode.rawValue) }, as: Int16.self),
                 \(row.request?.act.reason), \(row.request?.act.staff), \(row.request?.act.actor), \(row.request?.act.at),
                 \(row.state.word))
            """
        )
    }

    /// Keeps how far it is. What is finished stays as it is.
    package func save(_ state: RenewalExtension.State, of row: RenewalExtension) async throws {
        var (result, code, message): (RenewalExtension.Result, Int64?, String?) = (.init(), nil, nil)
        switch state {
        case .sending, .running: break
        case .succeeded(_, let what): result = what
        case .refused(_, let number, let words): (code, message) = (number, words)
        }
        if case .product(let product, _) = row.target {
            try await lock(product, row.app, row.store, row.environment)
        }
        try await transaction.query(
            """
            UPDATE renewal_extensions
            SET state = \(state.word), finished_at = \(state.finishedAt), renews_at = \(result.renewsAt),
                succeeded_count = \(result.succeeded), failed_count = \(result.failed), error_code = \(code), error = \(message)
            WHERE id = \(row.id) AND finished_at IS NULL
            """
        )
        if case .product(let product, _) = row.target, state.isFinished {
            try await attribute(product, row.app, row.store, row.environment)
        }
    }

    package func find(_ id: RenewalExtension.ID) async throws -> RenewalExtension? {
        try await transaction.query("\(RenewalExtension.selection) WHERE x.id = \(id)").first
            .map(RenewalExtension.init(row:))
    }

    /// Takes over the store's summary. One that was not requested here is known from then on. The summary that was signed last
    /// holds, whichever arrives first; it knows more than a refusal, which can be the answer to a repeated request.
    package func complete(
        _ summary: RenewalExtensionSummary,
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws {
        try await lock(summary.storeProductID, app, store, environment)
        try await transaction.query(
            """
            INSERT INTO renewal_extensions AS x
                (id, app_id, store, environment, request_identifier, store_product_id, storefronts, state, succeeded_count,
                 failed_count, finished_at)
            VALUES
                (\(transaction.newUUID()), \(app), \(store), \(environment), \(summary.requestIdentifier),
                 \(summary.storeProductID), nullif(\(summary.storefronts), '{}'::text[]), 'succeeded', \(summary.succeeded),
                 \(summary.failed), \(summary.completedAt))
            ON CONFLICT ON CONSTRAINT an_extension_is_known_once DO UPDATE
            SET state = excluded.state, succeeded_count = excluded.succeeded_count, failed_count = excluded.failed_count,
                finished_at = excluded.finished_at, error_code = NULL, error = NULL
            WHERE x.store_product_id IS NOT NULL
                AND (x.finished_at IS NULL OR x.state = 'refused' OR x.finished_at < excluded.finished_at)
            """
        )
        try await attribute(summary.storeProductID, app, store, environment)
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

    /// nil when the app has none of that id.
    package func subscription(_ id: Subscription.ID, of app: App.ID) async throws -> ExtensibleSubscription? {
        try await transaction.query("\(ExtensibleSubscription.selection) WHERE s.id = \(id) AND s.app_id = \(app)")
            .first
            .map(ExtensibleSubscription.init(row:))
    }

    /// By the store's own number, or one that it had before, for the command line.
    package func subscription(
        _ original: String,
        at store: Store,
        in environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> ExtensibleSubscription? {
        try await transaction.query(
            """
            \(ExtensibleSubscription.selection)
            WHERE s.app_id = \(app) AND s.store = \(store) AND s.environment = \(environment)
                AND (s.original_transaction_id = \(original) OR s.id = (
                    SELECT a.subscription_id
                    FROM subscription_aliases a
                    WHERE a.app_id = \(app) AND a.store = \(store) AND a.environment = \(environment)
                        AND a.original_transaction_id = \(original)))
            """
        ).first.map(ExtensibleSubscription.init(row:))
    }

    /// The extension of a target of which the store has not said yet what became of it. Who asks is alone with the target from then on:
    /// of two at once the second sees the first.
    package func underWay(
        for target: RenewalExtension.Target,
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws -> RenewalExtension.ID? {
        let isSame: Query
        switch target {
        case .subscription(let id, let original):
            try await lock(original, app, store, environment)
            isSame = "subscription_id = \(id)"
        case .product(let product, let storefronts):
            try await lock(product, app, store, environment)
            isSame = """
                store_product_id = \(product)
                    AND (storefronts IS NULL OR \(storefronts == nil) OR storefronts && \(storefronts ?? [])::text[])
                """
        }
        return try await transaction.query(
            """
            SELECT id
            FROM renewal_extensions
            WHERE app_id = \(app) AND store = \(store) AND environment = \(environment) AND finished_at IS NULL
                AND state IN ('sending', 'running') AND \(isSame)
            LIMIT 1
            """
        ).first?.decode(0, as: RenewalExtension.ID.self)
    }

    /// Locks a product's extensions for one writer, so that a failure and a summary that arrive at once see each other.
    private func lock(_ product: String, _ app: App.ID, _ store: Store, _ environment: StoreEnvironment) async throws {
        let name = "\(app.description) \(store.rawValue) \(environment.rawValue) \(product)"
        try await transaction.lock("SELECT pg_advisory_xact_lock(hashtextextended(\(name), 14))")
    }

    /// A failure belongs to the extension that was completed first after it; else to the newest one under way; else to the one that
    /// was completed last. An extension that was not requested here is taken to begin 30 days before its summary, and a refused one
    /// extends nobody.
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
                    SELECT x.id
                    FROM renewal_extensions x
                    WHERE x.app_id = f.app_id AND x.store = f.store AND x.environment = f.environment
                        AND x.store_product_id = f.store_product_id AND x.state <> 'refused'
                        AND coalesce(x.requested_at, x.finished_at - interval '30 days') <= f.failed_at
                    ORDER BY CASE WHEN x.finished_at >= f.failed_at THEN 0 WHEN x.finished_at IS NULL THEN 1 ELSE 2 END,
                        CASE WHEN x.finished_at >= f.failed_at THEN x.finished_at END,
                        coalesce(x.finished_at, x.requested_at) DESC, x.id
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
