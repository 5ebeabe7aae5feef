import Foundation
import Postgres

extension TestSite {
    static let promoBatch = "00000000-0000-7000-8000-0000000000f5"

    /// Adds a batch of readmigo's, with one code that nobody redeemed; its plan PRO exists already.
    func addPromoBatch() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO promo_batches (id, app_id, name, channel, plan_id, days, code_count, uses_per_code,
                        uses_per_customer, created_as, created_at)
                    SELECT '\(Self.promoBatch)', app_id, 'Fair', 'fair', id, 30, 1, 1, 1, 'eve', now()
                    FROM plans
                    WHERE app_id = '\(Self.readmigo)' AND code = 'PRO';
                    INSERT INTO promo_codes (batch_id, number, code_hash, max_uses)
                    VALUES ('\(Self.promoBatch)', 1, sha256('code'), 1)
                    """
            )
        }
    }
}
