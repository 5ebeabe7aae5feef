import APITypes
import HTTPTypes
import Operations

extension Site {
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
