package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// The live secret key with this text; nil if there is none. Text that cannot be one does not reach the database.
    ///
    /// - Parameter text: the text after `Authorization: Bearer `.
    package func appKey(_ text: some StringProtocol) async throws -> AppKey? {
        guard text.hasPrefix(Self.appKeyPrefix), let token = SecretToken(text.dropFirst(Self.appKeyPrefix.count)) else {
            return nil
        }
        let hash = token.hash
        return try await database.readPrimary { try await $0.appKeys.find(tokenHash: hash) }
    }

    /// The secret keys of an app: the live ones, newest first, then the 20 that were revoked last.
    package func appKeys(of app: App.ID) async throws -> [ListedAppKey] {
        try await database.readPrimary { try await $0.appKeys.list(of: app) }
    }

    /// A secret key, live or not; nil when the app has none of that id.
    package func listedAppKey(_ id: AppKey.ID, of app: App.ID) async throws -> ListedAppKey? {
        try await database.readPrimary { try await $0.appKeys.listed(id, of: app) }
    }

    /// Revokes a secret key; whatever uses it is refused from then on.
    ///
    /// - Throws: `OperationsError` with `.notFound` when the app has no such key that lives.
    @discardableResult
    package func revokeAppKey(
        _ id: AppKey.ID,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let listed = try await listedAppKey(id, of: app)
        return try await runOnce(key) { transaction in
            guard let listed, try await transaction.appKeys.revoke(id, of: app, as: caller.actor) else {
                throw OperationsError(.notFound, "There is no such key, or it is revoked already.", field: "id")
            }
            let entry = caller.entry(
                .revokeAppKey,
                on: "app_key",
                id.description,
                app: app,
                before: Self.audited(listed.name, listed.scopes),
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }

    /// Notes that a secret key is in use; writes at most once a minute.
    package func noteUse(of key: AppKey) async throws {
        if let last = key.lastUsedAt, database.now.timeIntervalSince(last) < AppKey.useGrain { return }
        try await database.touchAppKey(key.id)
    }
}
