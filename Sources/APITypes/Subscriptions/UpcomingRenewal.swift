public import Foundation

/// The store's plan for the end of a period of a subscription that renews.
public struct UpcomingRenewal: Resource {
    public var renewsAt: Date?
    public var productId: String?
    public var price: Amount?
    public var currency: String?
    public var offer: UpcomingOffer?
    public var priceConsent: String?

    public static let fields = Fields<Self> {
        Field("renewsAt", \.renewsAt, "When the store will charge; null where it has not said so.")
        Field("productId", \.productId, "The store's product of the next period.")
        Field("price", \.price, "Of the next period; null where the store has not said it.")
        Field("currency", \.currency, "ISO 4217; null without a price.", .currencyCode)
        Field("offer", \.offer, "The offer under which the next period will be sold; null without one.")
        Field(
            "priceConsent",
            \.priceConsent,
            """
            What the customer has said to a higher price: `PENDING` until they answer, and without an answer the subscription ends; \
            `ACCEPTED` also where the store only had to tell them. null while no higher price was announced. Values may be added.
            """,
            .oneOf(Vocabulary.priceConsents)
        )
    }

    public init(
        renewsAt: Date?,
        productId: String?,
        price: Amount?,
        currency: String?,
        offer: UpcomingOffer?,
        priceConsent: String?
    ) {
        (self.renewsAt, self.productId) = (renewsAt, productId)
        (self.price, self.currency) = (price, currency)
        (self.offer, self.priceConsent) = (offer, priceConsent)
    }
}

/// The offer of a next period.
public struct UpcomingOffer: Resource {
    public var offerType: String?
    public var offerIdentifier: String?
    public var discountType: String?
    public var period: String?

    public static let fields = Fields<Self> {
        Field(
            "offerType",
            \.offerType,
            "null for a kind that is not known here. Values may be added.",
            .oneOf(Vocabulary.offerTypes)
        )
        Field("offerIdentifier", \.offerIdentifier, "The offer's own identifier, where it has one.")
        Field(
            "discountType",
            \.discountType,
            "How it is paid for. Values may be added.",
            .oneOf(Vocabulary.offerDiscounts)
        )
        Field("period", \.period, "How long it runs, an ISO 8601 duration.", .example(.string("P1M")))
    }

    public init(offerType: String?, offerIdentifier: String?, discountType: String?, period: String?) {
        (self.offerType, self.offerIdentifier) = (offerType, offerIdentifier)
        (self.discountType, self.period) = (discountType, period)
    }
}

/// That a longer time is bought and paid for month by month.
public struct BillingCommitment: Resource {
    public var period: Int?
    public var periods: Int?
    public var endsAt: Date?
    public var price: Amount?
    public var currency: String?
    public var renewalTurnedOffAt: Date?

    public static let fields = Fields<Self> {
        Field(
            "period",
            \.period,
            "Which of its billing periods is paid for, from 1; null where the store does not say."
        )
        Field("periods", \.periods, "Their number, twelve of a year; null where the store does not say.")
        Field("endsAt", \.endsAt, "When all of them are over. Access is that of the period that is paid for.")
        Field("price", \.price, "Of all of them together; no amount that was charged.")
        Field("currency", \.currency, "ISO 4217; null without a price.", .currencyCode)
        Field(
            "renewalTurnedOffAt",
            \.renewalTurnedOffAt,
            "When renewal after all of them was turned off; until then each of them is billed all the same. null while it is on."
        )
    }

    public init(
        period: Int?,
        periods: Int?,
        endsAt: Date?,
        price: Amount?,
        currency: String?,
        renewalTurnedOffAt: Date?
    ) {
        (self.period, self.periods, self.endsAt) = (period, periods, endsAt)
        (self.price, self.currency, self.renewalTurnedOffAt) = (price, currency, renewalTurnedOffAt)
    }
}

/// The known future of a subscription, beside the end of the paid period.
public struct SubscriptionFuture: Sendable, Hashable {
    public var nextRenewal: UpcomingRenewal?
    public var commitment: BillingCommitment?
    public var winBackOfferIds: [String]

    public init(
        nextRenewal: UpcomingRenewal? = nil,
        commitment: BillingCommitment? = nil,
        winBackOfferIds: [String] = []
    ) {
        (self.nextRenewal, self.commitment, self.winBackOfferIds) = (nextRenewal, commitment, winBackOfferIds)
    }

    /// The meanings of its members, wherever they stand.
    static let nextRenewalMeaning = "What the store will do at the end of the period; null for what does not renew."
    static let commitmentMeaning =
        "The longer time that is paid for month by month, of which the period is one; null for what is paid for at once."
    static let winBackMeaning = "The win-back offers of the store that the customer may have, the best first."
}
