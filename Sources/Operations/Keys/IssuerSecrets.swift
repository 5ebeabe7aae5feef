package import Billing
package import Foundation
package import Storage

/// The app's own login: how its tokens are known.
package struct IssuerConnection: Sendable {
    package var issuer: String
    package var audience: String
    package var keys: Keys

    package enum Keys: Sendable, Hashable {
        /// The issuer publishes them here.
        case published(at: String)
        /// The app's catalogue names the secret.
        ///
        /// - Parameter isReadable: false where it was sealed with another secret than this installation has.
        case named(isReadable: Bool)
        /// Staff upload them; oldest first.
        case uploaded([Upload])
    }

    package struct Upload: Sendable, Hashable {
        package var id: StoredIssuerSecret.ID
        package var uploadedAt: Date
        /// False where it was sealed with another secret than this installation has.
        package var isReadable: Bool
    }

    package var uploads: [Upload] {
        guard case .uploaded(let uploads) = keys else { return [] }
        return uploads
    }
}

extension BackOffice {
    /// nil for an app whose customers sign in here.
    package func issuerConnection(of app: App.ID) async throws -> IssuerConnection? {
        let record = try await database.readPrimary { try await $0.apps.all() }.first { $0.id == app }
        guard let stored = record?.tokenIssuer else { return nil }
        let keys: IssuerConnection.Keys =
            if let url = stored.issuer.keySetURL {
                .published(at: url)
            } else if stored.takesUploads {
                .uploaded(
                    stored.uploads.map { upload in
                        IssuerConnection.Upload(
                            id: upload.id,
                            uploadedAt: upload.uploadedAt,
                            isReadable: accountSecrets.opened(issuerSecret: upload.sealed, of: app) != nil
                        )
                    }
                )
            } else {
                .named(isReadable: !accountSecrets.opened(stored).sharedSecrets.isEmpty)
            }
        return IssuerConnection(issuer: stored.issuer.issuer, audience: stored.issuer.audience, keys: keys)
    }

    /// Keeps a secret that staff uploaded, sealed. Two live at a time: tokens signed with either are good.
    ///
    /// - Parameter secret: 32 to 1024 bytes of UTF-8 without control characters, with no white space around them.
    /// - Throws: `OperationsError` with `.invalid` and the field `sharedSecret`; `.notFound` for an app without a login of its own;
    ///   `.conflict` where its catalogue names its keys, where two secrets live, or where this is one of them.
    package func saveIssuerSecret(
        _ secret: Secret,
        of app: App.ID,
        once: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try Self.check(issuerSecret: secret)
        let outcome = try await runOnce(once) { transaction in
            guard let stored = try await transaction.issuerSecrets.lockIssuer(of: app) else {
                throw OperationsError(.notFound, "The app has no login of its own.")
            }
            guard stored.takesUploads else {
                throw OperationsError(.conflict, "The app's catalogue names the keys of its login.")
            }
            guard !accountSecrets.opened(stored).sharedSecrets.contains(secret) else {
                throw OperationsError(.conflict, "This secret is uploaded already.", field: "sharedSecret")
            }
            let id = StoredIssuerSecret.ID(transaction.newUUID())
            let sealed = try accountSecrets.sealed(issuerSecret: secret, of: app)
            guard try await transaction.issuerSecrets.insert(id, sealed: sealed, of: app) else {
                throw OperationsError(.conflict, "Two secrets are live. Remove one first.")
            }
            let entry = caller.entry(
                .saveIssuerSecret,
                on: "token_issuer",
                id.description,
                app: app,
                after: Self.audited(stored)
            )
            return (try await transaction.audit.append(entry), id.description)
        }
        apps.forget()
        return outcome
    }

    /// Removes a secret that staff uploaded; tokens signed with it open nothing from then on.
    ///
    /// - Throws: `OperationsError` with `.notFound` where the app has no such secret.
    package func removeIssuerSecret(
        _ id: StoredIssuerSecret.ID,
        of app: App.ID,
        reason: Reason,
        once: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let outcome = try await runOnce(once) { transaction in
            guard let stored = try await transaction.issuerSecrets.lockIssuer(of: app),
                try await transaction.issuerSecrets.remove(id, of: app)
            else { throw OperationsError(.notFound, "There is no such secret, or it is removed already.") }
            let entry = caller.entry(
                .removeIssuerSecret,
                on: "token_issuer",
                id.description,
                app: app,
                before: Self.audited(stored),
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
        apps.forget()
        return outcome
    }

    private static func check(issuerSecret secret: Secret) throws(OperationsError) {
        let (text, field) = (secret.revealed, "sharedSecret")
        let bytes = text.utf8
        guard (TokenIssuer.shortestSecret...TokenIssuer.longestSecret).contains(bytes.count),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            text == text.trimmingCharacters(in: .whitespacesAndNewlines)
        else {
            throw OperationsError(.invalid, "A shared secret has 32 to 1024 bytes, without line breaks.", field: field)
        }
    }

    /// The audit log's description of a secret: its issuer and audience.
    private static func audited(_ stored: StoredTokenIssuer) -> String {
        AuditJSON([("issuer", stored.issuer.issuer), ("audience", stored.issuer.audience)]).text
    }
}
