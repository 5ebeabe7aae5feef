import APITypes
import Billing
import Foundation
import HTTP

extension SubscriptionFuture {
    init(_ subscription: Subscription, at now: Date) {
        self.init(
            nextRenewal: subscription.nextRenewal(at: now).map { UpcomingRenewal($0, of: subscription) },
            commitment: subscription.commitment.map {
                BillingCommitment($0, turnedOffAt: subscription.commitmentCancelledAt)
            },
            winBackOfferIds: subscription.nextRenewal.winBackOfferIDs
        )
    }

    /// The same of what decides for a customer, as far as the store has said anything; nothing of what staff gave.
    init(_ current: CurrentSubscription) {
        self.init()
        guard let subscription = current.held?.subscription else { return }
        self = SubscriptionFuture(subscription, at: current.now)
        if subscription.nextRenewal == NextRenewal(), subscription.renewalPrice == nil { nextRenewal = nil }
    }
}

extension UpcomingRenewal {
    fileprivate init(_ next: NextRenewal, of subscription: Subscription) {
        self.init(
            renewsAt: next.at,
            productId: subscription.nextProductID ?? subscription.productID,
            price: subscription.renewalPrice.map { Amount($0) },
            currency: subscription.renewalPrice?.currency.code,
            offer: next.offer.map { UpcomingOffer($0) },
            priceConsent: next.priceConsent?.rawValue.uppercased()
        )
    }
}

extension UpcomingOffer {
    fileprivate init(_ offer: RenewalOffer) {
        self.init(
            offerType: offer.kind?.name,
            offerIdentifier: offer.identifier,
            discountType: offer.discount?.rawValue.uppercased(),
            period: offer.period?.description
        )
    }
}

extension BillingCommitment {
    fileprivate init(_ commitment: Commitment, turnedOffAt: Date?) {
        self.init(
            period: commitment.period,
            periods: commitment.periods,
            endsAt: commitment.endsAt,
            price: commitment.price.map { Amount($0) },
            currency: commitment.price?.currency.code,
            renewalTurnedOffAt: turnedOffAt
        )
    }
}
