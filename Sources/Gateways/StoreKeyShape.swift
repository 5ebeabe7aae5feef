package import Billing

/// What a key of a store is made of, by the names that accounts have for it.
package struct StoreKeyShape: Hashable, Sendable {
    package let kind: StoreKey.Kind
    package let settings: [String]
    package let secrets: [String]

    package init(_ kind: StoreKey.Kind, settings: [String], secrets: [String]) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
    }

    /// Whether an account says a part of it.
    package func isNamed(by account: StoreAccount) -> Bool {
        settings.contains { account.settings[$0] != nil } || secrets.contains { account.secrets[$0] != nil }
    }
}
