package import Billing

/// The parts of a store's key, by the names of an account's settings and secrets.
package struct StoreKeyShape: Hashable, Sendable {
    package let kind: StoreKey.Kind
    package let settings: [String]
    package let secrets: [String]
    /// Those of both that a key may lack, or have empty.
    package let optional: Set<String>

    package init(_ kind: StoreKey.Kind, settings: [String], secrets: [String], optional: Set<String> = []) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.optional = optional
    }

    /// True if an account has any part of it.
    package func isNamed(by account: StoreAccount) -> Bool {
        settings.contains { account.settings[$0] != nil } || secrets.contains { account.secrets[$0] != nil }
    }
}
