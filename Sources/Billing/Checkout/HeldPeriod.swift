package import Foundation

/// A paid period of a plan that is not over: running, or bought ahead.
package struct HeldPeriod: Hashable, Sendable {
    package var plan: Plan
    package var startsAt: Date
    package var endsAt: Date
    /// The store renews it, and the customer has not turned that off.
    package var renews: Bool
    /// The value of all of it, whose unused part we can take off the price of another period: what was paid to us for it, in money and by
    /// the unused parts of earlier periods, less what was given back, and less what was promised back and is on its way. nil where the
    /// store has the money (Apple, Google), and of what nobody paid for.
    package var value: Money?
    /// The beginning of the first of the bought periods that follow each other without a gap up to this one: by its day the months of the
    /// next one are counted. nil of what renews.
    package var anchoredAt: Date?

    package init(
        plan: Plan,
        startsAt: Date,
        endsAt: Date,
        renews: Bool,
        value: Money?,
        anchoredAt: Date? = nil
    ) {
        (self.plan, self.startsAt, self.endsAt) = (plan, startsAt, endsAt)
        (self.renews, self.value, self.anchoredAt) = (renews, value, anchoredAt)
    }
}

extension [HeldPeriod] {
    /// The anchor of a period that begins where one of them ends.
    func anchor(of start: Date) -> Date? {
        filter { $0.endsAt == start }.compactMap(\.anchoredAt).min()
    }
}
