package import Billing

/// The parts of a store's key, by the names of an account's settings and secrets.
package struct StoreKeyShape: Hashable, Sendable {
    package let kind: StoreKey.Kind
    package let settings: [String]
    package let secrets: [String]
    /// Other sets of secrets that a key may be made of in place of `secrets`; those are named in a catalogue alone.
    package let alternatives: [[String]]

    package init(
        _ kind: StoreKey.Kind,
        settings: [String],
        secrets: [String],
        alternatives: [[String]] = []
    ) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.alternatives = alternatives
    }

    /// Whether an account has all secrets of one of the sets.
    package func isWhole(in account: StoreAccount) -> Bool {
        ([secrets] + alternatives).contains { set in set.allSatisfy { account.secrets[$0] != nil } }
    }

    /// True if an account has any part of it.
    package func isNamed(by account: StoreAccount) -> Bool {
        settings.contains { account.settings[$0] != nil }
            || ([secrets] + alternatives).joined().contains { account.secrets[$0] != nil }
    }
}
