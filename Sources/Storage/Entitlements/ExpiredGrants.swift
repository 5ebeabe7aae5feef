import Billing
import Foundation
import Postgres

extension EntitlementSourceWrites {
    /// Writes down that the time of the next few grants is over, each end once; those that somebody else is at work on are left to
    /// the next call. What customers may use has ended without it.
    ///
    /// - Returns: how many there were.
    package func expireGrants(limit: Int) async throws -> Int {
        try await transaction.query(
            """
            UPDATE grants
            SET expired_at = ends_at, updated_at = \(transaction.now)
            WHERE id = ANY(ARRAY(
                SELECT id
                FROM grants
                WHERE ended_at IS NULL AND ends_at IS DISTINCT FROM expired_at AND ends_at <= \(transaction.now)
                ORDER BY ends_at, id
                LIMIT \(limit)
                FOR NO KEY UPDATE SKIP LOCKED))
            """
        ).affectedRows
    }
}
