import Foundation
import Postgres

extension TestSite {
    static let verification = "00000000-0000-7000-8000-0000000000e9"

    /// Adds a verification of readmigo's that waits for Apple.
    func addVerification() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO purchase_verifications
                        (id, app_id, customer_id, store, form, proof, digest, state, problem, requested_at)
                    VALUES ('\(Self.verification)', '\(Self.readmigo)', '\(Self.customer)', 'apple', 'transaction_id', '{2000}',
                        decode(repeat('00', 32), 'hex'), 'pending', 'The App Store Server API did not answer.', now());
                    """
            )
        }
    }
}
