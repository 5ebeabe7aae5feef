package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var signIns: SignInWrites { SignInWrites(transaction: self) }
}

/// The writes of sign-ins and their identities. Times are the transaction's.
package struct SignInWrites: Sendable {
    let transaction: WriteTransaction

    /// A person's identity at a provider, and its current owner.
    package struct Owned: Sendable {
        package var identity: SignInIdentity.ID
        /// The customer, or the one that they were merged into.
        package var customer: Customer.ID
        package var lastSignInAt: Date
    }

    /// Notes that codes, tokens and nonces were used.
    ///
    /// - Parameter digests: SHA-256 of each.
    /// - Returns: false where one was used before.
    package func use(_ digests: [[UInt8]], of app: App.ID) async throws -> Bool {
        try await transaction.pipeline(
            digests.map { digest in
                """
                INSERT INTO used_credentials (app_id, digest, used_at)
                VALUES (\(app), \(digest), \(transaction.now))
                ON CONFLICT ON CONSTRAINT a_credential_is_used_once DO NOTHING
                """
            }
        ).allSatisfy { $0.affectedRows == 1 }
    }

    /// Makes simultaneous sign-ins of the same person wait until the transaction ends.
    ///
    /// - Parameter subjects: the provider's ids of the person.
    package func lock(_ subjects: [String], at provider: AuthProvider, app: App.ID) async throws {
        for subject in Set(subjects).sorted() {
            let key = "sign-in \(app.description) \(provider.rawValue) \(subject)"
            try await transaction.lock("SELECT pg_advisory_xact_lock(hashtextextended(\(key), 0))")
        }
    }

    /// The owner of a person's identity; nil for somebody who signs in for the first time.
    ///
    /// - Parameter subjects: the provider's ids of the person; the first that is known decides.
    package func owner(
        of subjects: [String],
        at provider: AuthProvider,
        app: App.ID
    ) async throws -> Owned? {
        try await transaction.query(
            """
            SELECT i.id, coalesce(c.merged_into, c.id), i.last_sign_in_at
            FROM sign_in_subjects s
            JOIN sign_in_identities i ON i.id = s.identity_id
            JOIN customers c ON c.id = i.customer_id
            WHERE s.app_id = \(app) AND s.provider = \(provider) AND s.subject = ANY(\(subjects))
            ORDER BY array_position(\(subjects), s.subject)
            LIMIT 1
            """
        ).first.map { row in
            let (identity, customer, at) = try row.decode(SignInIdentity.ID.self, Customer.ID.self, Date.self)
            return Owned(identity: identity, customer: customer, lastSignInAt: at)
        }
    }

    /// Locks a customer until the transaction ends: nobody deletes them or joins them with another meanwhile.
    ///
    /// - Returns: false where there is none, or no longer.
    package func lock(_ customer: Customer.ID, of app: App.ID) async throws -> Bool {
        try await !transaction.lock(
            """
            SELECT 1
            FROM customers
            WHERE id = \(customer) AND app_id = \(app) AND merged_into IS NULL AND deleted_at IS NULL
            FOR NO KEY UPDATE
            """
        ).isEmpty
    }

    /// A customer of whom nothing is known yet but that they have signed in.
    package func makeCustomer(of app: App.ID) async throws -> Customer.ID {
        let (id, token) = (Customer.ID(transaction.newUUID()), transaction.newUUID())
        try await transaction.query(
            """
            INSERT INTO customers (id, app_id, key, app_account_token, identified_at, created_at, recorded_at)
            VALUES (\(id), \(app), \(token.uuidString.lowercased()), \(token), \(transaction.now), \(transaction.now),
                \(transaction.now))
            """
        )
        return id
    }

    /// True if a customer, who is locked, already signs in at a provider.
    package func hasIdentity(of customer: Customer.ID, at provider: AuthProvider) async throws -> Bool {
        try await !transaction.query(
            "SELECT 1 FROM sign_in_identities WHERE customer_id = \(customer) AND provider = \(provider) LIMIT 1"
        ).isEmpty
    }

    /// Links a person who signs in for the first time to a customer, who is identified from now on.
    package func link(
        _ provided: ProvidedIdentity,
        to customer: Customer.ID,
        of app: App.ID
    ) async throws -> SignInIdentity.ID {
        let id = SignInIdentity.ID(transaction.newUUID())
        try await transaction.query(
            """
            INSERT INTO sign_in_identities (id, app_id, customer_id, provider, client_id, created_at, last_sign_in_at)
            VALUES (\(id), \(app), \(customer), \(provided.provider), \(provided.clientID), \(transaction.now),
                \(transaction.now))
            """
        )
        try await transaction.query(
            "UPDATE customers SET identified_at = \(transaction.now) WHERE id = \(customer) AND identified_at IS NULL"
        )
        return id
    }

    /// Keeps what a provider said of somebody who signs in now. What the customer says of themselves stays; what they have not
    /// said is the provider's. Letters in two pieces are composed (NFC).
    ///
    /// - Parameter sealedRefreshToken: nil where the provider gave none; an earlier one stays.
    package func note(
        _ provided: ProvidedIdentity,
        of identity: SignInIdentity.ID,
        _ customer: Customer.ID,
        app: App.ID,
        sealedRefreshToken: [UInt8]?
    ) async throws {
        try await transaction.pipeline([
            """
            INSERT INTO sign_in_subjects (app_id, provider, subject, identity_id)
            SELECT \(app), \(provided.provider), subject, \(identity) FROM unnest(\(provided.subjects)) AS s(subject)
            ORDER BY subject
            ON CONFLICT ON CONSTRAINT a_subject_is_one_person DO NOTHING
            """,
            """
            UPDATE sign_in_identities
            SET client_id = \(provided.clientID), email = coalesce(normalize(\(provided.email), NFC), email),
                name = coalesce(normalize(\(provided.name), NFC), name),
                avatar_url = coalesce(\(provided.avatarURL), avatar_url),
                sealed_refresh_token = coalesce(\(sealedRefreshToken), sealed_refresh_token),
                last_sign_in_at = greatest(last_sign_in_at, \(transaction.now))
            WHERE id = \(identity)
            """,
            """
            UPDATE customers
            SET name = coalesce(name, normalize(\(provided.name), NFC)),
                email = coalesce(email, normalize(\(provided.email), NFC)),
                avatar_url = coalesce(avatar_url, \(provided.avatarURL))
            WHERE id = \(customer)
            """,
        ])
    }

    /// Keeps that a customer signed in with what belongs to another one.
    package func refuseLink(of identity: SignInIdentity.ID, to customer: Customer.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO refused_links (identity_id, customer_id, refused_at)
            VALUES (\(identity), \(customer), \(transaction.now))
            ON CONFLICT (identity_id, customer_id) DO UPDATE SET refused_at = excluded.refused_at
            """
        )
    }
}

extension Database {
    /// Forgets which codes, tokens and nonces were used before a moment.
    ///
    /// - Returns: how many.
    package func forgetUsedCredentials(before moment: Date) async throws -> Int {
        try await writeAlone("DELETE FROM used_credentials WHERE used_at < \(moment)").affectedRows
    }
}
