import Billing
import Foundation
import Storage

/// Seals and opens what an account signs with; sealed, it lies in the database as one JSON object.
struct AccountSecrets: Sendable {
    /// nil where nothing can be sealed.
    let cipher: FieldCipher?

    /// - Returns: nil for an account without secrets.
    /// - Throws: `OperationsError` with `.misconfigured` where nothing can be sealed.
    func sealed(_ account: StoreAccount, of app: App.ID) throws -> [UInt8]? {
        guard !account.secrets.isEmpty else { return nil }
        guard let cipher else {
            throw OperationsError(
                .misconfigured,
                "The secrets of the account at \(account.store.rawValue) cannot be sealed: this installation has no secret."
            )
        }
        let json = try JSONEncoder().encode(account.secrets.mapValues(\.revealed))
        return try cipher.seal(Array(json), for: app.uuid)
    }

    /// The account with its secrets. Those that cannot be opened are missing: its gateway says so when it needs them, and all
    /// that needs none goes on.
    func opened(_ stored: StoredStoreAccount) -> StoreAccount {
        opened(stored.account, stored.sealedSecrets, of: stored.app)
    }

    func opened(_ account: StoreAccount, _ sealed: [UInt8]?, of app: App.ID) -> StoreAccount {
        guard let sealed, let json = try? cipher?.open(sealed, for: app.uuid),
            let secrets = try? JSONDecoder().decode([String: String].self, from: Data(json))
        else { return account }
        var account = account
        account.secrets = secrets.mapValues(Secret.init)
        return account
    }
}
