package import Billing
package import Foundation
import Postgres

/// A customer's profile, and their sign-in identities.
package struct CustomerProfile: Sendable {
    package var customer: Customer.ID
    package var name: Personal<String>?
    package var email: Personal<String>?
    package var avatarURL: Personal<String>?
    package var createdAt: Date
    /// The time of their last sign-in, or of the last token that their app had made for them.
    package var lastSignInAt: Date
    /// The most recently used first; empty for a customer whom only the app names.
    package var providers: [AuthProvider]
}

extension Reader {
    /// nil where the app has no such customer, or no longer.
    package func profile(of customer: Customer.ID, app: App.ID) async throws -> CustomerProfile? {
        try await query(
            """
            SELECT c.name, c.email, c.avatar_url, c.created_at, coalesce(
                    (SELECT max(i.last_sign_in_at) FROM sign_in_identities i WHERE i.customer_id IN (\(Self.own(customer)))),
                    (SELECT max(s.created_at) FROM customer_sessions s WHERE s.customer_id IN (\(Self.own(customer)))),
                    c.created_at
                ),
                ARRAY(
                    SELECT i.provider FROM sign_in_identities i
                    WHERE i.customer_id IN (\(Self.own(customer)))
                    GROUP BY i.provider
                    ORDER BY max(i.last_sign_in_at) DESC, i.provider
                )
            FROM customers c
            WHERE c.id = \(customer) AND c.app_id = \(app) AND c.merged_into IS NULL AND c.deleted_at IS NULL
            """
        ).first.map { row in
            let (name, email, avatarURL, createdAt, lastSignInAt, providers) = try row.decode(
                Personal<String>?.self,
                Personal<String>?.self,
                Personal<String>?.self,
                Date.self,
                Date.self,
                [String].self
            )
            return CustomerProfile(
                customer: customer,
                name: name,
                email: email,
                avatarURL: avatarURL,
                createdAt: createdAt,
                lastSignInAt: lastSignInAt,
                providers: providers.compactMap(AuthProvider.init(rawValue:))
            )
        }
    }

    private static func own(_ customer: Customer.ID) -> Query {
        "SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer)"
    }
}

extension CustomerWrites {
    /// Replaces what a customer shows of themselves.
    ///
    /// - Returns: false where the app has no such customer, or no longer.
    package func setProfile(
        name: Personal<String>,
        email: Personal<String>?,
        avatarURL: Personal<String>?,
        of customer: Customer.ID,
        app: App.ID
    ) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE customers
            SET name = \(name), email = \(email), avatar_url = \(avatarURL)
            WHERE id = \(customer) AND app_id = \(app) AND merged_into IS NULL AND deleted_at IS NULL
            """
        ).affectedRows == 1
    }
}
