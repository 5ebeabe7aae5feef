import Foundation
import Postgres

extension TestSite {
    static let renewalExtension = "00000000-0000-7000-8000-0000000000e5"

    /// Adds a renewal extension of readmigo's, for all subscribers of a product, which Apple refused.
    func addRenewalExtension() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO renewal_extensions (id, app_id, store, environment, request_identifier, store_product_id, days,
                        reason_code, reason, requested_as, requested_at, state, error_code, error, finished_at)
                    SELECT '\(Self.renewalExtension)', app_id, 'apple', 'production', 'r1', store_product_id, 7, 3,
                        'The reader was down.', 'eve', now(), 'refused', 4030004, 'It is <not> eligible.', now()
                    FROM products
                    WHERE app_id = '\(Self.readmigo)'
                    ORDER BY store_product_id
                    LIMIT 1
                    """
            )
        }
    }
}
