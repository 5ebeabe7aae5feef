import Billing
package import Foundation
package import Storage

/// A new key to the admin API: the only moment at which its text is known.
package struct IssuedToken: Sendable {
    package let id: StaffToken.ID
    /// `pst_` and 64 hexadecimal digits.
    package let text: String
}

extension BackOffice {
    /// The prefix of a staff token, so that scanners for leaked secrets find it.
    package static let tokenPrefix = "pst_"

    /// Creates a program's key to the admin API with its owner's role.
    ///
    /// - Parameter scopes: the part of its owner's permissions that it has; nil for all.
    /// - Throws: `OperationsError` with `.notFound` for the account, `.invalid` for name or end.
    package func issueToken(
        named name: String,
        of email: String,
        scopes: [TokenScope]? = nil,
        expiresAt: Date? = nil,
        caller: Caller
    ) async throws -> IssuedToken {
        guard (1...100).contains(name.count), !name.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw OperationsError(.invalid, "A token's name has 1 to 100 characters.", field: "name")
        }
        let token = SecretToken.random()
        return try await database.write { transaction in
            guard expiresAt.map({ $0 > transaction.now }) ?? true else {
                throw OperationsError(.invalid, "The token would have expired already.", field: "expires")
            }
            guard let email = StaffEmail.normalized(email),
                let staff = try await transaction.staff.lock(email: email), staff.disabledAt == nil
            else { throw OperationsError(.notFound, "There is no active account \(email).", field: "email") }
            let id = StaffToken.ID(transaction.newUUID())
            try await transaction.tokens.insert(
                id,
                of: staff.id,
                name: name,
                tokenHash: token.hash,
                scopes: scopes,
                expiresAt: expiresAt
            )
            let scopeList = scopes.map { $0.map(\.description).joined(separator: " ") } ?? "everything"
            try await transaction.audit.append(
                caller.entry(
                    .issueToken,
                    on: "token",
                    id.description,
                    after: AuditJSON([("name", name), ("of", staff.email), ("scopes", scopeList)]).text
                )
            )
            return IssuedToken(id: id, text: Self.tokenPrefix + token.description)
        }
    }

    /// The live token with this text, from the primary or remembered; nil when there is none.
    ///
    /// - Parameter app: the slug of the app the call is for; nil means the only one.
    package func token(_ text: some StringProtocol, app: String?) async throws -> StaffToken? {
        guard text.hasPrefix(Self.tokenPrefix), let token = SecretToken(text.dropFirst(Self.tokenPrefix.count)) else {
            return nil
        }
        let hash = token.hash
        return try await remembered.key(hash, of: app, at: database.now) {
            try await database.readPrimary { try await $0.tokens.find(tokenHash: hash, app: app) }
        }
    }
}
