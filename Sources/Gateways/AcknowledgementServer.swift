/// A store that wants to be told that a purchase was delivered, and gives the money back where it is not (`StoreRules.acknowledgementTime`).
package protocol AcknowledgementServer: Sendable {
    /// Tells it. Telling it again does no harm: the store is asked first whether it knows.
    ///
    /// - Parameters:
    ///   - purchase: with its own token. What was renewed needs no word.
    ///   - isDelivered: false while nobody has it: then the store is asked, and told nothing.
    /// - Returns: what there was to tell.
    func acknowledge(
        _ purchase: KnownPurchase,
        isDelivered: Bool
    ) async throws(StoreFailure) -> Acknowledgement
}

/// The outcome of telling a store of a delivery.
package enum Acknowledgement: Hashable, Sendable {
    /// The store knows now.
    case told
    /// It knew before, or the purchase has ended: nothing was to be told.
    case unneeded
    /// The payment has not come, or nobody has what was bought: it is told later, and not before.
    case tooEarly
}
