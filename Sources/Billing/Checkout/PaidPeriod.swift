package import Foundation

/// The period that a payment has bought, by what its customer holds as it is settled. Nothing is refused any more: whoever has paid gets
/// what they paid for.
///
/// What is held may have changed since the order was opened. The period then begins after all that is held of its plan and of higher
/// ones. A credit counts once: where the period that it was for is gone, or was taken off another price, the new period is shorter by
/// the share of its price that nobody has paid.
package struct PaidPeriod: Hashable, Sendable {
    package let startsAt: Date
    package let endsAt: Date
    /// The lower periods that end with it, in the order of their start; their unused part was taken off the price.
    package let ended: [HeldPeriod]
    /// True where less than the price was paid and credited, and the period is shorter than what was on sale.
    package let isShortened: Bool

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
        startsAt = held.filter { $0.plan.rank >= offer.plan.rank }.map(\.endsAt).reduce(paidAt, max)
        ended = held.filter { $0.plan.rank < offer.plan.rank && $0.value?.currency == offer.price.currency }
        let credit = ended.compactMap { period in
            period.value.flatMap { value in
                Proration(of: value, from: period.startsAt, to: period.endsAt, at: openedAt, atMost: value)
            }
        }.reduce(Int64.zero) { $0.plus($1.amount.minorUnits) }
        let quoted = offer.price.minorUnits.minus(amount.minorUnits)
        let covered = amount.minorUnits.plus(min(max(0, quoted), credit))
        let end = offer.period.end(from: startsAt, in: zone)
        isShortened = covered < offer.price.minorUnits
        guard isShortened, offer.price.minorUnits > 0 else {
            endsAt = end
            return
        }
        let share = Double(covered) / Double(offer.price.minorUnits)
        let seconds = (end.timeIntervalSince(startsAt) * share).rounded(.up)
        endsAt = startsAt.addingTimeInterval(max(1, seconds))
    }
}
