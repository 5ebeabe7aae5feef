package import Foundation

/// One purchase, renewal or upgrade as the store describes it, in the words that all stores share.
package struct StoreTransaction: Hashable, Sendable, Codable {
    package var id: String
    /// The id of the first transaction of the subscription; for Apple it names the subscription for ever.
    package var originalID: String
    /// The store's product identifier, for example `com.readmigo.pro.yearly`.
    package var productID: String
    package var kind: Kind
    package var purchasedAt: Date
    /// The end of the paid period; nil for what does not expire.
    package var expiresAt: Date?
    /// The charge for all of it; nil where the store does not say.
    package var price: Money?
    package var quantity: Int
    package var reason: Reason?
    package var isFamilyShared: Bool
    /// True of a seat that an organization or the buyer of a group gave to this customer (Apple's `ASSIGNED`): somebody else pays.
    package var isAssigned: Bool?
    /// The store's word about seats; nil for a product that is not sold by them, and for a member who only has one of them.
    package var seats: Seats?
    /// The transaction whose period this one added seats to; the fold sets it.
    package var additionTo: String?
    package var offer: Offer?
    package var revocation: Revocation?
    /// True where the store says that the customer upgraded from it to another product before its period was over.
    package var isUpgraded: Bool?
    /// True of a purchase that took another's place before its end, where the store gives back no money for the rest of that: it moves the
    /// time, or charges the difference (Google).
    package var replacesWithoutCredit: Bool?
    /// The app's own account token (Apple's `appAccountToken`), which names the customer.
    package var customerToken: UUID?
    /// The account that installed the app, the same on every device and after each installation (Apple's `appTransactionId`).
    package var appTransactionID: String?
    /// The subscription's id before the store gave it another original transaction (Apple's `previousOriginalTransactionId`).
    package var previousOriginalID: String?
    /// The storefront's country, ISO 3166-1 alpha-3 as Apple gives it ("CHN").
    package var storefront: String?
    /// The store's id of the purchase, where it has one: the same on all devices and after restores, whatever the transaction's id is there
    /// (Apple's `webOrderLineItemId`).
    package var purchaseID: String?
    /// True where the order of the transaction belongs to another subscription: the store has reported one transaction under two originals.
    /// It gives access here, and its money is there.
    package var isBookedElsewhere: Bool?
    /// True where the store does not say what kind of product it is (old receipts, Google's one-time products) and an end is missing: it
    /// may be owned for ever, be used up, or last for as long as the catalogue says.
    package var isKindAssumed: Bool?
    /// The commitment of which it pays for one billing period; nil for a purchase that is paid at once.
    package var commitment: Commitment?
    /// The start of the paid period, of a purchase at our own checkout, where we decide about it: it may lie ahead, at the end of what is
    /// held already. nil of every other purchase, whose period begins as it is made.
    package var startsAt: Date?
    /// The price of the whole period, of a purchase from whose price the unused part of another was taken off.
    package var wholePrice: Money?

    package init(
        id: String,
        originalID: String,
        productID: String,
        kind: Kind = .autoRenewable,
        purchasedAt: Date,
        expiresAt: Date?,
        price: Money?,
        quantity: Int = 1,
        reason: Reason? = nil,
        isFamilyShared: Bool = false,
        isAssigned: Bool? = nil,
        seats: Seats? = nil,
        offer: Offer? = nil,
        revocation: Revocation? = nil,
        isUpgraded: Bool? = nil,
        replacesWithoutCredit: Bool? = nil,
        customerToken: UUID? = nil,
        storefront: String? = nil,
        appTransactionID: String? = nil,
        previousOriginalID: String? = nil,
        purchaseID: String? = nil,
        isBookedElsewhere: Bool? = nil,
        isKindAssumed: Bool? = nil,
        commitment: Commitment? = nil
    ) {
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.kind = kind
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.price = price
        self.quantity = quantity
        self.reason = reason
        self.isFamilyShared = isFamilyShared
        self.isAssigned = isAssigned
        self.seats = seats
        self.offer = offer
        self.revocation = revocation
        self.isUpgraded = isUpgraded
        self.replacesWithoutCredit = replacesWithoutCredit
        self.customerToken = customerToken
        self.storefront = storefront
        self.appTransactionID = appTransactionID
        self.previousOriginalID = previousOriginalID
        self.purchaseID = purchaseID
        self.isBookedElsewhere = isBookedElsewhere
        self.isKindAssumed = isKindAssumed
        self.commitment = commitment
    }

    /// The type of product.
    package enum Kind: String, Sendable, Codable {
        case autoRenewable
        case nonRenewing
        case consumable
        case nonConsumable
    }

    /// The origin of the transaction: the customer bought, or the store renewed.
    package enum Reason: String, Sendable, Codable {
        case purchase
        case renewal
    }

    /// The offer under which a period was sold.
    package struct Offer: Hashable, Sendable, Codable {
        package var kind: Kind?
        package var identifier: String?
        package var isFreeTrial: Bool

        package init(kind: Kind?, identifier: String?, isFreeTrial: Bool) {
            self.kind = kind
            self.identifier = identifier
            self.isFreeTrial = isFreeTrial
        }

        package enum Kind: String, Sendable, Codable {
            case introductory
            case promotional
            case code
            case winBack
        }
    }

    /// The store's refund or revocation of the purchase.
    package struct Revocation: Hashable, Sendable, Codable {
        package var at: Date
        /// The store's own reason code (Apple: 1 = issue in the app, 0 = other).
        package var reason: Int?
        /// The share of the whole that is given back so far, in thousandths of a percent (Apple `revocationPercentage`: 50000 =
        /// 50 %); nil means all.
        package var milliPercent: Int?
        /// The very amount that is given back so far, where the store names it (Google's orders); the books take it in place of the share.
        package var amount: Money?
        /// True where only money was given back, and the purchase goes on (Google: a refund without revoking).
        package var keepsAccess: Bool?

        package init(
            at: Date,
            reason: Int? = nil,
            milliPercent: Int? = nil,
            amount: Money? = nil,
            keepsAccess: Bool? = nil
        ) {
            self.at = at
            self.reason = reason
            self.milliPercent = milliPercent
            self.amount = amount
            self.keepsAccess = keepsAccess
        }
    }
}

extension StoreTransaction {
    /// The start of the period that it pays for.
    package var periodStartsAt: Date { startsAt ?? purchasedAt }

    /// The price of the period that it pays for, whatever part of it was paid before.
    package var periodPrice: Money? { wholePrice ?? price }

    /// The subscription's earlier id, where it differs.
    package var formerOriginalID: String? {
        guard let previousOriginalID, !previousOriginalID.isEmpty, previousOriginalID != originalID else { return nil }
        return previousOriginalID
    }

    /// The possible quantities of one transaction; Apple's purchase sheet sells ten at most.
    package static let possibleQuantities = 1...1_000_000
}
