package import Billing
package import Foundation

/// What a proof is worth.
package struct ProvenPurchases: Sendable, Hashable {
    /// What the store said itself, as `observed` events: it holds for good.
    package var events: [StoreEvent]
    /// What its signature proves and the store has to confirm: it holds for a while.
    package var unconfirmed: [StoreTransaction]
    /// Whether the store is to be asked, too.
    package var needsConfirmation: Bool
    /// The environment of all of them; nil where nothing says it yet.
    package var environment: StoreEnvironment?

    package init(
        events: [StoreEvent] = [],
        unconfirmed: [StoreTransaction] = [],
        needsConfirmation: Bool,
        environment: StoreEnvironment? = nil
    ) {
        self.events = events
        self.unconfirmed = unconfirmed
        self.needsConfirmation = needsConfirmation
        self.environment = environment ?? events.first?.environment
    }
}

/// A store that tells what a proof of purchase is worth.
package protocol PurchaseSource: Sendable {
    /// Checks what needs nobody to be asked: form, signature, app, environment.
    ///
    /// - Throws: what is wrong with the proof, its place in the list as the field's end: `signedTransactions.0`; `.misconfigured`
    ///   where the account lacks what the store has to be asked with.
    func read(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> ProvenPurchases

    /// Asks the store.
    ///
    /// - Throws: `.unreachable` and `.misconfigured` when it should be asked again later; what else is thrown is final.
    func confirm(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> [StoreEvent]

    /// The account that installed the app, by the app's own signed purchase (Apple: `AppTransaction`); the same on every device.
    ///
    /// - Returns: nil where the store's text does not name it.
    func appTransactionID(
        in signed: String,
        at now: Date
    ) async throws(GatewayError) -> (id: String, environment: StoreEnvironment)?
}
