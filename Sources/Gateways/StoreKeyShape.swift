package import Billing

/// The parts of a store's key, by the names of an account's settings and secrets.
package struct StoreKeyShape: Hashable, Sendable {
    package let kind: StoreKey.Kind
    package let settings: [String]
    package let secrets: [String]
    /// Settings and secrets that a key may lack, or have empty.
    package let optional: Set<String>
    /// Other sets of secrets that a key may be made of in place of `secrets`; those are named in a catalogue alone.
    package let alternatives: [[String]]

    package init(
        _ kind: StoreKey.Kind,
        settings: [String],
        secrets: [String],
        optional: Set<String> = [],
        alternatives: [[String]] = []
    ) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.optional = optional
        self.alternatives = alternatives
    }

    /// True if an account has all secrets of one of the sets that a key may not lack.
    package func isWhole(in account: StoreAccount) -> Bool {
        ([secrets] + alternatives).contains { set in
            set.allSatisfy { optional.contains($0) || account.secrets[$0] != nil }
        }
    }

    /// True if an account has any part of it.
    package func isNamed(by account: StoreAccount) -> Bool {
        settings.contains { account.settings[$0] != nil }
            || ([secrets] + alternatives).joined().contains { account.secrets[$0] != nil }
    }
}
