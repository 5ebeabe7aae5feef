package import Billing
package import Foundation
import Postgres

extension CustomerSessionWrites {
    /// The one live session of an app's own tokens for a customer, begun where there is none; good until the newest of them ends.
    ///
    /// Two servers that meet a customer's first token at once make one session: the unique index lets one in, and the other finds it.
    ///
    /// - Parameters:
    ///   - subject: SHA-256 of the issuer's name of the customer.
    ///   - start: the time at which the token was issued.
    /// - Returns: nil where a session of theirs was ended since then; the transaction is to be given up.
    package func continueIssued(
        for customer: Customer.ID,
        of app: App.ID,
        subject: [UInt8],
        issuedAt start: Date,
        until end: Date
    ) async throws -> CustomerSession.ID? {
        let id = CustomerSession.ID(transaction.newUUID())
        let row = try await transaction.query(
            """
            INSERT INTO customer_sessions AS s (id, app_id, customer_id, method, subject_hash, created_at, expires_at)
            VALUES (\(id), \(app), \(customer), \(CustomerSession.Method.issuer), \(subject), \(transaction.now), \(end))
            ON CONFLICT (app_id, subject_hash) WHERE ended_at IS NULL DO UPDATE
            SET customer_id = excluded.customer_id, expires_at = greatest(s.expires_at, excluded.expires_at)
            RETURNING s.id
            """
        ).first
        // Asked once the live row is ours: whoever ended one before is seen.
        let isOver =
            try await transaction.query(
                """
                SELECT FROM customer_sessions
                WHERE app_id = \(app) AND subject_hash = \(subject) AND ended_at >= \(start)
                LIMIT 1
                """
            ).first != nil
        return isOver ? nil : try row?.decode(0, as: CustomerSession.ID.self)
    }
}
