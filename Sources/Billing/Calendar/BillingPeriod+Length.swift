package import Foundation

extension BillingPeriod {
    /// The length of a paid period: whole months or years where it is about that long, as stores let a month be 28 to 31 days; otherwise
    /// days, or weeks for multiples of seven. Times of day do not matter; months are those of UTC's calendar.
    ///
    /// - Returns: nil for less than a day, which only a sandbox sells.
    package init?(from start: Date, to end: Date) {
        let days = (end.timeIntervalSince(start) / 86_400).rounded()
        guard days >= 1, days <= 100_000 else { return nil }
        if let months = Self.months(from: start, to: end) {
            self = months.isMultiple(of: 12) ? BillingPeriod(months / 12, .year) : BillingPeriod(months, .month)
        } else {
            let count = Int(bounding: days)
            self = count.isMultiple(of: 7) ? BillingPeriod(count / 7, .week) : BillingPeriod(count, .day)
        }
    }

    /// True for months and years.
    var isOfMonths: Bool {
        switch unit {
        case .month, .year: true
        case .day, .week: false
        }
    }

    private static func months(from start: Date, to end: Date) -> Int? {
        let estimate = Int(bounding: (end.timeIntervalSince(start) / 86_400 / 30.436875).rounded())
        guard estimate > 0 else { return nil }
        let whole = BillingPeriod(estimate, .month).end(from: start, in: .gmt)
        let difference = end.timeIntervalSince(whole)
        return (-3 * 86_400...3 * 86_400).contains(difference) ? estimate : nil
    }
}
