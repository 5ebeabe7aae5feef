/// A customer's usage of a feature, as of the last count.
package struct UsageCounter: Hashable, Sendable {
    /// The business day of `dayUsed`.
    package var day: BusinessDay
    package var dayUsed: Int64
    /// The first day of the month of `monthUsed`.
    package var month: BusinessDay
    package var monthUsed: Int64
    package var lifetimeUsed: Int64
    /// Includes increases that have expired.
    package var increases: LimitIncreases

    package init(
        day: BusinessDay,
        dayUsed: Int64,
        month: BusinessDay,
        monthUsed: Int64,
        lifetimeUsed: Int64,
        increases: LimitIncreases = LimitIncreases()
    ) {
        (self.day, self.dayUsed) = (day, dayUsed)
        (self.month, self.monthUsed) = (month, monthUsed)
        (self.lifetimeUsed, self.increases) = (lifetimeUsed, increases)
    }

    /// The usage in the window that contains `today`: 0 if the counter's own window is over.
    package func used(in window: UsageWindow, on today: BusinessDay) -> Int64 {
        switch window {
        case .day: today <= day ? dayUsed : 0
        case .month: ReportingPeriod(.month, containing: today).first <= month ? monthUsed : 0
        case .lifetime: lifetimeUsed
        }
    }
}
