package import Billing
package import Foundation
import Gateways

/// A purchase that somebody tries out from the command line. It is kept in a file, and what happens to it next is a command of its own.
package struct TriedPurchase: Sendable, Hashable {
    /// The app's slug.
    package let app: String
    /// The newest transaction, as Apple would sign it.
    private(set) var transaction: JSON
    /// Of a subscription alone.
    private(set) var renewal: JSON?
    /// Apple's 1 to 5; nil for what is sold once.
    private(set) var status: Int64?
    private let appAppleID: Int64?

    /// A purchase in production.
    ///
    /// - Parameters:
    ///   - period: nil for what is owned for ever, and for what is used up.
    ///   - isConsumable: whether it is used up.
    ///   - price: nil for 9.99 USD.
    package init(
        of productID: String,
        for app: String,
        bundleID: String,
        appAppleID: Int64?,
        period: BillingPeriod?,
        isConsumable: Bool = false,
        price: Money?,
        appAccountToken: UUID?,
        at date: Date
    ) {
        (self.app, self.appAppleID) = (app, appAppleID)
        let books = SimulatedBooks(environment: .production, bundleID: bundleID, appAppleID: appAppleID ?? 0)
        let purchase = SimulatedPurchase(
            of: productID,
            type: period != nil ? .autoRenewable : isConsumable ? .consumable : .nonConsumable,
            price: price?.milliunits ?? 9_990,
            currency: price?.currency.code ?? "USD",
            appAccountToken: appAccountToken
        )
        transaction = purchase.transaction(Self.newID(at: date), of: books, at: date)
        guard let period else { return }
        transaction["expiresDate"] = period.end(from: date, in: .gmt).milliseconds
        renewal = books.renewal(of: transaction, at: date)
        renewal?["recentSubscriptionStartDate"] = date.milliseconds
        status = 1
    }

    /// - Throws: `.unusableAuthority` for what is no purchase that was kept.
    init(kept json: JSON) throws(SimulatorError) {
        guard let app = json["app"]?.string, let transaction = json["transaction"] else {
            throw SimulatorError(.unusableAuthority, "A purchase that was kept is not whole.")
        }
        (self.app, self.transaction, renewal) = (app, transaction, json["renewal"])
        (status, appAppleID) = (json["status"]?.integer, json["appAppleId"]?.integer)
    }

    /// As it is kept.
    var json: JSON {
        var json: JSON = ["app": .string(app), "transaction": transaction]
        json["renewal"] = renewal
        json["status"] = status.map { .integer($0) }
        json["appAppleId"] = appAppleID.map { .integer($0) }
        return json
    }

    package var id: String { transaction["transactionId"]?.string ?? "" }
    package var productID: String { transaction["productId"]?.string ?? "" }
    /// The end of what is paid for; nil for what has none.
    package var expiresAt: Date? { transaction["expiresDate"]?.date }
    var purchasedAt: Date? { transaction["purchaseDate"]?.date }
    var originalID: String { transaction["originalTransactionId"]?.string ?? id }

    /// The first message about it.
    package var announcement: SimulatedMessage {
        let date = purchasedAt ?? .distantPast
        return status == nil ? message("ONE_TIME_CHARGE", at: date) : message("SUBSCRIBED", "INITIAL_BUY", at: date)
    }

    /// The transaction, as the device gets it.
    package func signed(by signer: AppleSigner) throws -> String { try signer.sign(transaction) }

    /// The transaction as JSON, to be read by people.
    package var description: String {
        let object = try? JSONSerialization.jsonObject(with: Data(transaction.bytes))
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let pretty = object.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: options) }
        return String(decoding: pretty ?? Data(transaction.bytes), as: UTF8.self)
    }

    private static func newID(at date: Date) -> String {
        "98\(String(Int64(bounding: date.timeIntervalSince1970 * 1_000)))"
    }

    private func message(_ type: String, _ subtype: String? = nil, at date: Date) -> SimulatedMessage {
        let bundleID = transaction["bundleId"]?.string ?? ""
        return SimulatedBooks(environment: .production, bundleID: bundleID, appAppleID: appAppleID ?? 0)
            .message(type, subtype, transaction, renewal, status: status, at: date)
    }
}

// MARK: What happens to it

extension TriedPurchase {
    /// A turn of a purchase's life, by the word for it on the command line.
    package enum Turn: String, Sendable, CaseIterable {
        /// The next period is charged: at the end of the one before, or now where that has failed before.
        case renew
        /// The customer turns the renewal off.
        case cancel
        /// The customer turns it on again.
        case restart
        /// The charge fails, and Apple wants access kept for sixteen days.
        case grace
        /// The charge fails, and there is no grace.
        case retry
        /// The end has come, without a charge.
        case expire
        /// Apple pays all of it back.
        case refund
    }

    /// Lives on.
    ///
    /// - Returns: what Apple tells of it.
    /// - Throws: `.refused` where the purchase is not in the state for it.
    package mutating func take(_ turn: Turn, at now: Date) throws(SimulatorError) -> SimulatedMessage {
        guard transaction["revocationDate"] == nil else { throw refusal("Apple has paid \(id) back: nothing follows.") }
        if turn == .refund { return refund(at: now) }
        guard let end = expiresAt, status != nil else { throw refusal("\(productID) is no subscription.") }
        switch turn {
        case .cancel, .restart:
            let isOn = turn == .restart
            guard (renewal?["autoRenewStatus"] == 1) != isOn else {
                throw refusal("The renewal of \(id) is \(isOn ? "on" : "off") already.")
            }
            renewal?["autoRenewStatus"] = isOn ? 1 : 0
            sign(at: now)
            return message("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED", at: now)
        case .renew: return try charge(after: end, at: now)
        case .grace, .retry, .expire: return try finish(turn, at: end, now)
        case .refund: return refund(at: now)
        }
    }

    /// Apple charges in the day before the end, and dates the new period from the end.
    private mutating func charge(after end: Date, at now: Date) throws(SimulatorError) -> SimulatedMessage {
        guard end.timeIntervalSince(now) <= 86_400 else { throw tooEarly(end, "charges for the next period") }
        let isRecovery = renewal?["isInBillingRetryPeriod"] == true
        let hasLapsed = status == 2 || status == 3
        let start = hasLapsed ? now : end
        let length = end.timeIntervalSince(purchasedAt ?? end)
        transaction["transactionId"] = .string(Self.newID(at: now))
        transaction["webOrderLineItemId"] = .string("9" + id)
        transaction["transactionReason"] = status == 2 ? "PURCHASE" : "RENEWAL"
        transaction["purchaseDate"] = start.milliseconds
        transaction["expiresDate"] = start.addingTimeInterval(length).milliseconds
        for name in ["isInBillingRetryPeriod", "gracePeriodExpiresDate", "expirationIntent"] { renewal?[name] = nil }
        renewal?["autoRenewStatus"] = 1
        renewal?["renewalDate"] = transaction["expiresDate"]
        let isNew = status == 2
        status = 1
        sign(at: now)
        if isNew { return message("SUBSCRIBED", "RESUBSCRIBE", at: now) }
        return message("DID_RENEW", isRecovery ? "BILLING_RECOVERY" : nil, at: now)
    }

    private mutating func finish(
        _ turn: Turn,
        at end: Date,
        _ now: Date
    ) throws(SimulatorError) -> SimulatedMessage {
        guard end <= now else { throw tooEarly(end, turn == .expire ? "ends it" : "finds that the charge fails") }
        let renews = renewal?["autoRenewStatus"] == 1
        guard status != 2, renews || turn == .expire else { throw refusal("\(id) does not renew: nothing is charged.") }
        sign(at: now)
        switch turn {
        case .grace:
            status = 4
            renewal?["isInBillingRetryPeriod"] = true
            renewal?["gracePeriodExpiresDate"] = end.addingTimeInterval(16 * 86_400).milliseconds
            return message("DID_FAIL_TO_RENEW", "GRACE_PERIOD", at: now)
        case .retry:
            status = 3
            renewal?["isInBillingRetryPeriod"] = true
            renewal?["gracePeriodExpiresDate"] = nil
            renewal?["expirationIntent"] = 2
            return message("DID_FAIL_TO_RENEW", at: now)
        default:
            status = 2
            renewal?["isInBillingRetryPeriod"] = false
            renewal?["gracePeriodExpiresDate"] = nil
            renewal?["autoRenewStatus"] = 0
            renewal?["expirationIntent"] = renews ? 2 : 1
            return message("EXPIRED", renews ? "BILLING_RETRY" : "VOLUNTARY", at: now)
        }
    }

    private mutating func refund(at now: Date) -> SimulatedMessage {
        transaction["revocationDate"] = now.milliseconds
        transaction["revocationReason"] = 0
        transaction["revocationType"] = "REFUND_FULL"
        transaction["revocationPercentage"] = 100_000
        if status != nil { status = 5 }
        sign(at: now)
        return message("REFUND", at: now)
    }

    private mutating func sign(at now: Date) {
        transaction["signedDate"] = now.milliseconds
        renewal?["signedDate"] = now.milliseconds
    }

    private func refusal(_ text: String) -> SimulatorError { SimulatorError(.refused, text) }

    private func tooEarly(_ end: Date, _ what: String) -> SimulatorError {
        refusal(
            "\(id) is paid for until \(end.formatted(.iso8601)), and Apple \(what) then. "
                + "Buy with --ended to have one whose period has just ended."
        )
    }
}

extension Money {
    /// Thousandths of the currency's unit, as Apple writes prices.
    fileprivate var milliunits: Int64 {
        (0..<3).reduce(minorUnits) { units, place in place < currency.digits ? units : units.times(10) }
    }
}
