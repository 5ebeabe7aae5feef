import Billing
package import Foundation
package import Storage

/// A one-time link for setting a password: the only moment at which its token is known.
package struct StaffInvitation: Sendable {
    package let staff: Staff.ID
    package let token: SecretToken
    package let expiresAt: Date
    package let outcome: ActionOutcome
}

extension BackOffice {
    /// The lifetime, in seconds, of an invitation or of a password reset link.
    package static let linkTime: TimeInterval = 72 * 3600

    /// Creates an account without a password, and the link for setting one.
    ///
    /// - Parameter slugs: the apps that the person may see; nil is all of them.
    /// - Returns: nil if the key was used before: the link was shown then, and is not known any more.
    /// - Throws: `OperationsError` with `.invalid` and the field, or `.conflict` if the address has an account.
    package func inviteStaff(
        email typed: String,
        name: String,
        role: StaffRole,
        apps slugs: [String]?,
        reason: Reason,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> StaffInvitation? {
        let (email, name) = try Self.checked(email: typed, name: name)
        return try await link(key) { transaction in
            let access = try await access(to: slugs, transaction)
            let staff = Staff(
                id: Staff.ID(transaction.newUUID()),
                email: email,
                name: name,
                role: role,
                passwordHash: Staff.noPassword
            )
            guard try await transaction.staff.insert(staff) else {
                throw OperationsError(.conflict, "\(email) has an account already.", field: "email")
            }
            try await transaction.staff.setAppAccess(of: staff.id, to: access)
            let apps = try await transaction.staff.appAccessText(of: staff.id)
            let after = AuditJSON([("email", email), ("name", name), ("role", role.rawValue), ("apps", apps)])
            return (
                staff.id,
                caller.entry(
                    .inviteStaff,
                    on: "staff",
                    staff.id.description,
                    after: after.text,
                    reason: reason.forAudit
                )
            )
        }
    }

    /// Creates a link for a person who lost their password, or whose invitation expired, to set a new one. The second factor stays.
    ///
    /// - Returns: nil if the key was used before.
    /// - Throws: `OperationsError` with `.notFound` if there is no such active account.
    package func sendPasswordReset(
        _ id: Staff.ID,
        reason: Reason,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> StaffInvitation? {
        try await link(key) { transaction in
            guard let staff = try await transaction.staff.lock(id), staff.disabledAt == nil else {
                throw OperationsError(.notFound, "There is no such account, or it is shut.", field: "staff")
            }
            return (
                id,
                caller.entry(
                    .linkStaff,
                    on: "staff",
                    id.description,
                    after: AuditJSON([("email", staff.email)]).text,
                    reason: reason.forAudit
                )
            )
        }
    }

    /// The live link of a token; nil if it was used or replaced, or has expired.
    package func link(of token: SecretToken) async throws -> PasswordSetupToken? {
        try await database.readPrimary { try await $0.staff.link(tokenHash: token.hash) }
    }

    /// Sets the password of a link's account; the link is used up, every session ends and every other browser is forgotten.
    ///
    /// - Parameter device: the browser; the link proves as much as a sign-in, so the account knows the browser from then on.
    /// - Throws: `OperationsError` with `.invalid` and the field `password`, `.notFound` for a link that is no longer valid.
    package func setPassword(
        by token: SecretToken,
        to password: String,
        tokens: TokensAtReset = .revoked,
        device: SignInDevice? = nil,
        caller: Caller
    ) async throws {
        guard let link = try await link(of: token) else { throw Self.linkIsOver }
        try PasswordRules.check(password, email: link.email)
        let hash = try await hash(of: password)
        try await database.write { transaction in
            guard let link = try await transaction.staff.takeLink(tokenHash: token.hash) else { throw Self.linkIsOver }
            try await transaction.staff.setPassword(of: link.staff, to: hash)
            try await transaction.sessions.deleteAll(of: link.staff)
            try await remember(device, of: link.staff, in: transaction)
            var person = caller
            (person.kind, person.actor) = (.staff(link.staff), link.email)
            let action: AuditAction = link.isInvitation ? .joinStaff : .setPassword
            _ = try await recordPassword(of: link.staff, as: action, tokens, person, in: transaction)
        }
    }

    private static var linkIsOver: OperationsError {
        OperationsError(.notFound, "This link was used, replaced, or is older than three days.")
    }

    private func link(
        _ key: IdempotencyKey?,
        _ body: (WriteTransaction) async throws -> (staff: Staff.ID, entry: AuditEntry)
    ) async throws -> StaffInvitation? {
        let token = SecretToken.random()
        let end = database.now.addingTimeInterval(Self.linkTime)
        let outcome = try await runOnce(key) { transaction in
            let (staff, entry) = try await body(transaction)
            try await transaction.staff.setLink(of: staff, tokenHash: token.hash, expiresAt: end)
            return (try await transaction.audit.append(entry), staff.description)
        }
        guard !outcome.isRepeated, let staff = Staff.ID(outcome.result) else { return nil }
        return StaffInvitation(staff: staff, token: token, expiresAt: end, outcome: outcome)
    }
}
