package import Foundation

/// The period that a payment has bought, by what its customer holds as it is settled. Nothing is refused any more: whoever has paid gets
/// what they paid for.
///
/// What is held may have changed since the order was opened. The period then begins after all that is held of its plan and of higher
/// ones. The lower periods that were paid to us end with it, and their unused parts pay for it together with the payment: where that is
/// less than the price, because one of them is gone or was taken off another price, it is shorter by the share that nobody has paid; where
/// it is more, because one of them was bought meanwhile, it is longer by as much. A value counts once, and none is lost.
package struct PaidPeriod: Hashable, Sendable {
    package let startsAt: Date
    package let endsAt: Date
    /// The lower periods that end with it, in the order of their start, and what their unused parts pay of it.
    package let credits: [PeriodPurchase.Credit]
    /// The money that has paid for it: the payment and the credits.
    package let covered: Money
    /// It runs beside something of its plan or a higher one that does not end in our lifetime, and has bought nothing that was not there:
    /// people have to offer the money back.
    package let isBesideTheEndless: Bool

    /// - Parameters:
    ///   - amount: the sum that was paid.
    ///   - openedAt: the time at which the order was opened, and the unused parts were worked out.
    ///   - held: the customer's paid periods at all stores; those that are over do not count.
    ///   - zone: the app's business time zone, by whose calendar a month is counted.
    package init(
        paying amount: Money,
        of offer: PeriodPurchase.Offer,
        openedAt: Date,
        holding held: [HeldPeriod],
        at paidAt: Date,
        in zone: TimeZone
    ) {
        let held = held.filter { $0.endsAt > paidAt }.sorted { ($0.startsAt, $0.endsAt) < ($1.startsAt, $1.endsAt) }
        let furthest = paidAt.addingTimeInterval(PeriodPurchase.furthest)
        let after = held.filter { $0.plan.rank >= offer.plan.rank }.map(\.endsAt).reduce(paidAt, max)
        isBesideTheEndless = after > furthest
        startsAt = isBesideTheEndless ? paidAt : after
        let whole = offer.period.end(from: startsAt, anchoredAt: held.anchor(of: startsAt), in: zone)
        let price = offer.price.minorUnits
        // No credit makes it longer than any period may be.
        var room = Self.units(of: price, over: whole.timeIntervalSince(startsAt)).minus(amount.minorUnits)
        credits = held.filter { $0.plan.rank < offer.plan.rank && $0.value?.currency == offer.price.currency }
            .compactMap { period in
                guard let value = period.value, room > 0,
                    let unused = Proration(
                        of: value,
                        from: period.startsAt,
                        to: period.endsAt,
                        at: openedAt,
                        atMost: value
                    )
                else { return nil }
                let credit = Money(minorUnits: min(unused.amount.minorUnits, room), currency: value.currency)
                room = room.minus(credit.minorUnits)
                return PeriodPurchase.Credit(period: period, amount: credit)
            }
        covered = Money(
            minorUnits: credits.reduce(amount.minorUnits) { $0.plus($1.amount.minorUnits) },
            currency: amount.currency
        )
        guard covered.minorUnits != price, price > 0 else {
            endsAt = whole
            return
        }
        let share = Double(covered.minorUnits) / Double(price)
        let seconds = (whole.timeIntervalSince(startsAt) * share).rounded(.up)
        endsAt = startsAt.addingTimeInterval(min(max(1, seconds), PeriodPurchase.furthest))
    }

    /// The money for which a period of that price and length lasts as long as any may.
    private static func units(of price: Int64, over length: TimeInterval) -> Int64 {
        Int64(bounding: (Double(price) * PeriodPurchase.furthest / max(1, length)).rounded(.down))
    }
}
