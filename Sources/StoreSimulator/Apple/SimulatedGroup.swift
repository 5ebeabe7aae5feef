package import Foundation
import Gateways

/// A group that buys a subscription by seats, and what the App Store tells of it, as the JSON that it signs: for tests and for trying things
/// out. Its prices are in thousandths of the currency's unit; the first five seats cost the dear tier.
package struct SimulatedGroup: Sendable {
    package var bundleID = SimulatedCatalog.readmigo.bundleID
    package var appAppleID = SimulatedCatalog.readmigo.appAppleID
    package var productID = "com.readmigo.pro.monthly"
    /// The first transaction's id; digits.
    package var originalID: String
    /// Whose account token the purchase carries.
    package var purchaser: UUID?
    /// True if the app invites, and its server claims seats; else the App Store does.
    package var isManagedByApp = false
    package var startsAt: Date
    package var endsAt: Date
    package private(set) var seats: Int64
    private var added: [(id: String, seats: Int64)] = []
    /// The current period, where it is not the first.
    private var renewed: (id: String, startsAt: Date)?

    /// - Parameter seats: with the buyer's own.
    package init(originalID: String, seats: Int64, from start: Date, to end: Date, purchaser: UUID? = nil) {
        (self.originalID, self.seats, self.purchaser) = (originalID, seats, purchaser)
        (startsAt, endsAt) = (start, end)
    }

    // MARK: What happens

    package func bought() -> SimulatedMessage {
        message("SUBSCRIBED", "INITIAL_BUY", at: startsAt, purchase(), renewal(with: seats, at: startsAt))
    }

    /// More seats at once: a transaction of its own under the same line item, and the first is marked, too.
    package mutating func add(_ more: Int64, as id: String, at moment: Date) -> SimulatedMessage {
        added.append((id, more))
        return message(
            "DID_CHANGE_RENEWAL_PREF",
            "INCREASE_QUANTITY",
            at: moment,
            transaction(id, seats: more, from: moment),
            renewal(with: seats + added.reduce(0) { $0 + $1.seats }, at: moment)
        )
    }

    /// Fewer seats, or more, with the next period.
    package func change(to next: Int64, at moment: Date) -> SimulatedMessage {
        let now = seats + added.reduce(0) { $0 + $1.seats }
        let subtype = next < now ? "DECREASE_QUANTITY" : "INCREASE_QUANTITY"
        return message("DID_CHANGE_RENEWAL_PREF", subtype, at: moment, purchase(), renewal(with: next, at: moment))
    }

    /// The next period is paid for, at its beginning or later.
    package mutating func renew(
        as id: String,
        with seats: Int64,
        to end: Date,
        at moment: Date? = nil
    ) -> SimulatedMessage {
        let start = endsAt
        renewed = (id, start)
        (self.seats, added, endsAt) = (seats, [], end)
        return message(
            "DID_RENEW",
            moment == nil ? nil : "BILLING_RECOVERY",
            at: moment ?? start,
            purchase(),
            renewal(with: seats, at: moment ?? start)
        )
    }

    /// The next period could not be charged, and the App Store tries again; nobody has access meanwhile.
    package func failToRenew() -> SimulatedMessage {
        var renewal = renewal(with: seats, at: endsAt)
        renewal["isInBillingRetryPeriod"] = true
        renewal["expirationIntent"] = 2
        return message("DID_FAIL_TO_RENEW", nil, at: endsAt, purchase(), renewal, status: 3)
    }

    /// - Parameter revoked: the sum of the first transaction's refunded seats so far.
    package func refund(_ revoked: Int64, at moment: Date) -> SimulatedMessage {
        var transaction = purchase()
        transaction["multiSeatInfo"]?["revokedSeatQuantity"] = .integer(revoked)
        return message("REFUND", "SEATS", at: moment, transaction, renewal(with: seats - revoked, at: moment))
    }

    /// A person takes a seat of a group that the App Store invites to.
    package func join(_ id: String, account: String, at moment: Date) -> SimulatedMessage {
        message("SUBSCRIBED", "INITIAL_BUY", at: moment, member(id, account, at: moment), nil)
    }

    package func leave(_ id: String, account: String, joinedAt: Date, at moment: Date) -> SimulatedMessage {
        var transaction = member(id, account, at: joinedAt)
        transaction["revocationDate"] = moment.milliseconds
        transaction["revocationType"] = "ASSIGNMENT_REVOKE"
        return message("REVOKE", nil, at: moment, transaction, nil, status: 5)
    }

    /// The App Store frees seats of a group that the app invites to. The body names nothing but the claims.
    package func unclaim(_ claims: [String], at moment: Date) -> SimulatedMessage {
        var notification = head("UNCLAIM_SEATS", nil, at: moment)
        notification["unclaimInfo"] = ["unclaimSeatIds": .array(claims.map { .string($0) })]
        return SimulatedMessage(notification: notification)
    }

    // MARK: What is signed

    private func purchase() -> JSON {
        var transaction = transaction(periodID, seats: seats, from: renewed?.startsAt ?? startsAt)
        if renewed != nil { transaction["transactionReason"] = "RENEWAL" }
        if added.isEmpty { transaction["additionalTransactionReason"] = nil }
        return transaction
    }

    private var periodID: String { renewed?.id ?? originalID }

    private func transaction(_ id: String, seats: Int64, from start: Date) -> JSON {
        var transaction: JSON = [
            "transactionId": .string(id), "originalTransactionId": .string(originalID),
            "webOrderLineItemId": .string("9" + periodID), "bundleId": .string(bundleID),
            "productId": .string(productID), "subscriptionGroupIdentifier": "20000001",
            "purchaseDate": start.milliseconds, "originalPurchaseDate": startsAt.milliseconds,
            "expiresDate": endsAt.milliseconds, "quantity": .integer(seats), "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED", "environment": "Production", "transactionReason": "PURCHASE",
            "storefront": "CHN", "storefrontId": "143465", "currency": "CNY",
            "additionalTransactionReason": "SEAT_ADDITION",
        ]
        transaction["appAccountToken"] = purchaser.map { .string($0.uuidString.lowercased()) }
        let tiers = tiers(of: seats, isAddition: id != periodID)
        transaction["price"] = .integer(tiers.reduce(0) { $0 + $1.price * $1.quantity } / max(1, seats))
        transaction["multiSeatInfo"] = [
            "invitationManagement": isManagedByApp ? "DEVELOPER" : "APPLE", "priceTiers": .tiers(tiers),
        ]
        return transaction
    }

    /// Returns a member's transaction: seats, price and tiers of the purchaser, under an id of their own.
    private func member(_ id: String, _ account: String, at moment: Date) -> JSON {
        var transaction = purchase()
        transaction["transactionId"] = .string(id)
        transaction["originalTransactionId"] = .string(id)
        transaction["webOrderLineItemId"] = .string("9" + id)
        transaction["purchaseDate"] = moment.milliseconds
        transaction["originalPurchaseDate"] = moment.milliseconds
        transaction["inAppOwnershipType"] = "ASSIGNED"
        transaction["appTransactionId"] = .string(account)
        transaction["appAccountToken"] = nil
        return transaction
    }

    private func renewal(with seats: Int64, at moment: Date) -> JSON {
        let tiers = tiers(of: seats, isAddition: false)
        return [
            "originalTransactionId": .string(originalID), "productId": .string(productID),
            "autoRenewProductId": .string(productID), "autoRenewStatus": 1, "environment": "Production",
            "renewalDate": endsAt.milliseconds, "currency": "CNY", "renewalQuantity": .integer(seats),
            "renewalPrice": .integer(tiers.reduce(0) { $0 + $1.price * $1.quantity } / max(1, seats)),
            "multiSeatInfo": ["renewalPriceTiers": .tiers(tiers)], "signedDate": moment.milliseconds,
        ]
    }

    private func tiers(of seats: Int64, isAddition: Bool) -> [(price: Int64, quantity: Int64)] {
        let dear = isAddition ? 0 : min(seats, 5)
        return [(9_990, dear), (7_990, seats - dear)].filter { $0.1 > 0 }
    }

    private func head(_ type: String, _ subtype: String?, at moment: Date) -> JSON {
        var notification: JSON = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": "2.0", "signedDate": moment.milliseconds,
        ]
        notification["subtype"] = subtype.map { .string($0) }
        return notification
    }

    private func message(
        _ type: String,
        _ subtype: String?,
        at moment: Date,
        _ transaction: JSON,
        _ renewal: JSON?,
        status: Int64 = 1
    ) -> SimulatedMessage {
        var notification = head(type, subtype, at: moment)
        notification["data"] = [
            "appAppleId": .integer(appAppleID), "bundleId": .string(bundleID), "bundleVersion": "42",
            "environment": "Production", "status": .integer(status),
        ]
        var transaction = transaction
        transaction["signedDate"] = moment.milliseconds
        return SimulatedMessage(notification: notification, transaction: transaction, renewal: renewal)
    }
}

extension JSON {
    fileprivate static func tiers(_ tiers: [(price: Int64, quantity: Int64)]) -> JSON {
        .array(tiers.map { ["price": .integer($0.price), "quantity": .integer($0.quantity)] })
    }
}
