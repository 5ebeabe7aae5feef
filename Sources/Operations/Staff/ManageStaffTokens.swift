import Billing
import Foundation
package import Storage

extension BackOffice {
    /// The keys to the admin API of an account, or of everybody, the good ones first, then the newest.
    ///
    /// - Parameter staff: nil for everybody's.
    package func tokens(of staff: Staff.ID?) async throws -> [ListedToken] {
        try await database.readPrimary { try await $0.tokens.list(of: staff) }
    }

    /// A key, live or not.
    ///
    /// - Parameter owner: whose it must be; nil for anybody's.
    package func listedToken(_ id: StaffToken.ID, of owner: Staff.ID? = nil) async throws -> ListedToken? {
        let found = try await database.readPrimary { try await $0.tokens.listed(id) }
        return found.flatMap { owner == nil || $0.staff == owner ? $0 : nil }
    }

    /// The number of an account's valid keys.
    package func liveTokens(of staff: Staff.ID) async throws -> Int {
        try await database.readPrimary { try await $0.tokens.countLive(of: staff) }
    }

    /// Revokes one key; whatever uses it is refused from then on.
    ///
    /// - Parameter owner: whose it must be; nil for anybody's.
    /// - Throws: `OperationsError` with `.notFound` when there is no such key that is not revoked yet.
    @discardableResult
    package func revokeToken(
        _ id: StaffToken.ID,
        of owner: Staff.ID? = nil,
        reason: Reason? = nil,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let token = try await listedToken(id, of: owner)
        return try await runOnce(key) { transaction in
            guard let token, try await transaction.tokens.revoke(id) else {
                throw OperationsError(.notFound, "There is no such key, or it is revoked already.", field: "token")
            }
            let entry = caller.entry(
                .revokeToken,
                on: "token",
                id.description,
                before: AuditJSON([("name", token.name), ("of", token.email)]).text,
                reason: reason?.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }

    /// Revokes every key of an account that is deactivated, or whose password is reset: somebody who had the password may have created or
    /// read them.
    ///
    /// - Returns: the number of keys that were valid until now; each has its entry in the audit log.
    func revokeTokens(
        of staff: Staff.ID,
        because cause: AuditCause,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> Int {
        let revoked = try await transaction.tokens.revokeAll(of: staff)
        for id in revoked {
            try await transaction.audit.append(
                caller.entry(.revokeToken, on: "token", id.description, reason: cause.rawValue)
            )
        }
        return revoked.count
    }

    /// Notes that a key is in use; writes at most once in ten minutes.
    package func noteUse(of token: StaffToken) async throws {
        if let last = token.lastUsedAt, database.now.timeIntervalSince(last) < StaffToken.useGrain { return }
        defer { remembered.forget() }
        try await database.touchToken(token.id)
    }
}

/// The fate of an account's API keys when its password is reset.
package enum TokensAtReset: Sendable {
    case revoked
    case kept
}
