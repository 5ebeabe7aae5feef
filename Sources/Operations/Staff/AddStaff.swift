import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Makes an account.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field, or `.conflict` when the address has an account.
    @discardableResult
    package func addStaff(
        email typed: String,
        name: String,
        role: StaffRole,
        password: String,
        caller: Caller
    ) async throws -> Staff.ID {
        let (email, name) = try Self.checked(email: typed, name: name)
        try PasswordRules.check(password, email: email)
        let hash = try await hash(of: password)
        return try await database.write { transaction in
            let staff = Staff(
                id: Staff.ID(transaction.newUUID()),
                email: email,
                name: name,
                role: role,
                passwordHash: hash
            )
            guard try await transaction.staff.insert(staff) else {
                throw OperationsError(.conflict, "\(email) has an account already.", field: "email")
            }
            try await transaction.audit.append(
                caller.entry(
                    .addStaff,
                    on: "staff",
                    staff.id.description,
                    after: AuditJSON([("email", email), ("role", role.rawValue)]).text
                )
            )
            return staff.id
        }
    }

    /// Sets another password of an account, ends its sessions and forgets its browsers.
    ///
    /// - Returns: the number of revoked keys to the admin API.
    /// - Throws: `OperationsError` with `.invalid` and the field, or `.notFound`.
    @discardableResult
    package func setPassword(
        of email: String,
        to password: String,
        tokens: TokensAtReset = .revoked,
        caller: Caller
    ) async throws -> Int {
        try PasswordRules.check(password, email: email)
        let hash = try await hash(of: password)
        return try await database.write { transaction in
            let staff = try await lock(email, transaction)
            try await transaction.staff.setPassword(of: staff.id, to: hash)
            try await transaction.staff.removeLink(of: staff.id)
            try await transaction.sessions.deleteAll(of: staff.id)
            return try await recordPassword(of: staff.id, named: staff.email, tokens, caller, in: transaction).revoked
        }
    }

    /// Records that a password was set, and revokes or keeps the account's keys as chosen.
    ///
    /// - Parameter email: that of the account, if it is not the caller's own.
    func recordPassword(
        of staff: Staff.ID,
        named email: String? = nil,
        as action: AuditAction = .setPassword,
        _ tokens: TokensAtReset,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> (entry: UUID, revoked: Int) {
        var revoked = 0
        if tokens == .revoked {
            revoked = try await revokeTokens(of: staff, because: .passwordSetAnew, caller, in: transaction)
        }
        let known = [("email", email), ("keys revoked", revoked > 0 ? String(revoked) : nil)].filter { $0.1 != nil }
        let after = known.isEmpty ? nil : AuditJSON(known).text
        let entry = caller.entry(action, on: "staff", staff.description, after: after)
        return (try await transaction.audit.append(entry), revoked)
    }

    func access(to slugs: [String]?, _ transaction: WriteTransaction) async throws -> AppAccess {
        guard let slugs else { return .all }
        guard !slugs.isEmpty else { throw OperationsError(.invalid, "Name at least one app.", field: "app") }
        let known = try await transaction.staff.apps(named: slugs)
        if let unknown = slugs.first(where: { known[$0] == nil }) {
            throw OperationsError(.invalid, "There is no app \(unknown).", field: "app")
        }
        return .only(Set(known.values))
    }

    private func lock(_ email: String, _ transaction: WriteTransaction) async throws -> Staff {
        guard let address = StaffEmail.normalized(email), let staff = try await transaction.staff.lock(email: address)
        else { throw OperationsError(.notFound, "There is no account \(email).", field: "email") }
        return staff
    }

    func hash(of password: String) async throws -> String {
        let salt = Array(SecretToken.random().bytes.prefix(PasswordHash.saltLength))
        return try await passwords.known.run {
            try PasswordHash(of: password, salt: salt, cost: passwordCost).description
        }
    }

    /// Both in the form in which they are kept.
    ///
    /// - Throws: `OperationsError` with `.invalid` and what is wrong with `email` and `name`.
    package static func checked(email: String, name: String) throws(OperationsError) -> (email: String, name: String) {
        let address = StaffEmail.normalized(email)
        let trimmed = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var problems: [FieldProblem] = []
        if address == nil { problems.append(FieldProblem("email", .other("That is no e-mail address (in ASCII)."))) }
        if !(1...200).contains(trimmed.count) || trimmed.unicodeScalars.contains(where: { $0.value < 32 }) {
            problems.append(FieldProblem("name", .other("A name has 1 to 200 characters.")))
        }
        guard let address, problems.isEmpty else { throw OperationsError(problems: problems) }
        return (address, trimmed)
    }
}
