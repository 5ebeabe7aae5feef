/// One transaction (`TransactionInfoResponse`).
package struct AppleTransactionInfo: Hashable, Sendable {
    package let signedTransaction: String

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        signedTransaction = try fields.required("signedTransactionInfo")
    }
}

/// The app's own purchase (`AppTransactionInfoResponse`).
package struct AppleAppTransactionInfo: Hashable, Sendable {
    package let signedAppTransaction: String

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        signedAppTransaction = try fields.required("signedAppTransactionInfo")
    }
}

/// Up to twenty transactions of one customer (`HistoryResponse`).
package struct AppleTransactionHistoryPage: ApplePage, Hashable {
    package let signedTransactions: [String]
    /// The token of the next page; if kept, it also finds later transactions.
    package let revision: String?
    package let hasMore: Bool
    package let bundleID: String?
    package let appAppleID: Int64?
    package let environment: AppleEnvironment?
    package let rawEnvironment: String?

    package var following: String? { revision }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        signedTransactions = try fields.strings("signedTransactions") ?? []
        revision = try fields.string("revision")
        hasMore = try fields.requiredBool("hasMore")
        bundleID = try fields.string("bundleId")
        appAppleID = try fields.integer("appAppleId")
        rawEnvironment = try fields.string("environment")
        environment = rawEnvironment.flatMap(AppleEnvironment.init(rawValue:))
    }
}

/// Up to twenty refunded transactions of one customer (`RefundHistoryResponse`).
package struct AppleRefundHistoryPage: ApplePage, Hashable {
    package let signedTransactions: [String]
    package let revision: String?
    package let hasMore: Bool

    package var following: String? { revision }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        signedTransactions = try fields.strings("signedTransactions") ?? []
        revision = try fields.string("revision")
        hasMore = try fields.requiredBool("hasMore")
    }
}

/// The transactions under the order id of a receipt that Apple sent by e-mail (`OrderLookupResponse`).
package struct AppleOrderLookup: Hashable, Sendable {
    /// nil for a status that is not known here.
    package let status: Status?
    package let rawStatus: Int64?
    package let signedTransactions: [String]

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        rawStatus = try fields.integer("status")
        guard rawStatus != nil else { throw GatewayError(.missing, "The member status is missing.") }
        status = rawStatus.flatMap(Status.init(rawValue:))
        signedTransactions = try fields.strings("signedTransactions") ?? []
    }

    package enum Status: Int64, Hashable, Sendable, CaseIterable {
        case valid = 0
        case invalid = 1
    }
}
