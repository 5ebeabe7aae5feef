import Billing

/// The calls of the App Store Server API, with what Apple says of each (stores/apple.md, 1.7 and 2.2).
package enum AppleEndpoint: Hashable, Sendable, CaseIterable {
    case transactionInfo
    case transactionHistory
    case subscriptionStatuses
    case appTransactionInfo
    case refundHistory
    case orderLookup
    case notificationHistory
    case testNotification
    case testNotificationStatus
    case consumption
    case appAccountToken
    case finishTransaction
    case extend
    case massExtend
    case massExtendStatus

    var method: String {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .orderLookup, .testNotificationStatus, .massExtendStatus:
            "GET"
        case .notificationHistory, .testNotification, .finishTransaction, .massExtend: "POST"
        case .consumption, .appAccountToken, .extend: "PUT"
        }
    }

    /// How many a second Apple takes of one app in production; a tenth of that in the sandbox.
    package var requestsPerSecond: Double {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .notificationHistory,
            .consumption, .finishTransaction:
            50
        case .appAccountToken, .extend: 20
        case .orderLookup, .refundHistory: 10
        case .testNotification, .testNotificationStatus, .massExtend, .massExtendStatus: 1
        }
    }

    /// Whether asking twice does no more than asking once. Extensions are known by their request identifier; a second test
    /// notification is a second notification.
    package var isIdempotent: Bool { self != .testNotification }

    /// Whether a success says something; the others are empty.
    var answersWithBody: Bool {
        switch self {
        case .consumption, .appAccountToken, .finishTransaction: false
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .orderLookup, .notificationHistory, .testNotification, .testNotificationStatus, .extend, .massExtend,
            .massExtendStatus:
            true
        }
    }

    /// The answer for a transaction of the other environment, where there is one.
    package var notFound: AppleErrorCode? {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .consumption, .finishTransaction:
            .transactionIDNotFound
        case .appAccountToken, .extend: .originalTransactionIDNotFound
        case .orderLookup, .notificationHistory, .testNotification, .testNotificationStatus, .massExtend,
            .massExtendStatus:
            nil
        }
    }

    /// What is wrong with an id that cannot be part of an address.
    var invalidID: AppleErrorCode {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .consumption, .finishTransaction:
            .invalidTransactionID
        case .appAccountToken, .extend: .invalidOriginalTransactionID
        case .testNotificationStatus: .invalidTestNotificationToken
        case .massExtendStatus: .invalidRequestIdentifier
        case .orderLookup, .notificationHistory, .testNotification, .massExtend: .generalBadRequest
        }
    }
}
