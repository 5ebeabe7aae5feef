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

    package init(plan: Plan, startsAt: Date, endsAt: Date, renews: Bool, value: Money?) {
        (self.plan, self.startsAt, self.endsAt) = (plan, startsAt, endsAt)
        (self.renews, self.value) = (renews, value)
    }
}
