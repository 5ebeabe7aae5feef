/// The weight of a proof of purchase against whoever has the purchase now.
package enum ProofWorth: Hashable, Sendable {
    /// The store has signed it within the hour, or has confirmed what it had signed before.
    case proven
    /// The store has signed it, and has not said yet whether it still holds.
    case unconfirmed
    /// A bare id, which anybody may have read somewhere. What the store says of it belongs to the account that the store names.
    case nothing

    /// - Parameters:
    ///   - form: the form of the proof.
    ///   - isConfirmed: true if the store has answered, or need not be asked.
    package init(of form: PurchaseProof.Form, isConfirmed: Bool) {
        self =
            switch form {
            case .transactionID: .nothing
            case .signedTransactions, .receipt: isConfirmed ? .proven : .unconfirmed
            // Nothing is signed; the device has it from the store, and the store says what it is.
            case .purchaseToken: isConfirmed ? .proven : .nothing
            }
    }

    /// A signature of the store's is enough where nobody has the purchase.
    func suffices(against owner: PurchaseClaim.Party) -> Bool {
        switch self {
        case .proven: true
        case .unconfirmed: owner.isPlaceholder && !owner.isDeleted
        case .nothing: false
        }
    }
}
