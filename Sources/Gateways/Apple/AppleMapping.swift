package import Billing
import Foundation

/// Translates Apple's terms into those that all stores share (stores/apple.md, 1.3).
extension AppleNotification {
    /// False for a type, a subtype or a pairing of the two that is not known here: kept, shown as ignored.
    package var isKnown: Bool {
        meaning != .unknown
    }

    /// The event of a subscription or purchase; nil if the notification concerns none, or is not known here.
    ///
    /// - Throws: `.missing` if the notification lacks what the books need: a transaction, its ids, its date; `.malformed` for a member of
    ///   an inner token that has another type, and for a price or a date that the books do not take.
    package func event() throws(GatewayError) -> StoreEvent? {
        if let problem, isKnown { throw problem }
        guard case .event(let kind) = meaning else { return nil }
        guard let transaction else {
            throw GatewayError(.missing, "The \(rawType) notification carries no transaction.")
        }
        let event = StoreEvent(
            id: notificationUUID.lowercased(),
            store: .apple,
            environment: environment,
            signedAt: signedDate,
            kind: kind,
            transaction: try transaction.storeTransaction,
            renewal: renewalTerms(),
            status: status.map(StoreEvent.Status.init),
            consumptionReason: consumptionRequestReason.map(ConsumptionReason.init(word:))
        )
        do {
            try event.requireKeepable()
        } catch {
            throw GatewayError(.malformed, error.message, underlying: error)
        }
        return event
    }

    /// The reason that staff have to look at a message of a known type with an unknown subtype: it is about money that nothing has booked.
    /// nil if it is not about money.
    package var unknownMoney: String? {
        guard meaning == .unknown, notificationType != nil, let transaction, transaction.isOwnCharge else { return nil }
        let amount = transaction.chargedPrice.map { "of \($0)" } ?? "whose amount is not known"
        return """
            The subtype \(rawSubtype ?? "(none)") of \(rawType) is not known here. It is about the transaction \
            \(transaction.transactionID ?? "?") \(amount), and nothing was booked of it.
            """
    }

    private enum Meaning: Equatable {
        case event(StoreEvent.Kind)
        /// Known, and about no subscription.
        case noSubscription
        case unknown
    }

    private var meaning: Meaning {
        guard let notificationType, subtype != nil || rawSubtype == nil else { return .unknown }
        return switch (notificationType, subtype) {
        case (.subscribed, .initialBuy), (.offerRedeemed, .initialBuy): .event(.subscribed)
        case (.subscribed, .resubscribe), (.offerRedeemed, .resubscribe): .event(.resubscribed)
        case (.didRenew, nil): .event(.renewed)
        case (.didRenew, .billingRecovery): .event(.recovered)
        case (.didChangeRenewalPreference, .upgrade), (.offerRedeemed, .upgrade): .event(.upgraded)
        case (.didChangeRenewalPreference, .downgrade), (.offerRedeemed, .downgrade): .event(.downgradeScheduled)
        case (.didChangeRenewalPreference, nil): .event(.planChangeCancelled)
        case (.didChangeRenewalStatus, .autoRenewEnabled): .event(.autoRenewEnabled)
        case (.didChangeRenewalStatus, .autoRenewDisabled): .event(.autoRenewDisabled)
        case (.offerRedeemed, nil): .event(.offerRedeemed)
        case (.didFailToRenew, .gracePeriod): .event(.gracePeriodEntered)
        case (.didFailToRenew, nil): .event(.billingRetryEntered)
        case (.gracePeriodExpired, nil): .event(.gracePeriodExpired)
        case (.expired, nil), (.expired, .voluntary), (.expired, .billingRetry), (.expired, .priceIncrease),
            (.expired, .productNotForSale):
            .event(.expired)
        case (.priceIncrease, .pending): .event(.priceIncreasePending)
        case (.priceIncrease, .accepted): .event(.priceIncreaseAccepted)
        case (.refund, nil): .event(.refunded)
        case (.refund, .seats): .event(.seatsRefunded)
        // Apple does not document their types: the subtype and the transaction decide.
        case (.didChangeRenewalPreference, .increaseQuantity), (.didChangeRenewalPreference, .decreaseQuantity),
            (.subscribed, .increaseQuantity), (.offerRedeemed, .increaseQuantity),
            (.didChangeRenewalStatus, .increaseQuantity), (.didChangeRenewalStatus, .decreaseQuantity):
            .event(.seatsChanged)
        case (.refundDeclined, nil): .event(.refundDeclined)
        case (.refundReversed, nil): .event(.refundReversed)
        case (.consumptionRequest, nil): .event(.refundRequested)
        case (.revoke, nil): .event(.revoked)
        case (.renewalExtended, nil): .event(.renewalExtended)
        case (.renewalExtension, .failure): .event(.renewalExtensionFailed)
        case (.oneTimeCharge, nil): .event(.purchasedOnce)
        case (.metadataUpdate, nil), (.migration, nil), (.priceChange, nil): .event(.informational)
        case (.renewalExtension, .summary), (.externalPurchaseToken, .created),
            (.externalPurchaseToken, .activeTokenReminder), (.externalPurchaseToken, .unreported),
            (.rescindConsent, nil), (.unclaimSeats, nil), (.test, nil):
            .noSubscription
        default: .unknown
        }
    }

    private func renewalTerms() -> RenewalTerms? {
        guard let renewal else {
            // The end says why, also where Apple sends nothing of a renewal.
            guard rawSubtype != nil, let expirationReason else { return nil }
            return RenewalTerms(renewsAutomatically: nil, expirationReason: expirationReason, isPartial: true)
        }
        var terms = renewal.terms
        terms.expirationReason = terms.expirationReason ?? expirationReason
        return terms
    }

    /// The reason by the notification's own subtype, for a renewal info without one.
    private var expirationReason: ExpirationReason? {
        guard notificationType == .expired else { return nil }
        return switch subtype {
        case .voluntary: .cancelled
        case .billingRetry: .billingError
        case .priceIncrease: .priceIncreaseRefused
        case .productNotForSale: .productUnavailable
        default: .other
        }
    }
}

extension StoreEvent.Status {
    init(_ status: AppleStatus) {
        self =
            switch status {
            case .active: .active
            case .expired: .expired
            case .billingRetry: .billingRetry
            case .gracePeriod: .gracePeriod
            case .revoked: .revoked
            }
    }
}

extension AppleTransaction {
    /// - Throws: `.missing` without ids, product or purchase date.
    var storeTransaction: StoreTransaction {
        get throws(GatewayError) {
            guard let transactionID, let originalTransactionID, let productID, let purchaseDate else {
                throw GatewayError(.missing, "The transaction has no id, no product or no purchase date.")
            }
            return StoreTransaction(
                id: transactionID,
                originalID: originalTransactionID,
                productID: productID,
                kind: kind,
                purchasedAt: purchaseDate,
                expiresAt: expiresDate,
                price: try knownPrice,
                quantity: isAssigned ? 1 : soldQuantity,
                reason: reason,
                isFamilyShared: ownership == .familyShared,
                isAssigned: isAssigned ? true : nil,
                seats: isAssigned || ownership == .familyShared ? nil : soldSeats,
                offer: offer,
                revocation: revocation,
                isUpgraded: isUpgraded == true ? true : nil,
                customerToken: appAccountToken,
                storefront: storefront,
                appTransactionID: appTransactionID,
                previousOriginalID: previousOriginalTransactionID,
                purchaseID: webOrderLineItemID.flatMap { $0.isEmpty ? nil : $0 },
                commitment: billingCommitment
            )
        }
    }

    /// A seat that somebody else pays for. What Apple calls neither bought nor shared, and what an assignment's end took, is nobody's
    /// purchase either.
    private var isAssigned: Bool {
        guard ownership != .familyShared else { return false }
        return revocationType == "ASSIGNMENT_REVOKE" || ownership != .purchased && rawOwnership?.isEmpty == false
    }

    /// True if this customer may have paid for it: nobody else did, and it was not free.
    fileprivate var isOwnCharge: Bool { !isAssigned && ownership != .familyShared && price != 0 }

    /// A number of seats that cannot be sold keeps back no purchase: the tiers' price is of all of them.
    private var soldQuantity: Int {
        guard seats != nil else { return max(1, quantity.flatMap { Int(exactly: $0) } ?? 1) }
        let possible = StoreTransaction.possibleQuantities
        return quantity.flatMap { Int(exactly: $0) }.flatMap { possible.contains($0) ? $0 : nil } ?? 1
    }

    private var soldSeats: StoreTransaction.Seats? {
        let isAddition = additionalReason == "SEAT_ADDITION"
        guard seats != nil || isAddition else { return nil }
        return StoreTransaction.Seats(
            revoked: seats?.revoked.map { min($0, soldQuantity) },
            // For a full refund the revocation tells the share.
            milliPercent: revocationDate == nil
                ? revocationPercentage.flatMap { (1...100_000).contains($0) ? Int($0) : nil } : nil,
            isAddition: isAddition ? true : nil,
            invitations: seats?.invitations
        )
    }

    /// The charge for all of it. The purchaser's price on a member's transaction is nobody's charge, and the price beside tiers an
    /// average: without readable tiers it is not known yet.
    private var knownPrice: Money? {
        get throws(GatewayError) {
            guard !isAssigned else { return nil }
            guard let seats else { return try money(milliunits: price, currency) }
            let total = seats.total ?? (quantity == 1 ? price : nil)
            return (try? money(milliunits: total, currency)) ?? nil
        }
    }

    /// Of a product that is paid for at once there is none, whatever else is said.
    private var billingCommitment: Commitment? {
        guard billingPlanType == "MONTHLY" else { return nil }
        return Commitment(
            period: commitment?.billingPeriodNumber.flatMap { (1...1_000).contains($0) ? Int($0) : nil },
            periods: commitment?.totalBillingPeriods.flatMap { (1...1_000).contains($0) ? Int($0) : nil },
            endsAt: commitment?.expiresDate,
            price: Money(tellable: commitment?.price, currency)
        )
    }

    private var kind: StoreTransaction.Kind {
        switch type {
        case .autoRenewable: .autoRenewable
        case .nonRenewing: .nonRenewing
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        // A kind that Apple adds later: what belongs to a group renews, what ends on its own does not.
        case nil:
            subscriptionGroupIdentifier != nil ? .autoRenewable : expiresDate != nil ? .nonRenewing : .nonConsumable
        }
    }

    private var reason: StoreTransaction.Reason? {
        switch transactionReason {
        case .purchase: .purchase
        case .renewal: .renewal
        case nil: nil
        }
    }

    private var offer: StoreTransaction.Offer? {
        guard rawOfferType != nil || offerIdentifier != nil || offerDiscountType != nil else { return nil }
        return StoreTransaction.Offer(
            kind: offerType.map(StoreTransaction.Offer.Kind.init),
            identifier: offerIdentifier,
            isFreeTrial: isFreeTrial
        )
    }

    /// An introductory period that costs nothing is a trial, also where Apple names no kind of discount.
    private var isFreeTrial: Bool {
        guard let offerDiscountType else { return offerType == .introductory && price == 0 }
        return offerDiscountType == "FREE_TRIAL"
    }

    private var revocation: StoreTransaction.Revocation? {
        guard let revocationDate else { return nil }
        return StoreTransaction.Revocation(
            at: revocationDate,
            reason: revocationReason.flatMap { Int(exactly: $0) },
            milliPercent: revocationPercentage.flatMap { Int(exactly: $0) }
                ?? (revocationType == "REFUND_FULL" ? 100_000 : nil)
        )
    }
}

extension AppleTransaction {
    /// The charge; nil if Apple names none, or none in a known currency.
    package var chargedPrice: Money? { (try? knownPrice) ?? nil }
}

/// Apple's thousandths of the unit in the currency's own minor units.
///
/// A price without a currency, which Apple has sent for days, is one that is not known yet: it says nothing, and costs nobody their
/// access.
///
/// - Throws: `.malformed` for a price that cannot be kept: it must not vanish from the books unseen.
private func money(milliunits: Int64?, _ code: String?) throws(GatewayError) -> Money? {
    guard let milliunits else { return nil }
    guard let currency = code.flatMap({ Currency($0) }) else { return nil }
    do {
        return try Money(milliunits: milliunits, currency: currency)
    } catch {
        throw GatewayError(.malformed, "A price is too large.", underlying: error)
    }
}

extension Money {
    /// An amount that nobody is charged yet; nil for one of no known currency, and beyond what the books take.
    init?(tellable milliunits: Int64?, _ code: String?) {
        guard let told = (try? money(milliunits: milliunits, code)) ?? nil,
            (0...Money.highestPrice).contains(told.minorUnits)
        else { return nil }
        self = told
    }
}

extension StoreTransaction.Offer.Kind {
    init(_ type: AppleOfferType) {
        self =
            switch type {
            case .introductory: .introductory
            case .promotional: .promotional
            case .offerCode: .code
            case .winBack: .winBack
            }
    }
}

extension String {
    /// nil for what no index and no database text can hold.
    var tellable: String? {
        !isEmpty && utf8.count <= StoreEvent.longestIdentifier && !utf8.contains(0) ? self : nil
    }
}

extension Date {
    /// nil for a date of no calendar that we write.
    var tellable: Date? { StoreEvent.possibleDates.contains(self) ? self : nil }
}
