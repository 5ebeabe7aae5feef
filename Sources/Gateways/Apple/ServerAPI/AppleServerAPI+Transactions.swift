package import Billing

/// A customer's purchases. Any of the customer's transaction ids will do, except for `transaction`.
extension AppleServerAPI {
    /// - Parameter environment: nil if it is not known.
    /// - Parameter isFresh: true if Apple may not know it yet; it is then asked again before a "not found" is believed.
    package func transaction(
        _ id: String,
        in environment: StoreEnvironment? = nil,
        isFresh: Bool = false
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleTransactionInfo> {
        try await ask(
            .transactionInfo,
            about: [id],
            in: environment,
            isFresh: isFresh,
            path: { "/inApps/v1/transactions/\($0.joined())" },
            read: AppleTransactionInfo.init
        )
    }

    /// All transactions of a customer, from the beginning or from a kept revision.
    package func history(
        of transactionID: String,
        _ query: AppleHistoryQuery = AppleHistoryQuery(),
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil,
        isFresh: Bool = false
    ) -> ApplePages<AppleTransactionHistoryPage> {
        ApplePages(endpoint: .transactionHistory, environment: environment, place: revision) {
            [self] place, environment throws(AppleServerError) in
            try await historyPage(of: transactionID, query, after: place, in: environment, isFresh: isFresh)
        }
    }

    /// - Parameter version: 2; Apple's first one leaves out finished consumables.
    package func historyPage(
        of transactionID: String,
        _ query: AppleHistoryQuery = AppleHistoryQuery(),
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil,
        isFresh: Bool = false,
        version: Int = 2
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleTransactionHistoryPage> {
        try await ask(
            .transactionHistory,
            about: [transactionID],
            in: environment,
            isFresh: isFresh,
            query: (revision.map { [("revision", $0)] } ?? []) + query.parameters,
            path: { "/inApps/v\(version)/history/\($0.joined())" },
            read: AppleTransactionHistoryPage.init
        )
    }

    /// The customer's transactions that Apple refunded.
    package func refunds(
        of transactionID: String,
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil
    ) -> ApplePages<AppleRefundHistoryPage> {
        ApplePages(endpoint: .refundHistory, environment: environment, place: revision) {
            [self] place, environment throws(AppleServerError) in
            try await refundPage(of: transactionID, after: place, in: environment)
        }
    }

    package func refundPage(
        of transactionID: String,
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleRefundHistoryPage> {
        try await ask(
            .refundHistory,
            about: [transactionID],
            in: environment,
            query: revision.map { [("revision", $0)] } ?? [],
            path: { "/inApps/v2/refund/lookup/\($0.joined())" },
            read: AppleRefundHistoryPage.init
        )
    }

    package func appTransaction(
        of transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleAppTransactionInfo> {
        try await ask(
            .appTransactionInfo,
            about: [transactionID],
            in: environment,
            path: { "/inApps/v1/transactions/appTransactions/\($0.joined())" },
            read: AppleAppTransactionInfo.init
        )
    }

    /// The transactions under an order id; the sandbox has no orders.
    package func order(_ orderID: String) async throws(AppleServerError) -> AppleServerAnswer<AppleOrderLookup> {
        try await ask(
            .orderLookup,
            about: [orderID],
            in: .production,
            path: { "/inApps/v1/lookup/\($0.joined())" },
            read: AppleOrderLookup.init
        )
    }
}
