extension Money {
    /// The monthly equivalent of a price: exact for months (a year is 12), 30.436875 days to the month for weeks and days; rounded once,
    /// half away from zero. 10.00 a week is 43.48.
    ///
    /// - Returns: nil when the amount is out of range.
    package func monthly(every length: BillingPeriod) -> Money? {
        let count = Int64(length.count)
        return switch length.unit {
        case .day: try? multiplied(by: 30_436_875, over: 1_000_000 * count)
        case .week: try? multiplied(by: 30_436_875, over: 7_000_000 * count)
        case .month: try? multiplied(by: 1, over: count)
        case .year: try? multiplied(by: 1, over: 12 * count)
        }
    }
}
