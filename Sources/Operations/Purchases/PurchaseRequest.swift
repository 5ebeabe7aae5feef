package import Billing
import Crypto
import Foundation
package import Storage

/// A proof of purchase that an app sends for one of its customers.
package struct PurchaseRequest: Sendable {
    package var store: Store
    package var customer: Claimant
    package var proof: PurchaseProof
    /// The app's own purchase, signed (Apple: `AppTransaction`); it tells which devices are one person's.
    package var signedAppTransaction: String?
    /// True if the sender gets an error when the catalogue has none of its products; the proof is kept and asked about again either way.
    package var refusesUnknownProducts = false

    /// The customer who claims the purchase.
    package enum Claimant: Sendable {
        /// The customer that the app's own server names.
        case named(CustomerIdentity)
        /// A signed-in customer.
        case known(Customer.ID)
    }

    /// - Parameter store: nil for the one that knows proofs of this form.
    /// - Throws: `OperationsError` with `.invalid` for what no store could have made, by its field.
    package init(
        store: Store? = nil,
        customer: CustomerIdentity,
        proof: PurchaseProof,
        signedAppTransaction: String? = nil
    ) throws(OperationsError) {
        try self.init(
            store: store,
            claimant: .named(customer),
            proof: proof,
            signedAppTransaction: signedAppTransaction
        )
    }

    /// - Parameter store: nil for the one that knows proofs of this form.
    /// - Throws: `OperationsError` with `.invalid` for what no store could have made, by its field.
    package init(
        store: Store? = nil,
        claimant: Claimant,
        proof: PurchaseProof,
        signedAppTransaction: String? = nil
    ) throws(OperationsError) {
        var problems: [FieldProblem] = []
        func require(_ text: String, _ field: String, atMost limit: Int) {
            if text.isEmpty { return problems.append(FieldProblem(field, .missing)) }
            if text.utf8.count > limit { return problems.append(FieldProblem(field, .tooLong(limit))) }
            if text.utf8.contains(0) {
                problems.append(FieldProblem(field, .nul))
            }
        }
        if case .named(let identity) = claimant { problems += Self.problems(ofExternalID: identity.externalID) }
        switch proof {
        case .signedTransactions(let signed):
            if signed.isEmpty { problems.append(FieldProblem("signedTransactions", .missing)) }
            if signed.count > Self.mostTransactions {
                problems.append(
                    FieldProblem("signedTransactions", .tooMany(Self.mostTransactions))
                )
            } else {
                for (index, text) in signed.enumerated() {
                    require(text, "signedTransactions.\(index)", atMost: Self.longestToken)
                }
            }
        case .receipt(let receipt): require(receipt, "receipt", atMost: Self.longestReceipt)
        case .transactionID(let id): require(id, "transactionId", atMost: StoreEvent.longestIdentifier)
        case .purchaseToken(let token): require(token, "purchaseToken", atMost: Self.longestPurchaseToken)
        }
        if let signedAppTransaction {
            require(signedAppTransaction, "signedAppTransaction", atMost: Self.longestToken)
        }
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        self.store = store ?? proof.form.store
        customer = claimant
        self.proof = proof
        self.signedAppTransaction = signedAppTransaction
    }

    /// In bytes of UTF-8.
    package static let longestExternalID = 255
    /// Apple's own are under ten thousand characters, the chain of certificates included.
    package static let longestToken = 65_536
    /// Google's have some two hundred.
    package static let longestPurchaseToken = 4_096
    /// Of a customer with hundreds of purchases; a longer history has signed transactions.
    package static let longestReceipt = 1_048_576
    package static let mostTransactions = 100
}

extension PurchaseRequest {
    /// The problems of an app's own id of a customer.
    package static func problems(ofExternalID id: String, field: String = "customerId") -> [FieldProblem] {
        if id.isEmpty { return [FieldProblem(field, .missing)] }
        if id.utf8.count > longestExternalID { return [FieldProblem(field, .tooLong(longestExternalID))] }
        guard id.utf8.contains(0) else { return [] }
        return [FieldProblem(field, .nul)]
    }
}

extension PurchaseProof {
    /// SHA-256: the same for what is sent again.
    var digest: [UInt8] {
        var hash = SHA256()
        for part in [form.rawValue] + parts { hash.update(data: Data("\(part.utf8.count):\(part)".utf8)) }
        return Array(hash.finalize())
    }
}
