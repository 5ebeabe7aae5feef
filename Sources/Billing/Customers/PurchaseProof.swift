/// An app's proof of a purchase.
package enum PurchaseProof: Sendable, Hashable {
    /// The transactions that the store signed on the device: one purchase, or all that a customer restores (Apple: `jwsRepresentation`).
    case signedTransactions([String])
    /// The app's receipt, in base64.
    case receipt(String)
    /// The bare id of a transaction: it proves nothing until the store is asked.
    case transactionID(String)
    /// The store's token of a purchase, which the device has (Google's purchase token): only the store knows what it is worth.
    case purchaseToken(String)

    /// The form of a proof. The database keeps the raw values.
    package enum Form: String, Sendable, CaseIterable {
        case signedTransactions = "signed_transactions"
        case receipt
        case transactionID = "transaction_id"
        case purchaseToken = "purchase_token"

        /// The store that knows proofs of the form.
        package var store: Store {
            switch self {
            case .signedTransactions, .receipt, .transactionID: .apple
            case .purchaseToken: .google
            }
        }
    }

    package var form: Form {
        switch self {
        case .signedTransactions: .signedTransactions
        case .receipt: .receipt
        case .transactionID: .transactionID
        case .purchaseToken: .purchaseToken
        }
    }

    /// Its texts; one text except for signed transactions.
    package var parts: [String] {
        switch self {
        case .signedTransactions(let signed): signed
        case .receipt(let receipt): [receipt]
        case .transactionID(let id): [id]
        case .purchaseToken(let token): [token]
        }
    }

    /// - Parameter parts: one or more.
    package init(_ form: Form, _ parts: [String]) {
        self =
            switch form {
            case .signedTransactions: .signedTransactions(parts)
            case .receipt: .receipt(parts.first ?? "")
            case .transactionID: .transactionID(parts.first ?? "")
            case .purchaseToken: .purchaseToken(parts.first ?? "")
            }
    }
}
