package import Billing
import Foundation
import Postgres

/// The owner of a purchase whose proof was refused.
package struct RefusedOwner: Sendable {
    /// The part of them that the app tells.
    package var hint: OwnerHint
    /// The provider that they signed in with last.
    package var provider: AuthProvider?
    package var email: Personal<String>?
}

extension Queries {
    /// nil unless all that a verification's proof is of belongs to others than who sent it.
    package func refusedOwner(of verification: PurchaseVerification) async throws -> RefusedOwner? {
        try await reader.query(
            """
            SELECT a.owner_hint, i.provider, coalesce(i.email, owner.email)
            FROM purchase_claims c
            JOIN subscriptions s ON s.id = c.subscription_id
            JOIN customers owner ON owner.id = s.customer_id
            JOIN apps a ON a.id = owner.app_id
            LEFT JOIN LATERAL (
                SELECT provider, email
                FROM sign_in_identities
                WHERE customer_id = owner.id
                ORDER BY last_sign_in_at DESC, id
                LIMIT 1
            ) i ON true
            WHERE c.verification_id = \(verification.id) AND c.outcome = 'refused' AND s.customer_id <> \(verification.customer)
                AND NOT EXISTS (
                    SELECT
                    FROM purchase_claims other
                    JOIN subscriptions had ON had.id = other.subscription_id
                    WHERE other.verification_id = \(verification.id)
                        AND (other.outcome NOT IN ('refused', 'unproven') OR had.customer_id = \(verification.customer)))
            ORDER BY s.created_at DESC, s.id
            LIMIT 1
            """
        ).first.map { row in
            let (hint, provider, email) = try row.decode(OwnerHint.self, AuthProvider?.self, Personal<String>?.self)
            return RefusedOwner(hint: hint, provider: provider, email: email)
        }
    }
}
