/// An app's account at one store: what names it there, whom it trusts, and what it signs with.
package struct StoreAccount: Hashable, Sendable {
    package var store: Store
    /// The app's own id at the store, by which the store's messages are told apart: Apple's bundle id, Google's package name.
    package var identifier: String
    /// Trusts a test authority instead of the store (stores/apple.md, 9).
    package var isSimulated: Bool
    /// Further settings of the store's gateway, by the store's own names (`appAppleId`).
    package var settings: [String: String]
    /// DER certificates that may end a chain, beside those that the gateway knows.
    package var anchors: [[UInt8]]
    /// By the store's own names.
    package var secrets: [String: Secret]

    package init(
        store: Store,
        identifier: String,
        isSimulated: Bool,
        settings: [String: String] = [:],
        anchors: [[UInt8]] = [],
        secrets: [String: Secret] = [:]
    ) {
        self.store = store
        self.identifier = identifier
        self.isSimulated = isSimulated
        self.settings = settings
        self.anchors = anchors
        self.secrets = secrets
    }
}
