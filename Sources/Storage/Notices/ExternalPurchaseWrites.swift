package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var externalPurchases: ExternalPurchaseWrites { ExternalPurchaseWrites(transaction: self) }
}

/// Keeps the tokens of purchases outside of a store.
package struct ExternalPurchaseWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps what the store says of a token; what it signed last decides where it stands.
    package func note(
        _ token: StoreNotice.ExternalPurchaseNotice,
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        signedAt: Date
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO external_purchase_tokens AS t
                (id, app_id, store, environment, external_purchase_id, state, token_type, created_at, expires_at, told_at,
                 recorded_at)
            VALUES
                (\(transaction.newUUID()), \(app), \(store), \(environment), \(token.externalPurchaseID), \(token.state),
                 \(token.tokenType), \(token.createdAt), \(token.expiresAt), \(signedAt), \(transaction.now))
            ON CONFLICT ON CONSTRAINT a_token_is_known_once DO UPDATE
            SET state = CASE WHEN excluded.told_at > t.told_at THEN excluded.state ELSE t.state END,
                told_at = greatest(t.told_at, excluded.told_at),
                token_type = CASE WHEN excluded.told_at > t.told_at THEN coalesce(excluded.token_type, t.token_type)
                    ELSE coalesce(t.token_type, excluded.token_type) END,
                created_at = CASE WHEN excluded.told_at > t.told_at THEN coalesce(excluded.created_at, t.created_at)
                    ELSE coalesce(t.created_at, excluded.created_at) END,
                expires_at = CASE WHEN excluded.told_at > t.told_at THEN coalesce(excluded.expires_at, t.expires_at)
                    ELSE coalesce(t.expires_at, excluded.expires_at) END
            """
        )
    }

    /// Locks a token for a change.
    package func lock(_ id: ExternalPurchaseToken.ID, of app: App.ID) async throws -> ExternalPurchaseToken? {
        try await transaction.lock(
            """
            SELECT \(ExternalPurchaseToken.columns)
            FROM external_purchase_tokens t
            WHERE t.id = \(id) AND t.app_id = \(app)
            FOR NO KEY UPDATE
            """
        ).first.map(ExternalPurchaseToken.init(row:))
    }

    /// Keeps that a person reported it to the store.
    package func noteReported(_ id: ExternalPurchaseToken.ID) async throws {
        try await transaction.query(
            "UPDATE external_purchase_tokens SET reported_at = \(transaction.now) WHERE id = \(id)"
        )
    }
}
