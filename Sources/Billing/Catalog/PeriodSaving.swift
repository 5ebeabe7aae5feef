/// The saving of a price for several months at once against the monthly price.
package struct PeriodSaving: Hashable, Sendable {
    /// In each period.
    package var amount: Money
    /// Of the price of the same months paid one by one, rounded down: 1 to 100.
    package var percent: Int

    /// nil if it saves less than one in a hundred, and if the comparison would be inexact: weeks and days are no whole months.
    ///
    /// - Parameters:
    ///   - price: the price of one period.
    ///   - monthly: the price of one month of the same plan.
    package init?(of price: Money, every period: BillingPeriod, against monthly: Money) {
        guard price.currency == monthly.currency, price.minorUnits >= 0, monthly.minorUnits > 0,
            let months = period.months, months > 1
        else { return nil }
        let (singly, overflow) = monthly.minorUnits.multipliedReportingOverflow(by: months)
        guard !overflow, price.minorUnits < singly else { return nil }
        let saved = singly - price.minorUnits  // safe: both are above zero
        let (hundredfold, tooMuch) = saved.multipliedReportingOverflow(by: 100)
        guard !tooMuch, hundredfold / singly >= 1 else { return nil }
        amount = Money(minorUnits: saved, currency: price.currency)
        percent = Int(hundredfold / singly)  // safe: at most 100
    }
}

extension BillingPeriod {
    /// The length in months; nil for weeks and days.
    fileprivate var months: Int64? {
        switch unit {
        case .day, .week: nil
        case .month: Int64(count)
        case .year: Int64(count).times(12)
        }
    }
}
