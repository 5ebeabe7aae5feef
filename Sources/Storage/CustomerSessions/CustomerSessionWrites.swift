package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var customerSessions: CustomerSessionWrites { CustomerSessionWrites(transaction: self) }
}

package struct CustomerSessionWrites: Sendable {
    let transaction: WriteTransaction

    /// - Parameter end: of its newest token.
    package func begin(
        _ method: CustomerSession.Method,
        for customer: Customer.ID,
        of app: App.ID,
        until end: Date
    ) async throws -> CustomerSession.ID {
        let id = CustomerSession.ID(transaction.newUUID())
        try await transaction.query(
            """
            INSERT INTO customer_sessions (id, app_id, customer_id, method, created_at, expires_at)
            VALUES (\(id), \(app), \(customer), \(method), \(transaction.now), \(end))
            """
        )
        return id
    }

    /// - Returns: false where it had ended.
    package func end(_ session: CustomerSession.ID) async throws -> Bool {
        try await transaction.query(
            "UPDATE customer_sessions SET ended_at = \(transaction.now) WHERE id = \(session) AND ended_at IS NULL"
        ).affectedRows == 1
    }

    /// Ends every session of a customer.
    ///
    /// - Returns: how many were live.
    package func endAll(of customer: Customer.ID) async throws -> Int {
        try await transaction.query(
            """
            UPDATE customer_sessions
            SET ended_at = \(transaction.now)
            WHERE ended_at IS NULL
                AND customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            """
        ).affectedRows
    }

    /// The session that a refresh token is of, with where that and its successors stand; locked until the transaction ends, so that of
    /// two who send it at once the second sees what the first did.
    ///
    /// - Returns: nil where there is none; also one whose session has ended.
    package func lock(refreshToken hash: [UInt8]) async throws -> LockedRefreshToken? {
        let row = try await transaction.lock(
            """
            SELECT s.id, s.app_id, a.slug, coalesce(k.merged_into, k.id), s.ended_at IS NOT NULL
            FROM refresh_tokens t
            JOIN customer_sessions s ON s.id = t.session_id
            JOIN apps a ON a.id = s.app_id
            JOIN customers k ON k.id = s.customer_id
            WHERE t.token_hash = \(hash)
            FOR UPDATE OF s
            """
        ).first
        guard let row else { return nil }
        let (session, app, slug, customer, hasEnded) = try row.decode(
            CustomerSession.ID.self,
            App.ID.self,
            String.self,
            Customer.ID.self,
            Bool.self
        )
        let states = try await transaction.query(
            """
            SELECT token_hash = \(hash), used_at IS NOT NULL, voided_at IS NOT NULL, expires_at
            FROM refresh_tokens
            WHERE token_hash = \(hash) OR replaces = \(hash) AND voided_at IS NULL
            """
        ).map { row in
            let (isPresented, isUsed, isVoided, end) = try row.decode(Bool.self, Bool.self, Bool.self, Date.self)
            return (isPresented, RefreshTokenState(isUsed: isUsed, isVoided: isVoided, expiresAt: end))
        }
        guard let presented = states.first(where: \.0)?.1 else { return nil }
        return LockedRefreshToken(
            session: session,
            app: app,
            appSlug: slug,
            customer: customer,
            hasEnded: hasEnded,
            presented: presented,
            successors: states.filter { !$0.0 }.map(\.1)
        )
    }

    /// - Parameter replaced: the hash of the token whose use makes this one; nil for a session's first.
    package func issue(
        refreshToken hash: [UInt8],
        for session: CustomerSession.ID,
        replacing replaced: [UInt8]?,
        until end: Date
    ) async throws {
        if let replaced {
            try await transaction.pipeline([
                """
                UPDATE refresh_tokens
                SET used_at = \(transaction.now)
                WHERE token_hash = \(replaced) AND used_at IS NULL
                """,
                """
                UPDATE refresh_tokens
                SET voided_at = \(transaction.now)
                WHERE replaces = (SELECT replaces FROM refresh_tokens WHERE token_hash = \(replaced))
                    AND token_hash <> \(replaced) AND voided_at IS NULL AND used_at IS NULL
                """,
                "UPDATE customer_sessions SET expires_at = greatest(expires_at, \(end)) WHERE id = \(session)",
            ])
        }
        try await transaction.query(
            """
            INSERT INTO refresh_tokens (token_hash, session_id, replaces, created_at, expires_at)
            VALUES (\(hash), \(session), \(replaced), \(transaction.now), \(end))
            """
        )
    }
}

/// A refresh token that was presented, with its session locked.
package struct LockedRefreshToken: Sendable {
    package var session: CustomerSession.ID
    package var app: App.ID
    package var appSlug: String
    package var customer: Customer.ID
    /// True if the session has ended; then none of its tokens is accepted, whatever their state.
    package var hasEnded: Bool
    package var presented: RefreshTokenState
    /// The tokens that replaced it; without void ones.
    package var successors: [RefreshTokenState]
}

extension Database {
    /// Forgets sessions that ended, or whose newest token expired, before a moment.
    ///
    /// - Returns: how many.
    package func forgetCustomerSessions(endedBefore moment: Date) async throws -> Int {
        try await writeAlone(
            "DELETE FROM customer_sessions WHERE expires_at < \(moment) OR ended_at < \(moment)"
        ).affectedRows
    }
}
