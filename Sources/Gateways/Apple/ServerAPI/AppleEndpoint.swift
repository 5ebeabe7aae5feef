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
    case customerGroups
    case groupMembers
    case seatInfo
    case claimSeat
    case unclaimSeat
    case associateSeat

    var method: String {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .orderLookup, .testNotificationStatus, .massExtendStatus, .customerGroups, .groupMembers, .seatInfo:
            "GET"
        case .notificationHistory, .testNotification, .finishTransaction, .massExtend, .claimSeat, .associateSeat:
            "POST"
        case .unclaimSeat: "DELETE"
        case .consumption, .appAccountToken, .extend: "PUT"
        }
    }

    /// The number of requests per second that Apple accepts for one app in production; a tenth of that in the sandbox.
    package var requestsPerSecond: Double {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .notificationHistory,
            .consumption, .finishTransaction:
            50
        case .appAccountToken, .extend: 20
        // Apple documents no limit for groups and seats.
        case .orderLookup, .refundHistory, .customerGroups, .groupMembers, .seatInfo, .claimSeat, .unclaimSeat,
            .associateSeat:
            10
        case .testNotification, .testNotificationStatus, .massExtend, .massExtendStatus: 1
        }
    }

    /// True if repeating the request has no further effect. Extensions are known by their request identifier; a second test notification is
    /// a second notification. A seat is claimed under the identifier of the request.
    package var isIdempotent: Bool { self != .testNotification }

    /// True if a successful answer has a body; the others are empty.
    var answersWithBody: Bool {
        switch self {
        case .consumption, .appAccountToken, .finishTransaction, .unclaimSeat, .associateSeat: false
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .orderLookup, .notificationHistory, .testNotification, .testNotificationStatus, .extend, .massExtend,
            .massExtendStatus, .customerGroups, .groupMembers, .seatInfo, .claimSeat:
            true
        }
    }

    /// True where Apple's pages leave open if a success is empty; then a JSON object is one, too.
    var mayAnswerWithBody: Bool { self == .unclaimSeat || self == .associateSeat }

    /// The answer for a transaction of the other environment, where there is one.
    package var notFound: AppleErrorCode? {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .consumption, .finishTransaction, .customerGroups, .seatInfo, .claimSeat, .unclaimSeat, .associateSeat:
            .transactionIDNotFound
        case .groupMembers: .groupNotFound
        case .appAccountToken, .extend: .originalTransactionIDNotFound
        case .orderLookup, .notificationHistory, .testNotification, .testNotificationStatus, .massExtend,
            .massExtendStatus:
            nil
        }
    }

    /// The error for an id that cannot be part of an address.
    var invalidID: AppleErrorCode {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo, .refundHistory,
            .consumption, .finishTransaction, .customerGroups, .seatInfo, .claimSeat, .unclaimSeat, .associateSeat:
            .invalidTransactionID
        case .groupMembers: .invalidGroupID
        case .appAccountToken, .extend: .invalidOriginalTransactionID
        case .testNotificationStatus: .invalidTestNotificationToken
        case .massExtendStatus: .invalidRequestIdentifier
        case .orderLookup, .notificationHistory, .testNotification, .massExtend: .generalBadRequest
        }
    }
}
