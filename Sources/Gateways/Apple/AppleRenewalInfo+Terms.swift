import Billing
import Foundation

extension AppleRenewalInfo {
    /// Its terms in the words that all stores share. A member that the books could not take (a date of no calendar, a price of no
    /// currency) is left out: what comes next keeps nothing from what is.
    var terms: RenewalTerms {
        RenewalTerms(
            renewsAutomatically: renewsAutomatically,
            nextProductID: autoRenewProductID.flatMap(\.tellable),
            renewsAt: renewalDate.flatMap(\.tellable),
            renewalPrice: knownRenewalPrice,
            seats: renewalQuantity.flatMap { $0 > 0 ? $0 : nil },
            gracePeriodEndsAt: gracePeriodExpiresDate.flatMap(\.tellable),
            isInBillingRetry: isInBillingRetryPeriod ?? false,
            expirationReason: expirationReason,
            priceIncreaseAccepted: priceIncreaseAccepted,
            commitmentRenews: commitmentRenews,
            offer: offer,
            winBackOfferIDs: winBackOfferIDs
        )
    }

    /// The price of all of it. Of more than one seat the tiers alone say it.
    private var knownRenewalPrice: Money? {
        guard let seats else { return Money(tellable: renewalPrice, currency) }
        return Money(tellable: seats.total ?? (renewalQuantity == 1 ? renewalPrice : nil), currency)
    }

    /// Of a subscription of Advanced Commerce its items say it (`priceIncreaseInfo`), and one that is not agreed to is none.
    private var priceIncreaseAccepted: Bool? {
        switch priceIncreaseStatus {
        case 0: return false
        case 1: return true
        default: break
        }
        let answers = itemsPriceIncreases
        if answers.contains("PENDING") { return false }
        return answers.contains("ACCEPTED") ? true : nil
    }

    private var itemsPriceIncreases: [String] {
        guard case .array(let items) = advancedCommerceInfo?["items"] else { return [] }
        return items.compactMap { item in
            guard case .string(let status) = item["priceIncreaseInfo"]?["status"] else { return nil }
            return status
        }
    }

    private var commitmentRenews: Bool? {
        guard case .integer(let status) = commitmentInfo?["commitmentAutoRenewStatus"] else { return nil }
        return status == 1
    }

    private var offer: RenewalOffer? {
        let offer = RenewalOffer(
            kind: offerType.map(StoreTransaction.Offer.Kind.init),
            identifier: offerIdentifier.flatMap(\.tellable),
            discount: discount,
            period: offerPeriod.flatMap { BillingPeriod(iso8601: $0) }
        )
        return offer.saysSomething ? offer : nil
    }

    private var discount: RenewalOffer.Discount? {
        switch offerDiscountType {
        case "FREE_TRIAL": .freeTrial
        case "PAY_AS_YOU_GO": .payAsYouGo
        case "PAY_UP_FRONT": .payUpFront
        case "ONE_TIME": .oneTime
        default: nil
        }
    }

    private var winBackOfferIDs: [String]? {
        let ids = eligibleWinBackOfferIDs.prefix(Self.mostWinBackOffers).compactMap(\.tellable)
        return ids.isEmpty ? nil : ids
    }

    /// App Store Connect takes 350 offers for a subscription of all kinds; nobody reads more of them than these.
    private static let mostWinBackOffers = 50

    private var expirationReason: ExpirationReason? {
        switch expirationIntent {
        case .cancelled: .cancelled
        case .billingError: .billingError
        case .priceIncreaseRefused: .priceIncreaseRefused
        case .productUnavailable: .productUnavailable
        case .other: .other
        case nil: rawExpirationIntent == nil ? nil : .other
        }
    }
}
