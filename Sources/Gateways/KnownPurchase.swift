package import Billing

/// A purchase at a store by the names that it has in our books.
package struct KnownPurchase: Hashable, Sendable {
    /// Of its newest transaction that is known.
    package var transactionID: String
    package var kind: StoreTransaction.Kind
    /// The store's token of it (`StoreEvent.purchaseToken`); nil where its store has none, and of what was told before tokens were kept.
    package var token: String?

    package init(_ transactionID: String, kind: StoreTransaction.Kind = .autoRenewable, token: String? = nil) {
        (self.transactionID, self.kind, self.token) = (transactionID, kind, token)
    }
}
