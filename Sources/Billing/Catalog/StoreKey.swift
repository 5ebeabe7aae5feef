/// A key for what a store can be asked about an app: named in the app's catalogue, or uploaded by staff.
package struct StoreKey: Hashable, Sendable {
    package var kind: Kind
    /// By the store's own names.
    package var settings: [String: String]
    package var secrets: [String: Secret]

    package init(kind: Kind, settings: [String: String] = [:], secrets: [String: Secret] = [:]) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
    }

    /// The API or service that the key opens. The database keeps the raw values.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The store's API: Apple's App Store Server API.
        case api
        /// Receipt validation (Apple's verifyReceipt).
        case sharedSecret = "shared_secret"
        /// Signing people in (Sign in with Apple).
        case signIn = "sign_in"
    }
}

extension StoreAccount {
    /// True if the account has any part of that key.
    package func names(_ key: StoreKey) -> Bool {
        key.settings.keys.contains { settings[$0] != nil } || key.secrets.keys.contains { secrets[$0] != nil }
    }

    /// The account with a key that it does not name itself.
    package func with(_ key: StoreKey) -> StoreAccount {
        guard !names(key) else { return self }
        var account = self
        account.settings.merge(key.settings) { own, _ in own }
        account.secrets.merge(key.secrets) { own, _ in own }
        return account
    }
}
