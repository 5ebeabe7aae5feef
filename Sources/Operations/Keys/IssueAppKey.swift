package import Billing
import Foundation
package import Storage

/// A new secret key of an app: the only moment at which its text is known.
package struct IssuedAppKey: Sendable {
    package let id: AppKey.ID
    /// `psk_` and 64 hexadecimal digits.
    package let text: Secret
    package let outcome: ActionOutcome
}

extension BackOffice {
    /// The prefix of a secret key, so that scanners for leaked secrets find it.
    package static let appKeyPrefix = "psk_"

    /// Creates a secret key for an app's own server. Two live at a time: the new one works before the old one is revoked.
    ///
    /// - Parameters:
    ///   - name: 1 to 100 characters, for people.
    ///   - scopes: the permissions of the key; at least one.
    ///   - key: nil for callers that cannot repeat, such as the command line.
    /// - Returns: nil if the idempotency key was used before: the text was shown then, and is not known any more.
    /// - Throws: `OperationsError` with `.invalid` and the field `name` or `scope`, `.conflict` if two keys are live.
    package func issueAppKey(
        named typed: String,
        scopes: Set<AppKeyScope>,
        of app: App.ID,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> IssuedAppKey? {
        let name = try Self.checked(appKeyName: typed)
        guard !scopes.isEmpty else { throw OperationsError(problems: [FieldProblem("scope", .missing)]) }
        let token = SecretToken.random()
        let outcome = try await runOnce(key) { transaction in
            let id = AppKey.ID(transaction.newUUID())
            let isKept = try await transaction.appKeys.insert(
                id,
                of: app,
                name: name,
                scopes: scopes,
                tokenHash: token.hash,
                by: caller.staff,
                as: caller.actor
            )
            guard isKept else { throw OperationsError(.conflict, "Two keys are live. Revoke one first.") }
            let entry = caller.entry(
                .issueAppKey,
                on: "app_key",
                id.description,
                app: app,
                after: Self.audited(name, scopes.inOrder)
            )
            return (try await transaction.audit.append(entry), id.description)
        }
        guard !outcome.isRepeated, let id = AppKey.ID(outcome.result) else { return nil }
        return IssuedAppKey(id: id, text: Secret(Self.appKeyPrefix + token.description), outcome: outcome)
    }

    /// The name without white space around it.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field `name`.
    package static func checked(appKeyName typed: String) throws(OperationsError) -> String {
        let name = typed.trimmingCharacters(in: .whitespaces)
        // A character can be of any number of scalars.
        let scalars = name.unicodeScalars
        guard (1...100).contains(scalars.count), !scalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw OperationsError(.invalid, "A key's name has 1 to 100 characters.", field: "name")
        }
        return name
    }

    /// The audit log's description of a key: all but its text.
    static func audited(_ name: String, _ scopes: [AppKeyScope]) -> String {
        AuditJSON([("name", name), ("scopes", scopes.map(\.rawValue).joined(separator: " "))]).text
    }
}
