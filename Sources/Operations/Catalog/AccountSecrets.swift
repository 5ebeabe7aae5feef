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
        return try sealed(account.secrets, at: account.store, of: app)
    }

    /// - Throws: `OperationsError` with `.misconfigured` where nothing can be sealed.
    func sealed(_ secrets: [String: Secret], at store: Store, of app: App.ID) throws -> [UInt8] {
        guard let cipher else {
            throw OperationsError(
                .misconfigured,
                "The secrets of the account at \(store.rawValue) cannot be sealed: this installation has no secret."
            )
        }
        let json = try JSONEncoder().encode(secrets.mapValues(\.revealed))
        return try cipher.seal(Array(json), for: app.uuid)
    }

    /// The account with its secrets, and with the keys that staff uploaded. Secrets that cannot be opened are missing: its gateway
    /// says so when it needs them, and all that needs none goes on.
    func opened(_ stored: StoredStoreAccount) -> StoreAccount {
        let own = opened(stored.account, stored.sealedSecrets, of: stored.app)
        return stored.keys.reduce(own) { account, key in
            guard let secrets = secrets(in: key.sealedSecrets, of: stored.app) else { return account }
            return account.with(StoreKey(kind: key.kind, settings: key.settings, secrets: secrets))
        }
    }

    /// The account as its catalogue has it.
    func opened(_ account: StoreAccount, _ sealed: [UInt8]?, of app: App.ID) -> StoreAccount {
        guard let sealed, let secrets = secrets(in: sealed, of: app) else { return account }
        var account = account
        account.secrets = secrets
        return account
    }

    /// - Returns: nil for an issuer whose catalogue names no secret.
    /// - Throws: `OperationsError` with `.misconfigured` where nothing can be sealed.
    func sealed(_ issuer: TokenIssuer, of app: App.ID) throws -> [UInt8]? {
        try issuer.sharedSecrets.first.map { try sealed(issuerSecret: $0, of: app) }
    }

    /// - Throws: `OperationsError` with `.misconfigured` where nothing can be sealed.
    func sealed(issuerSecret secret: Secret, of app: App.ID) throws -> [UInt8] {
        guard let cipher else {
            throw OperationsError(
                .misconfigured,
                "The secret of the token issuer cannot be sealed: this installation has no secret."
            )
        }
        return try cipher.seal(Array(secret.revealed.utf8), for: app.uuid)
    }

    /// The issuer with its shared secrets, also those that staff uploaded; without those that cannot be opened: no token that is signed
    /// with one of them gets in.
    func opened(_ stored: StoredTokenIssuer) -> TokenIssuer {
        var issuer = opened(stored.issuer, stored.sealedSecret, of: stored.app)
        if stored.takesUploads {
            issuer.sharedSecrets = stored.uploads.compactMap { opened(issuerSecret: $0.sealed, of: stored.app) }
        }
        return issuer
    }

    /// The issuer as its catalogue has it.
    func opened(_ issuer: TokenIssuer, _ sealed: [UInt8]?, of app: App.ID) -> TokenIssuer {
        guard let secret = sealed.flatMap({ opened(issuerSecret: $0, of: app) }) else { return issuer }
        var issuer = issuer
        issuer.sharedSecrets = [secret]
        return issuer
    }

    /// nil for what cannot be opened.
    func opened(issuerSecret sealed: [UInt8], of app: App.ID) -> Secret? {
        (try? cipher?.open(sealed, for: app.uuid)).map { Secret(String(decoding: $0, as: UTF8.self)) }
    }

    /// nil for what cannot be opened.
    private func secrets(in sealed: [UInt8], of app: App.ID) -> [String: Secret]? {
        guard let json = try? cipher?.open(sealed, for: app.uuid),
            let secrets = try? JSONDecoder().decode([String: String].self, from: Data(json))
        else { return nil }
        return secrets.mapValues(Secret.init)
    }
}
