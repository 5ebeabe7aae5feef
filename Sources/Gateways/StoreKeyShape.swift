package import Billing

/// The parts of a store's key, by the names of an account's settings and secrets.
package struct StoreKeyShape: Hashable, Sendable {
    package let kind: StoreKey.Kind
    package let settings: [String]
    package let secrets: [String]
    /// Settings and secrets that a key may lack, or have empty.
    package let optional: Set<String>
    /// True if the app does nothing at the store without it.
    package let isNeeded: Bool

    /// - Parameter isNeeded: nil for a key of the store's API alone.
    package init(
        _ kind: StoreKey.Kind,
        settings: [String],
        secrets: [String],
        optional: Set<String> = [],
        isNeeded: Bool? = nil
    ) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.optional = optional
        self.isNeeded = isNeeded ?? (kind == .api)
    }

    /// True if an account has all secrets that a key may not lack.
    package func isWhole(in account: StoreAccount) -> Bool {
        secrets.allSatisfy { optional.contains($0) || account.secrets[$0] != nil }
    }

    /// True if an account has any part of it.
    package func isNamed(by account: StoreAccount) -> Bool {
        settings.contains { account.settings[$0] != nil } || secrets.contains { account.secrets[$0] != nil }
    }
}
