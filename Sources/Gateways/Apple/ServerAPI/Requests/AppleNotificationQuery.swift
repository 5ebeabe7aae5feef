package import Foundation

/// The filters of the notification history (Get Notification History); the same for each page.
package struct AppleNotificationQuery: Hashable, Sendable {
    /// At most 180 days back; 30 in the sandbox.
    package var startDate: Date
    package var endDate: Date
    package var notificationType: AppleNotificationType?
    /// Only with a type.
    package var notificationSubtype: AppleNotificationSubtype?
    /// Apple refuses it together with a type (4000019).
    package var transactionID: String?
    /// Only those that no attempt got through. What was answered with 200 and lost is not among them.
    package var onlyFailures: Bool?

    package init(
        from startDate: Date,
        to endDate: Date,
        type: AppleNotificationType? = nil,
        subtype: AppleNotificationSubtype? = nil,
        transactionID: String? = nil,
        onlyFailures: Bool? = nil
    ) {
        self.startDate = startDate
        self.endDate = endDate
        notificationType = type
        notificationSubtype = subtype
        self.transactionID = transactionID
        self.onlyFailures = onlyFailures
    }

    var body: JSON {
        var body: JSON = [
            "startDate": .integer(startDate.appleMilliseconds), "endDate": .integer(endDate.appleMilliseconds),
        ]
        body["notificationType"] = notificationType.map { .string($0.rawValue) }
        body["notificationSubtype"] = notificationSubtype.map { .string($0.rawValue) }
        body["transactionId"] = transactionID.map { .string($0) }
        body["onlyFailures"] = onlyFailures.map { .bool($0) }
        return body
    }
}
