package import Billing
import Postgres

extension Reader {
    package var seatClaims: SeatClaimReads { SeatClaimReads(reader: self) }
}

/// Reads the seats that members hold by our own claims.
package struct SeatClaimReads: Sendable {
    let reader: Reader

    /// The app whose claims a store's message is about; nil where no app has any of them.
    ///
    /// - Parameter ids: as the store calls them; nobody has verified them.
    package func app(of ids: [String], at store: Store) async throws -> App.ID? {
        let kept = ids.prefix(Self.mostLookedUp).filter {
            $0.utf8.count <= StoreEvent.longestIdentifier && !$0.utf8.contains(0)
        }
        return try await reader.query(
            "SELECT app_id FROM seat_claims WHERE store = \(store) AND store_claim_id = ANY(\(Array(kept))) LIMIT 1"
        ).first?.decode(0, as: App.ID.self)
    }

    /// True if a subscription is a seat that somebody else pays for.
    ///
    /// - Parameter environment: nil for any.
    package func isAssigned(
        _ originalTransactionID: String,
        at store: Store,
        in environment: StoreEnvironment?,
        of app: App.ID
    ) async throws -> Bool {
        let environments = (environment.map { [$0] } ?? StoreEnvironment.allCases).map(\.rawValue)
        return try await !reader.query(
            """
            SELECT
            FROM subscriptions
            WHERE app_id = \(app) AND store = \(store) AND environment = ANY(\(environments))
                AND original_transaction_id = \(originalTransactionID) AND is_assigned
            """
        ).isEmpty
    }

    private static let mostLookedUp = 1_000
}
