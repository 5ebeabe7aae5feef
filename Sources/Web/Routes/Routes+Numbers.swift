import APITypes
import HTTPTypes
import Operations

extension RouteBuilder {
    /// Figures, and the rows behind them.
    func addNumbers(_ controllers: Controllers) {
        let (numbers, subscribers, exports) = (controllers.numbers, controllers.subscribers, controllers.exports)
        staff(.get, DashboardPath.home, needs: nil, use: numbers.home)
        staff(.get, DashboardPath.revenue, needs: .viewNumbers, use: numbers.revenue)
        staff(.get, DashboardPath.revenueFile, needs: .viewNumbers, use: numbers.revenueFile)
        staff(.get, DashboardPath.subscribers, needs: .viewNumbers, use: subscribers.index)
        staff(.get, DashboardPath.subscriberRows, needs: .viewNumbers, use: subscribers.rows)
        staff(.get, DashboardPath.subscribersFile, needs: .viewNumbers, use: subscribers.file)
        staff(.get, DashboardPath.ledger, needs: .viewNumbers, use: numbers.ledger)
        staff(.get, DashboardPath.exports + "/ledger", needs: .viewNumbers, use: exports.ledger)
        staff(.get, DashboardPath.accessChanges, needs: .viewNumbers, use: exports.accessChanges)
        staff(.get, DashboardPath.monthlyRevenue, needs: .viewNumbers, use: exports.monthlyRevenue)
    }

    /// What became of those who came in the same month, and who gained and lost access.
    func addCohorts(_ cohorts: CohortsController) {
        staff(.get, DashboardPath.cohorts, needs: .viewNumbers, use: cohorts.index)
        staff(.get, DashboardPath.cohortRows, needs: .viewNumbers, use: cohorts.rows)
        staff(.get, DashboardPath.cohortsFile, needs: .viewNumbers, use: cohorts.file)
        staff(.get, DashboardPath.access, needs: .viewNumbers, use: cohorts.access)
        staff(.get, DashboardPath.accessFile, needs: .viewNumbers, use: cohorts.accessFile)
    }

    /// How well the service itself works.
    func addServiceHealth(_ health: ServiceHealthController) {
        staff(.get, DashboardPath.serviceHealth, needs: .viewNumbers, use: health.index)
        staff(.get, DashboardPath.serviceHealthFile, needs: .viewNumbers, use: health.file)
    }

    /// Figures for programs.
    func addAdminNumbers(_ numbers: AdminNumbersController) {
        token(.get, Paths.orderStatistics, needs: .viewNumbers, use: numbers.orders)
        token(.get, Paths.revenueTrend, needs: .viewNumbers, use: numbers.revenueTrend)
        token(.get, Paths.subscriptionStatistics, needs: .viewNumbers, use: numbers.subscriptions)
        token(.get, Paths.metric("revenue"), needs: .viewNumbers, isList: true, use: numbers.revenue)
        token(.get, Paths.metric("mrr"), needs: .viewNumbers, isList: true, use: numbers.recurringRevenue)
        token(.get, Paths.metric("subscribers"), needs: .viewNumbers, isList: true, use: numbers.subscribers)
        token(.get, Paths.metric("trials"), needs: .viewNumbers, isList: true, use: numbers.trials)
        token(.get, Paths.metric("retention"), needs: .viewNumbers, isList: true, use: numbers.retention)
        token(.get, Paths.metric("conversion"), needs: .viewNumbers, isList: true, use: numbers.conversion)
        token(.get, Paths.metric("arpu"), needs: .viewNumbers, isList: true, use: numbers.customerValue)
        token(.get, Paths.metric("ltv"), needs: .viewNumbers, isList: true, use: numbers.lifetimeValue)
        token(.get, Paths.metric("access"), needs: .viewNumbers, isList: true, use: numbers.access)
        token(.get, Paths.metric("health"), needs: .viewNumbers, isList: true, use: numbers.health)
    }
}

extension DashboardPath {
    static let revenue = "/dashboard/revenue"
    static let revenueFile = "/dashboard/revenue/table.csv"
    static let subscribers = "/dashboard/subscribers"
    static let subscribersFile = "/dashboard/subscribers/table.csv"
    /// The customers behind a figure of subscriptions.
    static let subscriberRows = "/dashboard/subscribers/rows"
    static let cohorts = "/dashboard/cohorts"
    /// The customers behind a figure of customers.
    static let cohortRows = "/dashboard/cohorts/rows"
    static let cohortsFile = "/dashboard/cohorts/table.csv"
    static let access = "/dashboard/access"
    static let accessFile = "/dashboard/access/table.csv"
    /// Who gained and lost access, as a file.
    static let accessChanges = "/dashboard/exports/access-changes"
    /// What each subscriber pays a month, as a file.
    static let monthlyRevenue = "/dashboard/exports/monthly-revenue"
    static let serviceHealth = "/dashboard/health"
    static let serviceHealthFile = "/dashboard/health/table.csv"
    /// The rows behind a figure.
    static let ledger = "/dashboard/ledger"
}
