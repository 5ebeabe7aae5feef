package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Keeps a key that staff uploaded, sealed; it replaces the one that was uploaded before.
    ///
    /// - Throws: `OperationsError` with `.notFound` where the app has no account at the store, or the store no such key;
    ///   `.conflict` where the app's catalogue names that key, which then counts; `.invalid` for what is no such key, by its
    ///   field: the setting's own name.
    package func saveStoreKey(
        _ key: StoreKey,
        of app: App.ID,
        at store: Store,
        once: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let gateway = try gateway(of: store, with: key.kind)
        let outcome = try await runOnce(once) { transaction in
            let stored = try await lockUploadable(key.kind, of: app, at: store, gateway, in: transaction)
            let own = accountSecrets.opened(stored.account, stored.sealedSecrets, of: app)
            try check(key, in: own, gateway)
            try await requireOwn(own.with(key).signInClientIDs, of: app, in: transaction)
            try await transaction.storeKeys.save(
                key.kind,
                settings: key.settings,
                sealedSecrets: try accountSecrets.sealed(key.secrets, at: store, of: app),
                of: app,
                at: store
            )
            let before = stored.keys.first { $0.kind == key.kind }
            let entry = caller.entry(
                .saveStoreKey,
                on: "store",
                store.rawValue,
                app: app,
                before: before.map { Self.audited(key.kind, $0.settings) },
                after: Self.audited(key.kind, key.settings)
            )
            return (try await transaction.audit.append(entry), store.rawValue)
        }
        apps.forget()
        return outcome
    }

    /// Removes a key that staff uploaded; the store cannot be asked with it any more.
    ///
    /// - Throws: `OperationsError` with `.notFound` where there is no account, or no such key.
    package func removeStoreKey(
        _ kind: StoreKey.Kind,
        of app: App.ID,
        at store: Store,
        reason: Reason,
        once: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let outcome = try await runOnce(once) { transaction in
            let stored = try await transaction.storeKeys.lockAccount(of: app, at: store)
            guard let key = stored?.keys.first(where: { $0.kind == kind }),
                try await transaction.storeKeys.remove(kind, of: app, at: store)
            else { throw OperationsError(.notFound, "No such key was uploaded.") }
            let entry = caller.entry(
                .removeStoreKey,
                on: "store",
                store.rawValue,
                app: app,
                before: Self.audited(kind, key.settings),
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), store.rawValue)
        }
        apps.forget()
        return outcome
    }

    private func gateway(of store: Store, with kind: StoreKey.Kind) throws -> any StoreGateway {
        guard let gateway = gateways[store], gateway.keys.contains(where: { $0.kind == kind }) else {
            throw OperationsError(.notFound, "The store has no such key.")
        }
        return gateway
    }

    private func check(_ key: StoreKey, in own: StoreAccount, _ gateway: any StoreGateway) throws(OperationsError) {
        do {
            try gateway.check(key)
            try gateway.check(own.with(key))
        } catch {
            // The field by the key's own name of it; what is wrong with the account beside is nobody's field here.
            let names = gateway.keys.filter { $0.kind == key.kind }.flatMap { $0.settings + $0.secrets }
            let field = names.first { $0 == error.field || "\(key.kind.rawValue).\($0)" == error.field }
            throw OperationsError(.invalid, error.message, field: field, underlying: error)
        }
    }

    /// The account, unless its catalogue names the key.
    private func lockUploadable(
        _ kind: StoreKey.Kind,
        of app: App.ID,
        at store: Store,
        _ gateway: any StoreGateway,
        in transaction: WriteTransaction
    ) async throws -> StoredStoreAccount {
        guard let stored = try await transaction.storeKeys.lockAccount(of: app, at: store) else {
            throw OperationsError(.notFound, "The app has no account at this store.")
        }
        let own = accountSecrets.opened(stored.account, stored.sealedSecrets, of: app)
        guard !gateway.keys.contains(where: { $0.kind == kind && $0.isNamed(by: own) }) else {
            throw OperationsError(
                .conflict,
                "The app's catalogue names this key. Change it there, or take it out of the catalogue and apply that first."
            )
        }
        return stored
    }

    /// The audit log's description of a key: all but its secrets.
    private static func audited(_ kind: StoreKey.Kind, _ settings: [String: String]) -> String {
        AuditJSON([("key", kind.rawValue)] + settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).text
    }
}
