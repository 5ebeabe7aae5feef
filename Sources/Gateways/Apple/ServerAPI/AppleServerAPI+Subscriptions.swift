package import Billing

/// The statuses of subscriptions, and renewal extensions.
extension AppleServerAPI {
    /// - Parameter statuses: only subscriptions in one of these; all where empty.
    package func subscriptionStatuses(
        of transactionID: String,
        only statuses: [AppleStatus] = [],
        in environment: StoreEnvironment? = nil,
        isFresh: Bool = false
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleSubscriptionStatuses> {
        try await ask(
            .subscriptionStatuses,
            about: [transactionID],
            in: environment,
            isFresh: isFresh,
            query: statuses.map { ("status", String($0.rawValue)) },
            path: { "/inApps/v1/subscriptions/\($0.joined())" },
            read: AppleSubscriptionStatuses.init
        )
    }

    package func extend(
        _ originalTransactionID: String,
        by length: AppleExtension,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleExtendedRenewal> {
        try await ask(
            .extend,
            about: [originalTransactionID],
            in: environment,
            body: length.body,
            path: { "/inApps/v1/subscriptions/extend/\($0.joined())" },
            read: AppleExtendedRenewal.init
        )
    }

    /// - Parameter storefronts: three-letter countries; nil for all.
    package func extendAll(
        subscribersTo productID: String,
        by length: AppleExtension,
        storefronts: [String]? = nil,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleMassExtension> {
        let call = AppleServerCall(
            .massExtend,
            "/inApps/v1/subscriptions/extend/mass",
            body: length.body(ofAllSubscribersTo: productID, in: storefronts)
        )
        return try await ask(call, in: environment, read: AppleMassExtension.init)
    }

    package func extensionStatus(
        of productID: String,
        requestIdentifier: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleMassExtensionStatus> {
        try await ask(
            .massExtendStatus,
            about: [productID, requestIdentifier],
            in: environment,
            path: { "/inApps/v1/subscriptions/extend/mass/\($0.joined(separator: "/"))" },
            read: AppleMassExtensionStatus.init
        )
    }
}
