import Foundation

/// A push of Pub/Sub, taken apart and not yet believed: `{"message":{"data","messageId"},"subscription"}`.
struct GooglePush: Sendable {
    /// The same on every delivery.
    let messageID: String
    let publishedAt: Date?
    /// The Pub/Sub subscription that pushed it.
    let subscription: String?
    let notification: GoogleNotification

    /// In bytes; Google's have some hundred.
    static let longest = 256 << 10

    /// - Throws: `.malformed`.
    init(_ payload: String) throws(GatewayError) {
        guard payload.utf8.count <= Self.longest else {
            throw GatewayError(.malformed, "The push is longer than \(Self.longest) bytes.")
        }
        let fields = try JSONFields(try JSON(parsing: Array(payload.utf8)), of: "push")
        guard let message = try fields.object("message", as: "message") else {
            throw GatewayError(.malformed, "The push has no message.")
        }
        let (camel, snake) = (try message.string("messageId"), try message.string("message_id"))
        guard let id = camel ?? snake, !id.isEmpty,
            id.utf8.count <= 128, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw GatewayError(.malformed, "The push's message has no id.") }
        messageID = id
        publishedAt = message.unneeded { fields throws(GatewayError) in
            let (camel, snake) = (try fields.timestamp("publishTime"), try fields.timestamp("publish_time"))
            return camel ?? snake
        }
        subscription = try fields.string("subscription")
        guard let data = try message.string("data"), let bytes = Base64.decode(standard: Array(data.utf8)) else {
            throw GatewayError(.malformed, "The push's data is no base64.")
        }
        notification = try GoogleNotification(try JSON(parsing: bytes))
    }
}

/// A real-time developer notification: what happened to which purchase. What it means Google has to be asked.
struct GoogleNotification: Sendable {
    let packageName: String?
    let eventTime: Date?
    let content: Content

    enum Content: Hashable, Sendable {
        case subscription(token: String, type: Int64)
        /// Of what does not renew; type 1 is bought, 2 never paid for.
        case oneTime(token: String, type: Int64)
        /// Money was given back, of all or of some of several.
        case voided(token: String, orderID: String, isPartial: Bool)
        /// The customer's bank asks for the money back, and Google asks us (within 24 hours).
        case refundReview(orderID: String, reviewToken: String)
        case test
        /// Nothing that is known here.
        case unknown
    }

    /// - Throws: `.malformed`, also for what has two contents.
    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "notification")
        packageName = try fields.string("packageName")
        eventTime = try fields.milliseconds("eventTimeMillis")
        var contents: [Content] = []
        if let part = try fields.object("subscriptionNotification", as: "notification") {
            contents.append(.subscription(token: try part.token(), type: try part.int64("notificationType")))
        }
        if let part = try fields.object("oneTimeProductNotification", as: "notification") {
            contents.append(.oneTime(token: try part.token(), type: try part.int64("notificationType")))
        }
        if let part = try fields.object("voidedPurchaseNotification", as: "notification") {
            guard let orderID = try part.name("orderId") else {
                throw GatewayError(.malformed, "The voided purchase names no order.")
            }
            contents.append(
                .voided(
                    token: try part.token(),
                    orderID: orderID,
                    isPartial: try part.int64("refundType") == 2
                )
            )
        }
        if let part = try fields.object("pendingRefundReviewNotification", as: "notification") {
            guard let orderID = try part.name("orderId"), let reviewToken = try part.name("pendingRefundToken"),
                reviewToken.utf8.count <= 2_048
            else { throw GatewayError(.malformed, "The pending refund names no order or has no token.") }
            contents.append(.refundReview(orderID: orderID, reviewToken: reviewToken))
        }
        if fields.has("testNotification") { contents.append(.test) }
        guard contents.count <= 1 else { throw GatewayError(.malformed, "The notification is about two things.") }
        content = contents.first ?? .unknown
    }

    /// In Google's own words, for lists.
    var type: String {
        switch content {
        case .subscription(_, let type): GoogleSubscriptionChange(rawValue: type)?.name ?? "SUBSCRIPTION_\(type)"
        case .oneTime(_, 1): "ONE_TIME_PRODUCT_PURCHASED"
        case .oneTime(_, 2): "ONE_TIME_PRODUCT_CANCELED"
        case .oneTime(_, let type): "ONE_TIME_PRODUCT_\(type)"
        case .voided: "VOIDED_PURCHASE"
        case .refundReview: "PENDING_REFUND_REVIEW"
        case .test: "TEST"
        case .unknown: "UNKNOWN"
        }
    }
}

extension JSONFields {
    fileprivate func token() throws(GatewayError) -> String {
        guard let token = try name("purchaseToken") else {
            throw GatewayError(.malformed, "The notification names no purchase.")
        }
        return token
    }
}

/// Google's number of what happened to a subscription. The state that Google answers decides; the number only says which word fits.
package enum GoogleSubscriptionChange: Int64, Hashable, Sendable, CaseIterable {
    case recovered = 1
    case renewed = 2
    case canceled = 3
    case purchased = 4
    case onHold = 5
    case inGracePeriod = 6
    case restarted = 7
    /// Deprecated.
    case priceChangeConfirmed = 8
    case deferred = 9
    case paused = 10
    case pauseScheduleChanged = 11
    case revoked = 12
    case expired = 13
    case itemsChanged = 17
    case cancellationScheduled = 18
    case priceChangeUpdated = 19
    case pendingPurchaseCanceled = 20
    case priceStepUpConsentUpdated = 22

    /// `SUBSCRIPTION_…`, as Google writes it.
    package var name: String {
        let word =
            switch self {
            case .recovered: "RECOVERED"
            case .renewed: "RENEWED"
            case .canceled: "CANCELED"
            case .purchased: "PURCHASED"
            case .onHold: "ON_HOLD"
            case .inGracePeriod: "IN_GRACE_PERIOD"
            case .restarted: "RESTARTED"
            case .priceChangeConfirmed: "PRICE_CHANGE_CONFIRMED"
            case .deferred: "DEFERRED"
            case .paused: "PAUSED"
            case .pauseScheduleChanged: "PAUSE_SCHEDULE_CHANGED"
            case .revoked: "REVOKED"
            case .expired: "EXPIRED"
            case .itemsChanged: "ITEMS_CHANGED"
            case .cancellationScheduled: "CANCELLATION_SCHEDULED"
            case .priceChangeUpdated: "PRICE_CHANGE_UPDATED"
            case .pendingPurchaseCanceled: "PENDING_PURCHASE_CANCELED"
            case .priceStepUpConsentUpdated: "PRICE_STEP_UP_CONSENT_UPDATED"
            }
        return "SUBSCRIPTION_\(word)"
    }
}
