package import Foundation

/// A store that wants to be told that a purchase was delivered, and gives the money back where it is not.
package protocol AcknowledgementServer: Sendable {
    /// The time that it waits, in seconds.
    var patience: TimeInterval { get }

    /// Tells it. Telling it again does no harm: the store is asked first whether it knows.
    ///
    /// - Parameter transactionID: of the purchase's first transaction. What was renewed needs no word.
    /// - Returns: what there was to tell.
    func acknowledge(_ transactionID: String) async throws(StoreFailure) -> Acknowledgement
}

/// The outcome of telling a store of a delivery.
package enum Acknowledgement: Hashable, Sendable {
    /// The store knows now.
    case told
    /// It knew before, or the purchase has ended: nothing was to be told.
    case unneeded
    /// The payment has not come: it is told later, and not before.
    case tooEarly
}
