import Billing
package import Foundation
package import Storage

extension StaffSession {
    /// The time, in seconds, after an authentication during which sensitive actions need no further one.
    package static let freshTime: TimeInterval = 600

    /// True if the person authenticated within the last ten minutes.
    package func isFresh(at now: Date) -> Bool {
        now.timeIntervalSince(authenticatedAt) <= Self.freshTime
    }
}

/// A session that goes on under another token.
package struct RenewedSession: Sendable {
    package let token: SecretToken
    package let auditEntry: UUID
}

extension BackOffice {
    /// Has somebody who is signed in prove once more who they are: with the password, or with a code of the second factor.
    ///
    /// - Returns: the session's new token; the old one is good no more.
    /// - Throws: `OperationsError` with `.invalid` and the field `password` or `code`, `.blocked` after too many tries.
    package func confirmIdentity(
        of session: StaffSession,
        _ token: SecretToken,
        password: String?,
        code: String?,
        caller: Caller
    ) async throws -> SecretToken {
        let fresh = SecretToken.random()
        let account = try await database.readPrimary { try await $0.staff.find(session.staff) }
        let matches = if let password { try await isPassword(password, of: account) } else { false }
        return try await counting(session.staff, caller, field: password == nil ? "code" : "password") { transaction in
            if password == nil {
                guard try await take(code ?? "", of: session.staff, in: transaction) != nil else { return nil }
            } else {
                guard matches else { return nil }
            }
            guard try await transaction.sessions.renew(tokenHash: token.hash, as: fresh.hash) else {
                throw OperationsError(.conflict, "The session has ended.")
            }
            try await transaction.audit.append(caller.entry(.confirmSession))
            return fresh
        }
    }

    /// Gives oneself another password; every other session ends, a link back in opens nothing any more, and every other
    /// browser is a stranger again.
    ///
    /// - Parameter device: the token of the browser that asks.
    /// - Throws: `OperationsError` with `.invalid` and the field `old` or `password`, `.blocked` after too many tries.
    package func changeOwnPassword(
        of session: StaffSession,
        _ token: SecretToken,
        from old: String,
        to new: String,
        tokens: TokensAtReset = .revoked,
        on device: SecretToken? = nil,
        caller: Caller
    ) async throws -> RenewedSession {
        try PasswordRules.check(new, email: session.email)
        guard old != new else {
            throw OperationsError(.invalid, "The new password is the old one.", field: "password")
        }
        let account = try await database.readPrimary { try await $0.staff.find(session.staff) }
        let matches = try await isPassword(old, of: account)
        let hash = try await hash(of: new)
        let fresh = SecretToken.random()
        return try await counting(session.staff, caller, field: "old") { transaction in
            guard matches, try await transaction.staff.lock(session.staff)?.passwordHash == account?.passwordHash
            else { return nil }
            try await transaction.staff.setPassword(of: session.staff, to: hash)
            try await transaction.staff.removeLink(of: session.staff)
            try await transaction.sessions.deleteAll(
                of: session.staff,
                but: session.id,
                on: device?.hash
            )
            guard try await transaction.sessions.renew(tokenHash: token.hash, as: fresh.hash) else {
                throw OperationsError(.conflict, "The session has ended.")
            }
            let recorded = try await recordPassword(of: session.staff, tokens, caller, in: transaction)
            return RenewedSession(token: fresh, auditEntry: recorded.entry)
        }
    }

    /// The live sessions of somebody, the one used last first.
    package func sessions(of staff: Staff.ID) async throws -> [ListedSession] {
        try await database.readPrimary { try await $0.sessions.list(of: staff, limits: sessionLimits) }
    }

    /// Ends one session of one's own. Ending one that has ended already changes nothing.
    ///
    /// - Returns: the audit entry; nil when there was no such session.
    package func endOwnSession(_ id: StaffSession.ID, of staff: Staff.ID, caller: Caller) async throws -> UUID? {
        try await database.write { transaction in
            guard try await transaction.sessions.delete(id, of: staff) else { return nil }
            return try await transaction.audit.append(caller.entry(.endSession, on: "session", id.description))
        }
    }

    /// Ends all sessions of one's own but the one that asks, and forgets all browsers but its own.
    ///
    /// - Parameter device: the token of the browser that asks.
    /// - Returns: the audit entry, which says how many.
    @discardableResult
    package func endOtherSessions(
        of session: StaffSession,
        on device: SecretToken? = nil,
        caller: Caller
    ) async throws -> UUID {
        try await database.write { transaction in
            let count = try await transaction.sessions.deleteAll(
                of: session.staff,
                but: session.id,
                on: device?.hash
            )
            return try await transaction.audit.append(
                caller.entry(
                    .endOtherSessions,
                    on: "staff",
                    session.staff.description,
                    after: AuditJSON([("ended", String(count))]).text
                )
            )
        }
    }
}
