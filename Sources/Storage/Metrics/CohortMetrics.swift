package import Billing

/// The subscriptions that were first paid for in one month, and how long they were.
package struct RetentionCohort: Hashable, Sendable {
    package var month: ReportingPeriod
    package var subscriptions: Int64
    /// How many paid for the first period, the second and so on; those given back in full are none of them.
    package var paid: [Int64]

    package init(month: ReportingPeriod, subscriptions: Int64, paid: [Int64]) {
        (self.month, self.subscriptions, self.paid) = (month, subscriptions, paid)
    }

    /// How many periods the first of the cohort can have begun by a day.
    ///
    /// - Parameter length: of one period.
    package func begun(on day: BusinessDay, every length: BillingPeriod) -> Int {
        var count = 0
        while count < Self.most, month.first.later(by: count, of: length) <= day { count += 1 }
        return count
    }

    /// Of these, how many were not over for the whole cohort before the day: they may still change.
    package func unfinished(on day: BusinessDay, every length: BillingPeriod) -> Int {
        let begun = begun(on: day, every: length)
        return (0..<begun).filter { month.last.later(by: $0 + 1, of: length) >= day }.count
    }

    /// More than any store's subscription can have had.
    private static let most = 2_000
}

/// The customers who were first seen in one month, and how soon they paid.
package struct ConversionCohort: Hashable, Sendable {
    package var month: ReportingPeriod
    package var customers: Int64
    /// Who paid within each of `limits`, and who ever did.
    package var paid: [Int64]

    /// Days after the day on which a customer was first seen.
    package static let limits = [7, 30, 90]

    /// Of the numbers in `paid`, how many may still become more because the youngest are not that old; without the
    /// last, which always may.
    package func unfinished(on day: BusinessDay) -> Int {
        Self.limits.filter { month.last.advanced(by: $0) >= day }.count
    }
}

/// What customers brought in one month, in one currency.
package struct MonthlyValue: Hashable, Sendable {
    package var month: ReportingPeriod
    /// Minor units: charges less refunds, each on its own day.
    package var net: Int64
    /// Customers seen by the end of the month.
    package var customers: Int64
    /// Who paid in it.
    package var payers: Int64

    /// nil where there is nobody.
    package var perCustomer: Int64? { net.shared(among: customers) }
    package var perPayer: Int64? { net.shared(among: payers) }
}

/// What the customers who were first seen in one month have brought until now, in one currency.
package struct LifetimeValue: Hashable, Sendable {
    package var month: ReportingPeriod
    package var net: Int64
    package var customers: Int64
    /// Of them, who ever paid.
    package var payers: Int64

    package var perCustomer: Int64? { net.shared(among: customers) }
    package var perPayer: Int64? { net.shared(among: payers) }
}

/// What a paying customer may bring in all, from the last month that is over. An estimate.
package struct PredictedValue: Hashable, Sendable {
    package var month: ReportingPeriod
    /// Minor units that a payer brought in it.
    package var perPayer: Int64
    /// Those with paid access at its start, and how many of them had none at its end.
    package var subscribers: Int64
    package var lost: Int64

    /// The revenue of a month by the share lost in a month; nil where nobody was lost or nobody was there.
    package var amount: Int64? {
        guard lost > 0, subscribers > 0 else { return nil }
        return Int64(clamping: (Int128(perPayer) * Int128(subscribers) * 2 + Int128(lost)) / (Int128(lost) * 2))
    }

    /// In hundredths of a percent.
    package var churnRate: Int? { Revenue.rate(lost, of: subscribers) }
}

/// Metrics in one currency.
package struct ConvertedMetrics<Row: Hashable & Sendable>: Hashable, Sendable {
    package var currency: Currency
    package var rows: [Row]
    /// Currencies without a rate on some day: their amounts are left out.
    package var missingRates: [Currency]
}

extension Int64 {
    /// Rounded half away from zero; nil among nobody.
    func shared(among count: Int64) -> Int64? {
        guard count > 0 else { return nil }
        let (twice, whole) = (Int128(self) * 2, Int128(count))
        return Int64(clamping: (twice + (self < 0 ? -whole : whole)) / (whole * 2))
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
