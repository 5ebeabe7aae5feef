import Billing
import Foundation

/// `SubscriptionPurchaseV2`: how a purchase token stands (purchases.subscriptionsv2.get).
struct GoogleSubscription: Hashable, Sendable {
    var state: State
    /// nil of one that waits for its first payment.
    var startedAt: Date?
    /// ISO 3166-1 alpha-2.
    var region: String?
    var isAcknowledged: Bool
    /// Each that was paid for or will be; the main one first.
    var items: [GoogleLineItem]
    /// The token whose place it took.
    var linkedToken: String?
    /// The app's account token, as the app gave it to Google Play.
    var accountID: String?
    /// True of one that was bought again in Google's own list of subscriptions, after it had ended.
    var isOutOfApp: Bool
    var isTest: Bool
    var cancellation: Cancellation?
    /// When a paused one goes on.
    var resumesAt: Date?
    var etag: String?

    /// Its state, in Google's words.
    enum State: String, Sendable, CaseIterable {
        /// Waits for its first payment. No access. Can transition to: `active`, `pendingCanceled`.
        case pending = "SUBSCRIPTION_STATE_PENDING"
        /// Access. Can transition to: every other but the pending ones.
        case active = "SUBSCRIPTION_STATE_ACTIVE"
        /// Put to rest by its customer. No access. Can transition to: `active`, `onHold`, `canceled`, `expired`.
        case paused = "SUBSCRIPTION_STATE_PAUSED"
        /// A charge failed. Access. Can transition to: `active`, `onHold`, `canceled`, `expired`.
        case inGracePeriod = "SUBSCRIPTION_STATE_IN_GRACE_PERIOD"
        /// A charge failed. No access. Can transition to: `active`, `canceled`, `expired`.
        case onHold = "SUBSCRIPTION_STATE_ON_HOLD"
        /// Will not renew. Access until its end. Can transition to: `active`, `expired`.
        case canceled = "SUBSCRIPTION_STATE_CANCELED"
        /// No access. It ends there.
        case expired = "SUBSCRIPTION_STATE_EXPIRED"
        /// The first payment never came. It ends there.
        case pendingCanceled = "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED"
    }

    /// The party that ended it.
    enum Cancellation: Hashable, Sendable {
        case user
        case system
        case developer
        /// Another purchase took its place.
        case replacement
    }

    /// - Throws: `.missing` without a state, or without an item of one that was paid for; `.malformed` for a state that is not known here.
    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "subscription")
        let rawState = try fields.required("subscriptionState")
        guard let state = State(rawValue: rawState) else {
            throw GatewayError(.malformed, "Google's state \(rawState.prefix(60)) of a subscription is not known here.")
        }
        self.state = state
        startedAt = try fields.timestamp("startTime")
        region = try fields.string("regionCode")
        isAcknowledged = try fields.string("acknowledgementState") == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        items = try fields.list("lineItems", of: "line item") { item throws(GatewayError) in try GoogleLineItem(item) }
        guard !items.isEmpty || state == .pending || state == .pendingCanceled else {
            throw GatewayError(.missing, "Google's subscription has no item.")
        }
        linkedToken = try fields.name("linkedPurchaseToken")
        let outOfApp = try fields.object("outOfAppPurchaseContext", as: "purchase out of the app")
        isOutOfApp = outOfApp != nil
        let own = try fields.object("externalAccountIdentifiers", as: "account")
        let former = try outOfApp?.object("expiredExternalAccountIdentifiers", as: "account")
        let ownAccount = try own?.string("obfuscatedExternalAccountId")
        let formerAccount = try former?.string("obfuscatedExternalAccountId")
        accountID = ownAccount ?? formerAccount
        isTest = fields.has("testPurchase")
        cancellation = try fields.object("canceledStateContext", as: "cancellation").flatMap(Cancellation.init)
        resumesAt = try fields.object("pausedStateContext", as: "pause")?.timestamp("autoResumeTime")
        etag = try fields.string("etag")
    }

    var environment: StoreEnvironment { isTest ? .sandbox : .production }

    /// Those that were paid for.
    var ownedItems: [GoogleLineItem] { items.filter { $0.orderID != nil } }

    /// The name of one of its items in our books.
    ///
    /// - Parameter orders: by number, with those that its items began with.
    func name(of item: GoogleLineItem, by orders: [String: GoogleOrder]) -> GoogleItemName? {
        guard let order = item.orderID else { return nil }
        let products = ownedItems.filter { $0.orderID?.base == order.base }.map(\.productID)
        return GoogleItemNames(orders[order.base]).name(of: item.productID, among: products, in: order)
    }

    /// The item that stands for the whole purchase; nil where nothing was paid for.
    func mainItem(by orders: [String: GoogleOrder]) -> GoogleLineItem? {
        ownedItems.first { name(of: $0, by: orders)?.product == nil } ?? ownedItems.first
    }
}

extension GoogleSubscription.Cancellation {
    fileprivate init?(_ fields: JSONFields) {
        if fields.has("replacementCancellation") {
            self = .replacement
        } else if fields.has("userInitiatedCancellation") {
            self = .user
        } else if fields.has("systemInitiatedCancellation") {
            self = .system
        } else if fields.has("developerInitiatedCancellation") {
            self = .developer
        } else {
            return nil
        }
    }
}
