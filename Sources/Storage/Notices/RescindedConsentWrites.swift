package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var rescindedConsents: RescindedConsentWrites { RescindedConsentWrites(transaction: self) }
}

/// Keeps for which accounts the use of an app is blocked because a parent withdrew their consent.
package struct RescindedConsentWrites: Sendable {
    let transaction: WriteTransaction

    /// The first message that says so decides since when.
    package func note(
        _ consent: StoreNotice.RescindedConsent,
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        signedAt: Date
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO rescinded_consents AS c
                (id, app_id, store, environment, app_transaction_id, rescinded_at, recorded_at)
            VALUES
                (\(transaction.newUUID()), \(app), \(store), \(environment), \(consent.appTransactionID), \(signedAt),
                 \(transaction.now))
            ON CONFLICT ON CONSTRAINT a_consent_is_rescinded_once DO UPDATE SET rescinded_at = excluded.rescinded_at
            WHERE excluded.rescinded_at < c.rescinded_at
            """
        )
    }
}
