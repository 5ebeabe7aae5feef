package import Billing
package import Foundation

/// The purchases that a proof stands for.
package struct ProvenPurchases: Sendable, Hashable {
    /// The purchases that the store itself reported, as `observed` events: they are final.
    package var events: [StoreEvent]
    /// The purchases that a signature proves and the store has yet to confirm: they are provisional.
    package var unconfirmed: [StoreTransaction]
    /// True if the store has to be asked, too.
    package var needsConfirmation: Bool
    /// The environment of all of them; nil while it is unknown.
    package var environment: StoreEnvironment?
    /// Items of the proof that prove nothing, each with its position as the error's field; the other items count all the same.
    package var worthless: [WorthlessItem]

    package init(
        events: [StoreEvent] = [],
        unconfirmed: [StoreTransaction] = [],
        needsConfirmation: Bool,
        environment: StoreEnvironment? = nil,
        worthless: [WorthlessItem] = []
    ) {
        self.events = events
        self.unconfirmed = unconfirmed
        self.needsConfirmation = needsConfirmation
        self.environment = environment ?? events.first?.environment
        self.worthless = worthless
    }
}

/// An item of a proof that proves nothing.
package struct WorthlessItem: Sendable, Hashable {
    /// Its place in what was sent: `signedTransactions.1`.
    package var field: String
    package var reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}

/// A store's answer about a proof.
package struct ConfirmedPurchases: Sendable {
    package var events: [StoreEvent]
    /// The reason that some purchases are still unknown; the store is then asked again. nil if it has answered about all of them.
    package var unanswered: StoreFailure?

    package init(_ events: [StoreEvent], unanswered: StoreFailure? = nil) {
        self.events = events
        self.unanswered = unanswered
    }
}

/// A store that tells what a proof of purchase is worth.
package protocol PurchaseSource: Sendable {
    /// Checks everything that needs no query: form, signature, app, environment.
    ///
    /// - Throws: the error of the proof, or of its items: that of the first, with its position in the list at the end of the field,
    ///   `signedTransactions.0`; `.misconfigured` if the account lacks the settings for asking the store.
    func read(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> ProvenPurchases

    /// Asks the store about a proof that was read, item by item.
    ///
    /// - Throws: if no item brought an answer.
    func confirm(_ proof: PurchaseProof, at now: Date) async throws(StoreFailure) -> ConfirmedPurchases

    /// The account that installed the app, by the app's own signed purchase (Apple: `AppTransaction`); the same on every device.
    ///
    /// - Returns: nil where the store's text does not name it.
    func appTransactionID(
        in signed: String,
        at now: Date
    ) async throws(GatewayError) -> (id: String, environment: StoreEnvironment)?
}
