/// How much of a feature a customer has used, as it was when something was last counted.
package struct UsageCounter: Hashable, Sendable {
    /// The business day that `dayUsed` is of.
    package var day: BusinessDay
    package var dayUsed: Int64
    /// The first day of the month that `monthUsed` is of.
    package var month: BusinessDay
    package var monthUsed: Int64
    package var lifetimeUsed: Int64
    /// Also those whose time is over.
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

    /// What is used in the window that `today` lies in: nothing where the counter's own is over.
    package func used(in window: UsageWindow, on today: BusinessDay) -> Int64 {
        switch window {
        case .day: today <= day ? dayUsed : 0
        case .month: ReportingPeriod(.month, containing: today).first <= month ? monthUsed : 0
        case .lifetime: lifetimeUsed
        }
    }
}
