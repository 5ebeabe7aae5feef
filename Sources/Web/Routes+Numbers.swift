import APITypes
import HTTPTypes
import Operations

extension Site {
    /// Figures, and the rows behind them.
    func addNumbers(_ numbers: NumbersController, _ subscribers: SubscribersController) {
        staff(.get, DashboardPath.home, needs: nil, use: numbers.home)
        staff(.get, DashboardPath.revenue, needs: .viewNumbers, use: numbers.revenue)
        staff(.get, DashboardPath.revenueFile, needs: .viewNumbers, use: numbers.revenueFile)
        staff(.get, DashboardPath.subscribers, needs: .viewNumbers, use: subscribers.index)
        staff(.get, DashboardPath.subscriberRows, needs: .viewNumbers, use: subscribers.rows)
        staff(.get, DashboardPath.subscribersFile, needs: .viewNumbers, use: subscribers.file)
        staff(.get, DashboardPath.ledger, needs: .viewNumbers, use: numbers.ledger)
    }

    /// Figures for programs.
    func addAdminNumbers(_ numbers: AdminNumbersController) {
        token(.get, Paths.orderStatistics, needs: .viewNumbers, use: numbers.orders)
        token(.get, Paths.revenueTrend, needs: .viewNumbers, use: numbers.revenueTrend)
        token(.get, Paths.metric("revenue"), needs: .viewNumbers, isList: true, use: numbers.revenue)
        token(.get, Paths.metric("mrr"), needs: .viewNumbers, isList: true, use: numbers.recurringRevenue)
        token(.get, Paths.metric("subscribers"), needs: .viewNumbers, isList: true, use: numbers.subscribers)
        token(.get, Paths.metric("trials"), needs: .viewNumbers, isList: true, use: numbers.trials)
    }
}

extension DashboardPath {
    static let revenue = "/dashboard/revenue"
    static let revenueFile = "/dashboard/revenue/table.csv"
    static let subscribers = "/dashboard/subscribers"
    static let subscribersFile = "/dashboard/subscribers/table.csv"
    /// The customers behind a figure of subscriptions.
    static let subscriberRows = "/dashboard/subscribers/rows"
    /// The rows behind a figure.
    static let ledger = "/dashboard/ledger"
}
