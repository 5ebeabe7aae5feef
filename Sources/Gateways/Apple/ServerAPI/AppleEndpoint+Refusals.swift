import Billing

extension AppleEndpoint {
    /// The errors that Apple documents for the call and that stay however often it is asked: its no. What goes by (429, 500, the
    /// codes that are called retryable), what is not known here and what belongs to another call is none (stores/apple.md, 2.3).
    package var refusals: Set<AppleErrorCode> {
        switch self {
        case .transactionInfo, .appTransactionInfo:
            Self.ofTransactions.union([.appTransactionIDNotSupported, .appTransactionNotFound])
        case .transactionHistory: Self.ofTransactions.union(Self.ofQueries)
        case .refundHistory: Self.ofTransactions.union([.invalidRequestRevision])
        case .subscriptionStatuses: Self.ofTransactions.union([.invalidStatus])
        case .orderLookup: Self.ofApps
        case .notificationHistory:
            Self.ofApps.union([
                .startDateTooFarInPast, .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate,
                .invalidEndDate, .paginationTokenExpired, .invalidNotificationType, .multipleFiltersSupplied,
                .invalidTransactionID,
            ])
        case .testNotification: Self.ofApps.union([.serverNotificationURLNotFound])
        case .testNotificationStatus:
            Self.ofApps.union([.invalidTestNotificationToken, .testNotificationNotFound])
        case .consumption: Self.ofTransactions.union(Self.ofConsumption)
        case .appAccountToken:
            Self.ofTransactions.union(Self.ofOriginals).union([
                .invalidAppAccountToken, .appAccountTokenNotUUID, .familyTransactionNotSupported,
                .notOriginalTransactionID, .transactionTypeNotSupported, .assignedTransactionNotSupported,
            ])
        case .finishTransaction:
            Self.ofTransactions.union([.familyTransactionNotSupported, .transactionTypeNotSupported])
        case .extend:
            Self.ofTransactions.union(Self.ofOriginals).union(Self.ofExtensions).union([
                .subscriptionExtensionIneligible, .subscriptionMaxExtension, .familySubscriptionExtensionIneligible,
                .assignedSubscriptionExtensionIneligible,
            ])
        case .massExtend:
            Self.ofApps.union(Self.ofExtensions).union([
                .invalidProductID, .emptyStorefrontCountryCodes, .invalidStorefrontCountryCode,
            ])
        case .massExtendStatus:
            Self.ofApps.union([.invalidProductID, .invalidRequestIdentifier, .statusRequestNotFound])
        case .customerGroups:
            Self.ofTransactions.union([.appTransactionIDNotSupported, .appTransactionNotFound])
        case .groupMembers:
            Self.ofApps.union([
                .invalidLimit, .invalidPaginationToken, .paginationTokenExpired, .invalidGroupID, .groupNotFound,
            ])
        // Apple names five more errors of these, and no numbers: what is not known here is not its no.
        case .seatInfo, .claimSeat, .unclaimSeat, .associateSeat:
            Self.ofTransactions.union(Self.ofOriginals).union([.invalidRequestIdentifier])
        }
    }

    private static let ofApps: Set<AppleErrorCode> = [
        .generalBadRequest, .invalidAppIdentifier, .accountNotFound, .appNotFound,
    ]
    private static let ofTransactions = ofApps.union([.invalidTransactionID, .transactionIDNotFound])
    private static let ofOriginals: Set<AppleErrorCode> = [
        .invalidOriginalTransactionID, .originalTransactionIDNotFound,
    ]
    private static let ofQueries: Set<AppleErrorCode> = [
        .invalidRequestRevision, .invalidStartDate, .invalidEndDate, .startDateAfterEndDate, .invalidSort,
        .invalidProductType, .invalidProductID, .invalidSubscriptionGroupIdentifier, .invalidExcludeRevoked,
        .invalidInAppOwnershipType, .invalidRevoked,
    ]
    private static let ofExtensions: Set<AppleErrorCode> = [
        .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier,
    ]
    private static let ofConsumption: Set<AppleErrorCode> = [
        .invalidAccountTenure, .invalidAppAccountToken, .invalidConsumptionStatus, .invalidCustomerConsented,
        .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased, .invalidLifetimeDollarsRefunded, .invalidPlatform,
        .invalidPlayTime, .invalidSampleContentProvided, .invalidUserStatus, .transactionNotConsumable,
        .invalidRefundPreference, .transactionTypeNotSupported, .familyTransactionNotSupported,
        .invalidConsumptionPercentage, .assignedTransactionNotSupported,
    ]
}
