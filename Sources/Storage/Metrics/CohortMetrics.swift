package import Billing

/// The subscriptions that were first paid for in one month, and how long they were.
package struct RetentionCohort: Hashable, Sendable {
    package var month: ReportingPeriod
    package var subscriptions: Int64
    /// The subscriptions that paid for the first period, the second and so on; without periods that were refunded in full.
    package var paid: [Int64]
    /// The subscriptions that could have paid for a period by now, where not all could: their time has come, or they paid early.
    package var eligible: [Int: Int64]

    package init(month: ReportingPeriod, subscriptions: Int64, paid: [Int64], eligible: [Int: Int64] = [:]) {
        (self.month, self.subscriptions, self.paid, self.eligible) = (month, subscriptions, paid, eligible)
    }

    /// The number of subscriptions that paid for a period, from 0.
    package func paid(for period: Int) -> Int64 { paid.indices.contains(period) ? paid[period] : 0 }

    /// The number of subscriptions that could have paid for a period by now: the base of the retention rate.
    package func whole(of period: Int) -> Int64 { eligible[period] ?? subscriptions }

    /// The number of periods that the cohort's first subscription can have begun by a day.
    ///
    /// - Parameter length: the length of one period.
    package func begun(on day: BusinessDay, every length: BillingPeriod) -> Int {
        Self.begun(by: month.first, on: day, every: length)
    }

    /// The number of periods that there is something to say of on a day: those that can have begun, and those that somebody paid for early.
    package func periods(on day: BusinessDay, every length: BillingPeriod) -> Int {
        max(begun(on: day, every: length), paid.count)
    }

    /// The number of begun periods that are not over for the whole cohort: their counts may still change.
    ///
    /// - Parameter running: the day that is not over yet.
    package func unfinished(on day: BusinessDay, running: BusinessDay, every length: BillingPeriod) -> Int {
        let begun = begun(on: day, every: length)
        return (0..<begun).filter { month.last.later(by: $0 + 1, of: length) >= running }.count
    }

    /// The periods that the first of a month's subscriptions can have begun by a day, and the last cannot yet.
    static func partlyBegun(_ month: ReportingPeriod, on day: BusinessDay, every length: BillingPeriod) -> Range<Int> {
        let first = begun(by: month.first, on: day, every: length)
        return min(begun(by: month.last, on: day, every: length), first)..<first
    }

    /// True if a subscription that was first paid for on one day can have begun a period by another.
    static func canHaveBegun(
        _ period: Int,
        since start: BusinessDay,
        by day: BusinessDay,
        every length: BillingPeriod
    ) -> Bool {
        start.later(by: period, of: length) <= day
    }

    private static func begun(by start: BusinessDay, on day: BusinessDay, every length: BillingPeriod) -> Int {
        var count = 0
        while count < most, canHaveBegun(count, since: start, by: day, every: length) { count += 1 }
        return count
    }

    /// More than any store's subscription can have had.
    private static let most = 2_000
}

/// The customers who were first seen in one month, and how soon they paid.
package struct ConversionCohort: Hashable, Sendable {
    package var month: ReportingPeriod
    package var customers: Int64
    /// The customers who paid within each of `limits`, and last those who ever paid.
    package var paid: [Int64]

    /// Days after the day on which a customer was first seen.
    package static let limits = [7, 30, 90]

    /// Of the numbers in `paid`, how many may still become more because the youngest are not that old; without the
    /// last, which always may.
    ///
    /// - Parameter running: the day that is not over yet.
    package func unfinished(on running: BusinessDay) -> Int {
        Self.limits.filter { month.last.advanced(by: $0) >= running }.count
    }
}

/// Revenue from customers in one month, in one currency.
package struct MonthlyValue: Hashable, Sendable {
    package var month: ReportingPeriod
    /// Charges less refunds, each on its own day.
    package var exact: ExactNet
    /// Customers seen by the end of the month.
    package var customers: Int64
    /// Customers who paid in it.
    package var payers: Int64

    /// In minor units.
    package var net: Int64 { exact.minorUnits }
    /// nil where there is nobody.
    package var perCustomer: Int64? { exact.shared(among: customers) }
    package var perPayer: Int64? { exact.shared(among: payers) }
}

/// Revenue to date from the customers who were first seen in one month, in one currency.
package struct LifetimeValue: Hashable, Sendable {
    package var month: ReportingPeriod
    package var exact: ExactNet
    package var customers: Int64
    /// Those of them who ever paid.
    package var payers: Int64

    package var net: Int64 { exact.minorUnits }
    package var perCustomer: Int64? { exact.shared(among: customers) }
    package var perPayer: Int64? { exact.shared(among: payers) }
}

/// Predicted lifetime value of a subscriber, from the last full month: monthly recurring revenue per subscriber, divided by the
/// month's churn rate. An estimate.
package struct PredictedValue: Hashable, Sendable {
    package var month: ReportingPeriod
    /// Of each length of period that anybody pays for, the shortest first.
    package var lengths: [Length]

    package init(month: ReportingPeriod, lengths: [Length]) {
        self.month = month
        self.lengths = lengths
    }

    package struct Length: Hashable, Sendable {
        package var period: BillingPeriod
        /// Monthly recurring revenue at the month's end, in minor units.
        package var recurring: Int64
        /// Those with paid access at its end.
        package var subscribers: Int64
        /// Those with paid access at its start, and how many of them had none at its end.
        package var start: Int64
        package var lost: Int64

        package init(period: BillingPeriod, recurring: Int64, subscribers: Int64, start: Int64, lost: Int64) {
            self.period = period
            self.recurring = recurring
            self.subscribers = subscribers
            self.start = start
            self.lost = lost
        }

        package var perSubscriber: Int64? { ExactNet(minorUnits: recurring).shared(among: subscribers) }

        /// In hundredths of a percent.
        package var churnRate: Int? { Revenue.rate(lost, of: start) }

        /// nil where nobody was lost or nobody is there.
        package var amount: Int64? {
            guard lost > 0, subscribers > 0 else { return nil }
            return Int64(
                clamping: Self.rounded(Int128(recurring) * Int128(start), by: Int128(subscribers) * Int128(lost))
            )
        }

        /// Half away from zero.
        static func rounded(_ dividend: Int128, by divisor: Int128) -> Int128 {
            (dividend * 2 + (dividend < 0 ? -divisor : divisor)) / (divisor * 2)
        }
    }

    /// Of each length where it is known, weighted by its subscribers; nil where it is known of none.
    package var amount: Int64? {
        let known = lengths.compactMap { length in length.amount.map { ($0, length.subscribers) } }
        let subscribers = known.reduce(Int128.zero) { $0 + Int128($1.1) }  // safe: Int128 holds it of any Int64
        guard subscribers > 0 else { return nil }
        let sum = known.reduce(Int128.zero) { $0 + Int128($1.0) * Int128($1.1) }  // safe: as above, of a few lengths
        return Int64(clamping: Length.rounded(sum, by: subscribers))
    }
}

/// Metrics in one currency.
package struct ConvertedMetrics<Row: Hashable & Sendable>: Hashable, Sendable {
    package var currency: Currency
    package var rows: [Row]
    /// Currencies without a rate on some day: their amounts are left out.
    package var missingRates: [Currency]
    /// Their amounts, in the currencies that were charged.
    package var unconverted: [Money]
    /// Orders of unknown amount, which no row has.
    package var unpriced: Int

    package init(
        currency: Currency,
        rows: [Row],
        missingRates: [Currency],
        unconverted: [Money] = [],
        unpriced: Int = 0
    ) {
        self.unpriced = unpriced
        self.currency = currency
        self.rows = rows
        self.missingRates = missingRates
        self.unconverted = unconverted
    }
}

extension BusinessDay {
    /// The day this many periods later; a day that the month lacks is its last.
    fileprivate func later(by count: Int, of length: BillingPeriod) -> BusinessDay {
        let total = count * length.count
        switch length.unit {
        case .day: return advanced(by: total)
        case .week: return advanced(by: total * 7)  // safe: a period has a count below 10,000
        case .month: return later(byMonths: total)
        case .year: return later(byMonths: total * 12)  // safe: as above
        }
    }

    private func later(byMonths count: Int) -> BusinessDay {
        let month = ReportingPeriod(.month, containing: self).earlier(by: -count)
        return min(month.first.advanced(by: day - 1), month.last)
    }
}
