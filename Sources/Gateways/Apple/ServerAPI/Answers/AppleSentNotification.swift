package import Foundation

/// A notification with what became of sending it (`notificationHistoryResponseItem`, `CheckTestNotificationResponse`).
package struct AppleSentNotification: Hashable, Sendable {
    /// The payload as it was sent, with the state at that time.
    package let signedPayload: String
    package let attempts: [Attempt]

    init(_ json: JSON) throws(GatewayError) {
        try self.init(try JSONFields(json, of: "answer"))
    }

    init(_ fields: JSONFields) throws(GatewayError) {
        signedPayload = try fields.required("signedPayload")
        attempts = try fields.list("sendAttempts", of: "attempt") { fields throws(GatewayError) in try Attempt(fields) }
    }

    /// One of up to six.
    package struct Attempt: Hashable, Sendable {
        package let date: Date?
        /// nil for a result that is not known here.
        package let result: Result?
        package let rawResult: String?

        init(_ fields: JSONFields) throws(GatewayError) {
            date = try fields.date("attemptDate")
            rawResult = try fields.string("sendAttemptResult")
            result = rawResult.flatMap(Result.init(rawValue:))
        }
    }

    /// `sendAttemptResult`.
    package enum Result: String, Hashable, Sendable, CaseIterable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case tlsIssue = "TLS_ISSUE"
        case circularRedirect = "CIRCULAR_REDIRECT"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case unsupportedCharset = "UNSUPPORTED_CHARSET"
        case invalidResponse = "INVALID_RESPONSE"
        case prematureClose = "PREMATURE_CLOSE"
        case unsuccessfulResponseCode = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        case other = "OTHER"
    }
}

/// Up to twenty notifications (`NotificationHistoryResponse`).
package struct AppleNotificationHistoryPage: ApplePage, Hashable {
    package let notifications: [AppleSentNotification]
    /// The errors of entries that could not be read, one each.
    package let unreadable: [String]
    /// The token of the next page; the last page may have none.
    package let paginationToken: String?
    package let hasMore: Bool

    package var following: String? { paginationToken }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        (notifications, unreadable) = try fields.readable("notificationHistory", of: "sent notification") {
            fields throws(GatewayError) in
            try AppleSentNotification(fields)
        }
        paginationToken = try fields.string("paginationToken")
        hasMore = try fields.requiredBool("hasMore")
    }
}

/// Names a test notification that Apple was asked for (`SendTestNotificationResponse`).
package struct AppleTestNotification: Hashable, Sendable {
    package let token: String

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        token = try fields.required("testNotificationToken")
    }
}
