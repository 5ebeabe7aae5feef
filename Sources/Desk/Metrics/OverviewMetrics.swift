package import Billing
import HTTP
package import Storage

/// Everything that the overview reads, in the app's reporting currency.
package struct OverviewMetrics: Sendable {
    package var currency: Currency
    package var day: BusinessDay
    /// True if the day is at least an hour old.
    package var hasBegunAnHourAgo: Bool
    /// Until now.
    package var today: Revenue
    /// Until the same time.
    package var yesterday: Revenue
    /// Whole days before today, the oldest first.
    package var days: [Revenue]
    /// Twelve months, divided by plan, and all before them.
    package var months: RevenueMetrics
    package var waitingRefunds: Int
    /// The cases about which a store waits for our answer.
    package var storeCases: WaitingStoreCases
    /// The totals at the end of each of the days before today, the oldest first, and the present ones.
    package var daily: DailySnapshot
    package var customers: CustomerSnapshot
    /// Of the last days; nil for an app without features.
    package var usage: UsageMetrics?
    /// Limits that customers have nearly used up; 100 stands for 100 or more.
    package var nearLimits: Int
    /// Payments at stores that wait for people; 100 stands for 100 or more.
    package var waitingPayments: Int

    package init(
        currency: Currency,
        day: BusinessDay,
        hasBegunAnHourAgo: Bool = true,
        today: Revenue,
        yesterday: Revenue,
        days: [Revenue],
        months: RevenueMetrics,
        waitingRefunds: Int,
        storeCases: WaitingStoreCases = WaitingStoreCases(),
        daily: DailySnapshot,
        customers: CustomerSnapshot,
        usage: UsageMetrics? = nil,
        nearLimits: Int = 0,
        waitingPayments: Int = 0
    ) {
        self.currency = currency
        self.day = day
        self.hasBegunAnHourAgo = hasBegunAnHourAgo
        self.today = today
        self.yesterday = yesterday
        self.days = days
        self.months = months
        self.waitingRefunds = waitingRefunds
        self.storeCases = storeCases
        self.daily = daily
        self.customers = customers
        self.usage = usage
        self.nearLimits = nearLimits
        self.waitingPayments = waitingPayments
    }

    /// Since the books began.
    package var total: Revenue { months.total }

    /// The days before today as one.
    package var lastDays: Revenue { days.reduce(Revenue(), +) }
}
