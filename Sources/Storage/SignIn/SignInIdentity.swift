package import Billing
package import Foundation
import Postgres

/// A customer's identity at a provider that they sign in with.
package struct SignInIdentity: Sendable, Identifiable {
    package typealias ID = Identifier<SignInIdentity>

    package var id: ID
    package var provider: AuthProvider
    package var linkedAt: Date
    package var lastSignInAt: Date

    package init(id: ID, provider: AuthProvider, linkedAt: Date, lastSignInAt: Date) {
        self.id = id
        self.provider = provider
        self.linkedAt = linkedAt
        self.lastSignInAt = lastSignInAt
    }
}

extension AuthProvider: PostgresEncodable, PostgresDecodable {}

/// A provider's facts about a person who signs in, as they are kept.
package struct ProvidedIdentity: Sendable {
    package var provider: AuthProvider
    /// The provider's ids of the person, the most permanent first.
    package var subjects: [String]
    package var clientID: String
    package var email: Personal<String>?
    package var name: Personal<String>?
    package var avatarURL: Personal<String>?

    package init(
        provider: AuthProvider,
        subjects: [String],
        clientID: String,
        email: Personal<String>? = nil,
        name: Personal<String>? = nil,
        avatarURL: Personal<String>? = nil
    ) {
        self.provider = provider
        self.subjects = subjects
        self.clientID = clientID
        self.email = email
        self.name = name
        self.avatarURL = avatarURL
    }
}

extension Queries {
    /// A customer's sign-in identities in the order in which they were linked; those of customers merged into them, too.
    package func signInIdentities(of customer: Customer.ID) async throws -> [SignInIdentity] {
        try await reader.query(
            """
            SELECT i.id, i.provider, i.created_at, i.last_sign_in_at
            FROM sign_in_identities i
            WHERE i.customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY i.created_at, i.id
            LIMIT 100
            """
        ).map { row in
            let (id, provider, linkedAt, lastSignInAt) = try row.decode(
                SignInIdentity.ID.self,
                AuthProvider.self,
                Date.self,
                Date.self
            )
            return SignInIdentity(id: id, provider: provider, linkedAt: linkedAt, lastSignInAt: lastSignInAt)
        }
    }

    /// The providers whose accounts a customer shares with, or was refused because of, another identified customer.
    package func refusedLinks(of customer: Customer.ID) async throws -> [AuthProvider] {
        try await reader.query(
            """
            WITH own AS (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            SELECT DISTINCT i.provider
            FROM refused_links l
            JOIN sign_in_identities i ON i.id = l.identity_id
            WHERE (l.customer_id IN (SELECT id FROM own)) <> (i.customer_id IN (SELECT id FROM own))
                AND (l.customer_id IN (SELECT id FROM own) OR l.identity_id IN (
                    SELECT id FROM sign_in_identities WHERE customer_id IN (SELECT id FROM own)
                ))
            ORDER BY i.provider
            """
        ).map { try $0.decode(0, as: AuthProvider.self) }
    }
}
