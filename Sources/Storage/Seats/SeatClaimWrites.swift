package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var seatClaims: SeatClaimWrites { SeatClaimWrites(transaction: self) }
}

/// Keeps the seats that members hold by our own claims.
package struct SeatClaimWrites: Sendable {
    let transaction: WriteTransaction

    /// Ends the claims that the store has ended; an id that is no claim of the app's, and a claim that has ended, change nothing.
    ///
    /// - Parameters:
    ///   - ids: the store's ids.
    ///   - signedAt: the time at which the store signed it.
    package func end(_ ids: [String], of app: App.ID, at store: Store, signedAt: Date) async throws {
        try await transaction.query(
            """
            UPDATE seat_claims
            SET ended_at = greatest(\(signedAt), requested_at), ended_by = 'unclaimed'
            WHERE app_id = \(app) AND store = \(store) AND store_claim_id = ANY(\(ids)) AND ended_at IS NULL
            """
        )
    }
}
