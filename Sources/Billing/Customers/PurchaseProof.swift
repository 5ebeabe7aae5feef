/// What an app sends to prove a purchase.
package enum PurchaseProof: Sendable, Hashable {
    /// What the store signed on the device: one purchase, or all that a customer restores (Apple: `jwsRepresentation`).
    case signedTransactions([String])
    /// The app's receipt, in base64.
    case receipt(String)
    /// The bare id of a transaction: it proves nothing until the store is asked.
    case transactionID(String)

    /// Which of them it is. Raw values are what the database keeps.
    package enum Form: String, Sendable, CaseIterable {
        case signedTransactions = "signed_transactions"
        case receipt
        case transactionID = "transaction_id"
    }

    package var form: Form {
        switch self {
        case .signedTransactions: .signedTransactions
        case .receipt: .receipt
        case .transactionID: .transactionID
        }
    }

    /// What it is made of; one text but for signed transactions.
    package var parts: [String] {
        switch self {
        case .signedTransactions(let signed): signed
        case .receipt(let receipt): [receipt]
        case .transactionID(let id): [id]
        }
    }

    /// - Parameter parts: one or more.
    package init(_ form: Form, _ parts: [String]) {
        self =
            switch form {
            case .signedTransactions: .signedTransactions(parts)
            case .receipt: .receipt(parts.first ?? "")
            case .transactionID: .transactionID(parts.first ?? "")
            }
    }
}
