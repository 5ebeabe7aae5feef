import Foundation
import Postgres

extension TestSite {
    static let externalPurchase = "00000000-0000-7000-8000-0000000000c5"

    /// Adds three external purchases of readmigo's: one that is due, one that is due again, and one of the sandbox that was
    /// reported.
    func addExternalPurchases() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO external_purchase_tokens (id, app_id, store, environment, external_purchase_id, state, token_type,
                        created_at, told_at, recorded_at, reported_at)
                    SELECT id::uuid, '\(Self.readmigo)', 'apple', environment, token, state, 'SERVICES', now() - interval '9 days',
                        told, now(), reported
                    FROM (VALUES
                        ('\(Self.externalPurchase)', 'production', 'x<1>', 'unreported', timestamptz '2026-01-03Z', NULL),
                        ('00000000-0000-7000-8000-0000000000c6', 'production', 'x2', 'reminded', timestamptz '2026-01-02Z',
                         timestamptz '2026-01-01Z'),
                        ('00000000-0000-7000-8000-0000000000c7', 'sandbox', 'SANDBOX_3', 'created', timestamptz '2026-01-01Z',
                         timestamptz '2026-01-02Z')
                    ) AS v (id, environment, token, state, told, reported);
                    """
            )
        }
    }
}
