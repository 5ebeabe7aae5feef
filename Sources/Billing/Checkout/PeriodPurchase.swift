package import Foundation

/// A period that a customer buys at a store that renews nothing by itself: when it runs, and what it costs.
///
/// The period begins now, or at the end of what the customer holds of the same plan, so that periods of a plan follow each other and
/// never overlap. A higher plan begins at once: the unused value of lower ones that were paid to us is taken off its price, and they
/// end (lightgallery document, property 22). A lower plan waits until the higher one is over.
package struct PeriodPurchase: Hashable, Sendable {
    package let startsAt: Date
    package let endsAt: Date
    /// The product on sale, with its price.
    package let offer: Offer
    /// The price of the whole period, before anything is taken off.
    package var price: Money { offer.price }
    /// The unused parts of the periods that end with it, in the order of their start.
    package let credits: [Credit]
    /// The sum to pay: the price less the credits.
    package let amount: Money

    /// The unused part of a held period.
    package struct Credit: Hashable, Sendable {
        /// The held period that ends when the new one begins.
        package let period: HeldPeriod
        /// Its value times unused seconds over all seconds, rounded half away from zero to the minor unit.
        package let amount: Money

        package init(period: HeldPeriod, amount: Money) {
            (self.period, self.amount) = (period, amount)
        }
    }

    /// A period on sale.
    package struct Offer: Hashable, Sendable {
        package var plan: Plan
        package var period: BillingPeriod
        package var price: Money

        package init(plan: Plan, period: BillingPeriod, price: Money) {
            (self.plan, self.period, self.price) = (plan, period, price)
        }
    }

    /// Decides about a purchase.
    ///
    /// - Parameters:
    ///   - held: the customer's paid periods at all stores; those that are over do not count.
    ///   - zone: the app's business time zone, by whose calendar a month is counted.
    package init(
        of offer: Offer,
        holding held: [HeldPeriod],
        at now: Date,
        in zone: TimeZone
    ) throws(PurchaseRefused) {
        let held = held.filter { $0.endsAt > now }.sorted { ($0.startsAt, $0.endsAt) < ($1.startsAt, $1.endsAt) }
        if let higher = held.filter({ $0.plan.rank > offer.plan.rank }).max(by: { $0.endsAt < $1.endsAt }) {
            throw PurchaseRefused.higherPlanRuns(higher.plan, until: higher.endsAt)
        }
        let same = held.filter { $0.plan == offer.plan }
        if let renewing = same.first(where: \.renews) {
            throw PurchaseRefused.renewsByItself(renewing.plan, at: renewing.endsAt)
        }
        startsAt = max(now, same.map(\.endsAt).max() ?? now)
        endsAt = offer.period.end(from: startsAt, anchoredAt: same.anchor(of: startsAt), in: zone)
        guard endsAt <= now.addingTimeInterval(Self.furthest) else { throw PurchaseRefused.tooFarAhead }
        self.offer = offer
        credits = try Self.credits(of: held.filter { $0.plan != offer.plan }, in: offer.price.currency, at: now)
        let credit = credits.reduce(Int64.zero) { $0.plus($1.amount.minorUnits) }
        guard credit < offer.price.minorUnits else {
            throw PurchaseRefused.worthLess(than: Money(minorUnits: credit, currency: offer.price.currency))
        }
        amount = Money(minorUnits: offer.price.minorUnits.minus(credit), currency: offer.price.currency)
    }

    private static func credits(
        of ending: [HeldPeriod],
        in currency: Currency,
        at now: Date
    ) throws(PurchaseRefused) -> [Credit] {
        var credits: [Credit] = []
        for period in ending {
            guard let value = period.value, value.minorUnits > 0 else { continue }
            guard value.currency == currency else { throw PurchaseRefused.otherCurrency(value.currency) }
            let unused = Proration(of: value, from: period.startsAt, to: period.endsAt, at: now, atMost: value)
            if let unused { credits.append(Credit(period: period, amount: unused.amount)) }
        }
        return credits
    }

    /// Ten years, in seconds.
    static let furthest: TimeInterval = 10 * 366 * 86_400
}

/// The reason why a period is not sold now. Nothing was charged.
package enum PurchaseRefused: Error, Hashable, Sendable {
    /// The customer has a higher plan, paid until then. After that the lower one can be bought.
    case higherPlanRuns(Plan, until: Date)
    /// The customer has the plan, and a store charges for its next period on that day.
    case renewsByItself(Plan, at: Date)
    /// The unused part of what the customer holds is worth as much as the period, or more: a longer one is needed.
    case worthLess(than: Money)
    /// The customer's periods were paid in another currency, so that nothing can be taken off.
    case otherCurrency(Currency)
    /// The period would end more than ten years ahead.
    case tooFarAhead
}
