import Billing
import Foundation
import Testing

@Suite("The next renewal") struct NextRenewalTests {
    private static let bought = StoreTransaction.sold("t1", from: 0, to: 30)
    private static let offer = RenewalOffer(
        kind: .promotional,
        identifier: "spring",
        discount: .payUpFront,
        period: BillingPeriod(6, .month)
    )

    private static func terms(
        _ offer: RenewalOffer? = nil,
        price: Money? = nil,
        accepted: Bool? = nil,
        winBack: [String]? = nil,
        isPartial: Bool? = nil
    ) -> RenewalTerms {
        RenewalTerms(
            renewsAutomatically: true,
            renewsAt: isPartial == true ? nil : .day(30),
            renewalPrice: price,
            priceIncreaseAccepted: accepted,
            offer: offer,
            winBackOfferIDs: winBack,
            isPartial: isPartial
        )
    }

    private static let told = StoreEvent.told(.subscribed, on: 0, bought, terms(offer, price: .yuan(6)))

    @Test("has the offer, the price and the day that the store says")
    func offer() throws {
        let subscription = SubscriptionHistory.outcome(Self.told).subscription
        let next = try #require(subscription.nextRenewal(at: .day(1)))
        #expect(next == NextRenewal(at: .day(30), offer: Self.offer))
        #expect(subscription.renewalPrice == .yuan(6))
    }

    @Test(
        "what a later renewal info leaves out is no longer so, and what is signed last holds, in whatever order it comes",
        arguments: [
            StoreEvent.Kind.autoRenewEnabled, .informational, .observed, .priceIncreasePending, .refundDeclined,
        ]
    )
    func takenAway(_ kind: StoreEvent.Kind) {
        let later = StoreEvent.told(kind, on: 5, Self.bought, Self.terms())
        for events in [[Self.told, later], [later, Self.told]] {
            let subscription = SubscriptionHistory(events).replay().subscription
            #expect(subscription.nextRenewal.offer == nil)
            #expect(subscription.renewalPrice == nil)
            #expect(subscription.nextRenewal.at == .day(30))
        }
    }

    @Test(
        "a receipt, which has no place for them, takes neither offer nor price away, and tells what was said to a higher one"
    )
    func receipt() {
        let receipt = StoreEvent.told(.observed, on: 5, Self.bought, Self.terms(accepted: false, isPartial: true))
        let subscription = SubscriptionHistory.outcome(Self.told, receipt).subscription
        #expect(subscription.nextRenewal == NextRenewal(at: .day(30), offer: Self.offer, priceConsent: .pending))
        #expect(subscription.renewalPrice == .yuan(6))
    }

    @Test("a message without a renewal info leaves what is known")
    func silent() {
        let refused = StoreEvent.told(.refundDeclined, on: 5, Self.bought)
        #expect(SubscriptionHistory.outcome(Self.told, refused).subscription.nextRenewal.offer == Self.offer)
    }

    @Test(
        "consent to a higher price is pending until the customer or the store says otherwise, also by the message's kind alone"
    )
    func consent() {
        let asked = StoreEvent.told(.priceIncreasePending, on: 3, Self.bought, Self.terms(price: .yuan(25)))
        let agreed = StoreEvent.told(.priceIncreaseAccepted, on: 4, Self.bought, Self.terms(price: .yuan(25)))
        let pending = SubscriptionHistory.outcome(Self.told, asked).subscription
        #expect((pending.nextRenewal.priceConsent, pending.renewalPrice) == (.pending, .yuan(25)))
        #expect(
            SubscriptionHistory.outcome(Self.told, asked, agreed).subscription.nextRenewal.priceConsent == .accepted
        )
        let changed = StoreEvent.told(.informational, on: 5, Self.bought, Self.terms(price: .yuan(30), accepted: false))
        let again = SubscriptionHistory.outcome(Self.told, asked, agreed, changed).subscription
        #expect((again.nextRenewal.priceConsent, again.renewalPrice) == (.pending, .yuan(30)))
    }

    @Test("with the period that it was of, an offer and a consent are over")
    func nextPeriod() {
        let renewed = StoreEvent.told(.renewed, on: 30, .sold("t2", from: 30, to: 60))
        #expect(SubscriptionHistory.outcome(Self.told, renewed).subscription.nextRenewal == NextRenewal())
    }

    @Test("there is none of what will not renew; what ended keeps the offers that may win the customer back")
    func none() {
        let off = StoreEvent.told(.autoRenewDisabled, on: 5, Self.bought, .renews(false))
        #expect(SubscriptionHistory.outcome(Self.told, off).subscription.nextRenewal(at: .day(6)) == nil)
        let terms = RenewalTerms(renewsAutomatically: false, winBackOfferIDs: ["back", "again"])
        let ended = SubscriptionHistory.outcome(Self.told, off, .told(.expired, on: 30, Self.bought, terms))
            .subscription
        #expect(ended.nextRenewal(at: .day(31)) == nil)
        #expect(ended.nextRenewal.winBackOfferIDs == ["back", "again"])
        #expect(Subscription().nextRenewal(at: .day(0)) == nil)
    }
}
