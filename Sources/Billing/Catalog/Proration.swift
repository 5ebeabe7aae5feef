import Foundation

/// The unused share of a paid period in money, with what it was worked out from.
///
/// The charge times unused seconds over all seconds, rounded half away from zero to the minor unit, and never more than
/// what is left of the charge.
package struct Proration: Hashable, Sendable {
    package let unusedSeconds: Int64
    package let totalSeconds: Int64
    /// The share of the charge before what is left of it put a limit.
    package let share: Money
    /// The amount to refund.
    package let amount: Money

    /// nil when nothing is unused, or less than half a minor unit.
    init?(of charge: Money, from start: Date, to end: Date, at now: Date, atMost left: Money) {
        let total = Int64(bounding: end.timeIntervalSince(start).rounded())
        let unused = min(total, max(0, Int64(bounding: end.timeIntervalSince(now).rounded())))
        guard total > 0, let share = try? charge.multiplied(by: unused, over: total) else { return nil }
        let units = min(share.minorUnits, left.minorUnits)
        guard units > 0 else { return nil }
        (unusedSeconds, totalSeconds, self.share) = (unused, total, share)
        amount = Money(minorUnits: units, currency: charge.currency)
    }

    /// Whole days that are unused, rounded to the nearest; for people, the amount goes by the second.
    package var unusedDays: Int { Int(bounding: (Double(unusedSeconds) / 86_400).rounded()) }
    package var totalDays: Int { Int(bounding: (Double(totalSeconds) / 86_400).rounded()) }
    /// Earlier refunds or other requests left less than the share.
    package var isLimited: Bool { amount.minorUnits < share.minorUnits }
}
