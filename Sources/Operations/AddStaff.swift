import Billing
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
                    "staff.add",
                    on: "staff",
                    staff.id.description,
                    after: #"{"role":"\#(role.rawValue)"}"#
                )
            )
            return staff.id
        }
    }

    /// Gives an account another password and ends its sessions.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field, or `.notFound`.
    package func setPassword(of email: String, to password: String, caller: Caller) async throws {
        try PasswordRules.check(password, email: email)
        let hash = try await hash(of: password)
        try await change(email, "staff.password", caller) { transaction, staff in
            try await transaction.staff.setPassword(of: staff.id, to: hash)
            try await transaction.sessions.deleteAll(of: staff.id)
        }
    }

    /// Shuts an account: its sessions and tokens end at once.
    ///
    /// - Throws: `OperationsError` with `.notFound`.
    package func disableStaff(_ email: String, caller: Caller) async throws {
        try await change(email, "staff.disable", caller) { transaction, staff in
            try await transaction.staff.disable(staff.id)
            try await transaction.sessions.deleteAll(of: staff.id)
            try await transaction.tokens.revokeAll(of: staff.id)
        }
    }

    private func change(
        _ email: String,
        _ action: String,
        _ caller: Caller,
        _ body: (WriteTransaction, Staff) async throws -> Void
    ) async throws {
        try await database.write { transaction in
            guard let email = StaffEmail.normalized(email),
                let staff = try await transaction.staff.lock(email: email)
            else { throw OperationsError(.notFound, "There is no account \(email).", field: "email") }
            try await body(transaction, staff)
            try await transaction.audit.append(caller.entry(action, on: "staff", staff.id.description))
        }
    }

    func hash(of password: String) async throws -> String {
        let salt = Array(SecretToken.random().bytes.prefix(PasswordHash.saltLength))
        return try await PasswordThreads.shared.run { try PasswordHash(of: password, salt: salt).description }
    }

    private static func checked(email: String, name: String) throws(OperationsError) -> (email: String, name: String) {
        guard let address = StaffEmail.normalized(email) else {
            throw OperationsError(.invalid, "That is no e-mail address (in ASCII).", field: "email")
        }
        let trimmed = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard (1...200).contains(trimmed.count), !trimmed.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw OperationsError(.invalid, "A name has 1 to 200 characters.", field: "name")
        }
        return (address, trimmed)
    }
}
