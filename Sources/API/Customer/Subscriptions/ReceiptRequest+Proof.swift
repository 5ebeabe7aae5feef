import APITypes
import Billing
import HTTP
import Operations

extension ReceiptRequest {
    /// Returns the proof that proves most; nil without any.
    ///
    /// - Throws: `OperationsError` with `.invalid` for impossible fields beside it, by name. The proof itself is checked where it
    ///   is verified.
    func proof() throws(OperationsError) -> PurchaseProof? {
        let problems =
            Self.problems(productId, "productId", longest: 255)
            + Self.problems(signedAppTransaction, "signedAppTransaction", longest: PurchaseRequest.longestToken)
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        if let signedTransactions { return .signedTransactions(signedTransactions) }
        if let receiptData { return .receipt(receiptData) }
        if let purchaseToken { return .purchaseToken(purchaseToken) }
        return transactionId.map { .transactionID($0) }
    }

    /// - Parameter longest: the greatest length, in bytes of UTF-8.
    private static func problems(_ text: String?, _ field: String, longest: Int) -> [FieldProblem] {
        guard let text else { return [] }
        if text.isEmpty { return [FieldProblem(field, .missing)] }
        if text.utf8.count > longest { return [FieldProblem(field, .tooLong(longest))] }
        guard text.utf8.contains(0) else { return [] }
        return [FieldProblem(field, .nul)]
    }
}
