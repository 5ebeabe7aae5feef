import Billing
import Foundation
import Operations
import Storage
import StoreSimulator
import Testing

extension Purchase {
    /// A purchase made once, for its simulation is slow.
    private static let example = Result { try Purchase.number(0) }
    private static let revocation = Result { try #require(try example.get().refunded().transaction?.revocation) }

    /// Makes a first period of any product at any price, which runs at the tests' date; another subscription for each seed.
    ///
    /// - Parameters:
    ///   - token: the account that the store names.
    ///   - seconds: the time of its end after the tests' date, in seconds; nil for its whole length.
    static func madeUp(
        seed: UInt64,
        in environment: StoreEnvironment = .production,
        token: UUID? = nil,
        endingIn seconds: TimeInterval? = nil
    ) throws -> Purchase {
        var random = SeededGenerator(seed: seed)
        var notification = try example.get().notification
        var transaction = try #require(notification.transaction)
        var renewal = try #require(notification.renewal)
        let product = try #require(SimulatedCatalog.readmigo.products.randomElement(using: &random))
        let start = TestOffice.start.addingTimeInterval(-Double(Int.random(in: 7_200...2_000_000, using: &random)))
        transaction.id = "29\(1_000_000 + seed)0"
        transaction.originalID = transaction.id
        transaction.webOrderLineItemID = transaction.id
        transaction.product = product
        (transaction.purchaseDate, transaction.originalPurchaseDate) = (start, start)
        transaction.expiresDate = start.addingTimeInterval((product.period.unit == .month ? 30 : 365) * 86_400)
        if let seconds { transaction.expiresDate = TestOffice.start.addingTimeInterval(seconds) }
        transaction.isFreeTrial = product.hasTrial && Int.random(in: 0..<4, using: &random) == 0
        transaction.price = transaction.isFreeTrial ? 0 : Int64.random(in: 1...900_000, using: &random) * 10
        (transaction.offerIdentifier, transaction.appAccountToken) = (nil, token)
        (transaction.isRenewal, transaction.isFamilyShared, transaction.isUpgraded) = (false, false, false)
        renewal.originalID = transaction.id
        (renewal.product, renewal.nextProduct) = (product, product)
        (renewal.renewalDate, renewal.recentSubscriptionStartDate) = (transaction.expiresDate, start)
        (renewal.renewsAutomatically, renewal.appAccountToken) = (true, token)
        notification.notificationUUID = UUID()
        (notification.signedDate, notification.environment, notification.customer) = (start, environment, nil)
        (notification.transaction, notification.renewal) = (transaction, renewal)
        return Purchase(notification: notification, transaction: transaction)
    }

    /// The plan that it pays for.
    var plan: String { transaction.product.rank == 1 ? "PRO" : "PREMIUM" }

    /// Returns the purchase after a change, which the store signs a minute before the tests' date.
    func after(_ change: StoreChange) throws -> Purchase {
        var notification = notification
        notification.notificationUUID = UUID()
        notification.signedDate = TestOffice.start.addingTimeInterval(-60)
        var transaction = transaction
        switch change {
        case .unchanged: return self
        case .cancelled:
            (notification.type, notification.subtype) = ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
            notification.renewal?.renewsAutomatically = false
        case .refunded:
            (notification.type, notification.subtype, notification.status) = ("REFUND", nil, 5)
            transaction.revocation = try Self.revocation.get()
            transaction.revocation?.date = notification.signedDate
        case .renewed:
            (notification.type, notification.subtype) = ("DID_RENEW", nil)
            let length = transaction.expiresDate.timeIntervalSince(transaction.purchaseDate)
            transaction.id = String(transaction.originalID.dropLast()) + "1"
            transaction.webOrderLineItemID = transaction.id
            // The charge comes before the period, as stores may do it.
            transaction.purchaseDate = transaction.expiresDate
            transaction.expiresDate = transaction.purchaseDate.addingTimeInterval(length)
            (transaction.isRenewal, transaction.isFreeTrial) = (true, false)
            transaction.price = max(transaction.price, 18_000)
            notification.renewal?.renewalDate = transaction.expiresDate
        }
        notification.transaction = transaction
        return Purchase(notification: notification, transaction: transaction)
    }
}

/// A change at the store since a purchase.
enum StoreChange: CaseIterable, Sendable {
    case unchanged
    case cancelled
    case refunded
    case renewed
}
