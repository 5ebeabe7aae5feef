package import Billing
package import Foundation

/// One in-app purchase as a receipt lists it, signed by Apple or answered by verifyReceipt.
///
/// It has what an event needs but a price: receipts carry none.
package struct AppleReceiptPurchase: Hashable, Sendable {
    package var transactionID: String
    package var originalTransactionID: String
    package var productID: String
    /// nil where the receipt does not say.
    package var productType: AppleTransaction.ProductType?
    package var quantity: Int64
    package var purchasedAt: Date
    package var originallyPurchasedAt: Date?
    /// The end of the paid period; nil for what does not renew.
    package var expiresAt: Date?
    /// The time at which Apple refunded or revoked it, or an upgrade replaced it.
    package var cancelledAt: Date?
    /// 1: an issue within the app; 0: anything else.
    package var cancellationReason: Int64?
    package var isTrial: Bool
    package var isIntroductoryOffer: Bool
    package var isUpgraded: Bool
    package var isFamilyShared: Bool
    /// A seat that somebody else pays for.
    package var isAssigned: Bool
    package var promotionalOfferID: String?
    package var offerCodeName: String?
    package var webOrderLineItemID: String?
    package var subscriptionGroupID: String?
    package var appAccountToken: UUID?

    package init(
        transactionID: String,
        originalTransactionID: String,
        productID: String,
        productType: AppleTransaction.ProductType? = nil,
        quantity: Int64 = 1,
        purchasedAt: Date,
        originallyPurchasedAt: Date? = nil,
        expiresAt: Date? = nil,
        cancelledAt: Date? = nil,
        cancellationReason: Int64? = nil,
        isTrial: Bool = false,
        isIntroductoryOffer: Bool = false,
        isUpgraded: Bool = false,
        isFamilyShared: Bool = false,
        isAssigned: Bool = false,
        promotionalOfferID: String? = nil,
        offerCodeName: String? = nil,
        webOrderLineItemID: String? = nil,
        subscriptionGroupID: String? = nil,
        appAccountToken: UUID? = nil
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.productType = productType
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.originallyPurchasedAt = originallyPurchasedAt
        self.expiresAt = expiresAt
        self.cancelledAt = cancelledAt
        self.cancellationReason = cancellationReason
        self.isTrial = isTrial
        self.isIntroductoryOffer = isIntroductoryOffer
        self.isUpgraded = isUpgraded
        self.isFamilyShared = isFamilyShared
        self.isAssigned = isAssigned
        self.promotionalOfferID = promotionalOfferID
        self.offerCodeName = offerCodeName
        self.webOrderLineItemID = webOrderLineItemID
        self.subscriptionGroupID = subscriptionGroupID
        self.appAccountToken = appAccountToken
    }

    /// True if it is a copy that StoreKit made for another device: it has a new id and date, and nothing was paid.
    package var isRestoration: Bool {
        expiresAt == nil && transactionID != originalTransactionID
    }

    /// The purchase in the words that all stores share; without a price, which no receipt has.
    package var storeTransaction: StoreTransaction {
        StoreTransaction(
            id: transactionID,
            originalID: originalTransactionID,
            productID: productID,
            kind: kind,
            purchasedAt: purchasedAt,
            expiresAt: expiresAt,
            price: nil,
            quantity: isAssigned ? 1 : max(1, Int(exactly: quantity) ?? 1),
            reason: transactionID == originalTransactionID ? .purchase : expiresAt == nil ? nil : .renewal,
            isFamilyShared: isFamilyShared,
            isAssigned: isAssigned ? true : nil,
            offer: offer,
            revocation: revocation,
            customerToken: appAccountToken,
            purchaseID: webOrderLineItemID.flatMap { $0.isEmpty ? nil : $0 },
            isKindAssumed: productType == nil && expiresAt == nil ? true : nil
        )
    }

    private var kind: StoreTransaction.Kind {
        switch productType {
        case .autoRenewable: .autoRenewable
        case .nonRenewing: .nonRenewing
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case nil: expiresAt == nil ? .nonConsumable : .autoRenewable
        }
    }

    private var offer: StoreTransaction.Offer? {
        if let promotionalOfferID {
            return StoreTransaction.Offer(kind: .promotional, identifier: promotionalOfferID, isFreeTrial: isTrial)
        }
        if let offerCodeName {
            return StoreTransaction.Offer(kind: .code, identifier: offerCodeName, isFreeTrial: isTrial)
        }
        guard isTrial || isIntroductoryOffer else { return nil }
        return StoreTransaction.Offer(kind: .introductory, identifier: nil, isFreeTrial: isTrial)
    }

    /// A purchase that was replaced by an upgrade was not refunded.
    private var revocation: StoreTransaction.Revocation? {
        guard let cancelledAt, !isUpgraded else { return nil }
        return StoreTransaction.Revocation(at: cancelledAt, reason: cancellationReason.flatMap { Int(exactly: $0) })
    }
}

extension AppleReceiptPurchase {
    /// The attributes within attribute 17 of a receipt.
    ///
    /// - Throws: `.malformed`, or `.missing` without an id, a product or a date.
    init(_ attributes: [AppleReceiptAttribute]) throws(GatewayError) {
        var transactionID: String?
        var originalTransactionID: String?
        var productID: String?
        var purchasedAt: Date?
        var rest = AppleReceiptPurchase(
            transactionID: "",
            originalTransactionID: "",
            productID: "",
            purchasedAt: .distantPast
        )
        for attribute in attributes {
            switch attribute.type {
            case 1701: rest.quantity = try attribute.integer() ?? 1
            case 1702: productID = try attribute.text()
            case 1703: transactionID = try attribute.text()
            case 1704: purchasedAt = try attribute.date()
            case 1705: originalTransactionID = try attribute.text()
            case 1706: rest.originallyPurchasedAt = try attribute.date()
            case 1707: rest.productType = try attribute.integer().flatMap(AppleTransaction.ProductType.init(receipt:))
            case 1708: rest.expiresAt = try attribute.date()
            case 1711: rest.webOrderLineItemID = try attribute.integer().flatMap { $0 == 0 ? nil : String($0) }
            case 1712: rest.cancelledAt = try attribute.date()
            case 1713: rest.isTrial = try attribute.integer() == 1
            case 1719: rest.isIntroductoryOffer = try attribute.integer() == 1
            case 1721: rest.promotionalOfferID = try attribute.text()
            default: break
            }
        }
        guard let transactionID, let productID, let purchasedAt else {
            throw GatewayError(.missing, "A purchase of the receipt has no id, no product or no date.")
        }
        self = rest
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.productID = productID
        self.purchasedAt = purchasedAt
    }
}

extension AppleTransaction.ProductType {
    /// Attribute 1707 of a receipt.
    package init?(receipt number: Int64) {
        switch number {
        case 0: self = .nonConsumable
        case 1: self = .consumable
        case 2: self = .nonRenewing
        case 3: self = .autoRenewable
        default: return nil
        }
    }
}

extension [AppleReceiptPurchase] {
    /// By date, then by id, so that the same receipt always gives the same list.
    var inOrder: [AppleReceiptPurchase] {
        sorted { ($0.purchasedAt, $0.transactionID) < ($1.purchasedAt, $1.transactionID) }
    }
}
