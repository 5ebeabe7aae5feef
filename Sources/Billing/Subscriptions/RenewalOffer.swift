/// The offer under which the next period will be sold.
package struct RenewalOffer: Hashable, Sendable, Codable {
    package var kind: StoreTransaction.Offer.Kind?
    package var identifier: String?
    package var discount: Discount?
    /// The length of the offer; of one that is paid period by period, all of its periods together.
    package var period: BillingPeriod?

    package init(
        kind: StoreTransaction.Offer.Kind? = nil,
        identifier: String? = nil,
        discount: Discount? = nil,
        period: BillingPeriod? = nil
    ) {
        (self.kind, self.identifier, self.discount, self.period) = (kind, identifier, discount, period)
    }

    /// The way in which an offer is paid for (Apple `offerDiscountType`). The database keeps the raw values.
    package enum Discount: String, Sendable, Codable, CaseIterable {
        case freeTrial = "free_trial"
        case payAsYouGo = "pay_as_you_go"
        case payUpFront = "pay_up_front"
        case oneTime = "one_time"
    }

    /// True if anything of it is known.
    package var saysSomething: Bool { self != RenewalOffer() }
}
