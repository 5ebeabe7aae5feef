package import Billing
import Foundation
import Postgres

/// A sign-in that is to be ended at its provider.
package struct SignInRevocation: Sendable, Identifiable {
    package typealias ID = Identifier<SignInRevocation>

    package var id: ID
    package var provider: AuthProvider
    package var clientID: String
    /// For its id.
    package var sealedRefreshToken: [UInt8]

    /// The waits go up to an hour: more than a day.
    package static let maxAttempts = 36
}

extension Reader {
    /// nil when it was done.
    package func signInRevocation(_ id: SignInRevocation.ID, of app: App.ID) async throws -> SignInRevocation? {
        try await query(
            """
            SELECT provider, client_id, sealed_refresh_token
            FROM sign_in_revocations
            WHERE id = \(id) AND app_id = \(app)
            """
        ).first.map { row in
            let (provider, clientID, sealed) = try row.decode(AuthProvider.self, String.self, [UInt8].self)
            return SignInRevocation(id: id, provider: provider, clientID: clientID, sealedRefreshToken: sealed)
        }
    }
}

extension SignInWrites {
    /// Forgets one that was done.
    package func forget(_ revocation: SignInRevocation.ID) async throws {
        try await transaction.query("DELETE FROM sign_in_revocations WHERE id = \(revocation)")
    }

    /// Takes an identity away from its customer. What its provider has to be told remains as a revocation of the same id.
    ///
    /// - Parameter isOver: that the sign-in has ended at the provider already.
    /// - Returns: the revocations that are to be done.
    package func remove(
        _ identities: [SignInIdentity.ID],
        isOver: Bool = false
    ) async throws -> [SignInRevocation.ID] {
        let ids = identities.map(\.uuid)
        var revocations: [SignInRevocation.ID] = []
        if !isOver {
            revocations = try await transaction.query(
                """
                INSERT INTO sign_in_revocations (id, app_id, provider, client_id, sealed_refresh_token, requested_at)
                SELECT id, app_id, provider, client_id, sealed_refresh_token, \(transaction.now)
                FROM sign_in_identities
                WHERE id = ANY(\(ids)) AND sealed_refresh_token IS NOT NULL
                RETURNING id
                """
            ).map { try $0.decode(0, as: SignInRevocation.ID.self) }
        }
        try await transaction.query("DELETE FROM sign_in_identities WHERE id = ANY(\(ids))")
        return revocations
    }

    /// A customer's sign-in identities, locked; those of customers merged into them, too.
    package func identities(of customer: Customer.ID) async throws -> [SignInIdentity] {
        try await transaction.lock(
            """
            SELECT id, provider, created_at, last_sign_in_at
            FROM sign_in_identities
            WHERE customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY id
            FOR UPDATE
            """
        ).map { row in
            let (id, provider, linkedAt, at) = try row.decode(
                SignInIdentity.ID.self,
                AuthProvider.self,
                Date.self,
                Date.self
            )
            return SignInIdentity(id: id, provider: provider, linkedAt: linkedAt, lastSignInAt: at)
        }
    }

    /// Ends the sessions that a customer began with a provider, and forgets the refresh token, which is dead.
    ///
    /// - Returns: how many sessions were live.
    package func endSessions(
        of customer: Customer.ID,
        begunWith method: CustomerSession.Method,
        _ identity: SignInIdentity.ID
    ) async throws -> Int {
        try await transaction.query(
            "UPDATE sign_in_identities SET sealed_refresh_token = NULL WHERE id = \(identity)"
        )
        return try await transaction.query(
            """
            UPDATE customer_sessions
            SET ended_at = \(transaction.now)
            WHERE ended_at IS NULL AND method = \(method)
                AND customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            """
        ).affectedRows
    }
}
