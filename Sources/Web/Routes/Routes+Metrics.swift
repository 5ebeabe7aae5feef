import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations

extension RouteBuilder {
    /// Metrics, and the rows behind them.
    func addMetrics(_ controllers: Controllers) {
        let (metrics, subscribers, exports) = (
            controllers.desk.metrics, controllers.desk.subscribers, controllers.desk.exports
        )
        staff(.get, DashboardPath.home, needs: nil, use: metrics.home)
        staff(.get, DashboardPath.revenue, needs: .viewMetrics, use: metrics.revenue)
        staff(.get, DashboardPath.revenueFile, needs: .viewMetrics, use: metrics.revenueFile)
        staff(.get, DashboardPath.subscribers, needs: .viewMetrics, use: subscribers.index)
        staff(.get, DashboardPath.subscriberRows, needs: .viewMetrics, use: subscribers.rows)
        staff(.get, DashboardPath.subscribersFile, needs: .viewMetrics, use: subscribers.file)
        staff(.get, DashboardPath.usage, needs: .viewMetrics, use: controllers.desk.usageMetrics.index)
        staff(.get, DashboardPath.usageFile, needs: .viewMetrics, use: controllers.desk.usageMetrics.file)
        staff(.get, DashboardPath.ledger, needs: .viewMetrics, use: metrics.ledger)
        staff(.get, DashboardPath.exports + "/ledger", needs: .viewMetrics, use: exports.ledger)
        staff(.get, DashboardPath.accessChanges, needs: .viewMetrics, use: exports.accessChanges)
        staff(.get, DashboardPath.exports + "/subscribers", needs: .viewMetrics, use: exports.subscribers)
        staff(.get, DashboardPath.exports + "/cohorts", needs: .viewMetrics, use: exports.cohorts)
        staff(.get, DashboardPath.monthlyRevenue, needs: .viewMetrics, use: exports.monthlyRevenue)
    }

    /// Adds the cohorts, and the pages of gained and lost access.
    func addCohorts(_ cohorts: CohortsController) {
        staff(.get, DashboardPath.cohorts, needs: .viewMetrics, use: cohorts.index)
        staff(.get, DashboardPath.cohortRows, needs: .viewMetrics, use: cohorts.rows)
        staff(.get, DashboardPath.cohortsFile, needs: .viewMetrics, use: cohorts.file)
        staff(.get, DashboardPath.access, needs: .viewMetrics, use: cohorts.access)
        staff(.get, DashboardPath.accessFile, needs: .viewMetrics, use: cohorts.accessFile)
    }

    /// Adds the page of the service's own health.
    func addServiceHealth(_ health: ServiceHealthController) {
        staff(.get, DashboardPath.serviceHealth, needs: .viewMetrics, use: health.index)
        staff(.get, DashboardPath.serviceHealthFile, needs: .viewMetrics, use: health.file)
    }

    /// Metrics for programs.
    func addAdminMetrics(_ metrics: AdminMetricsController) {
        token(
            .get,
            Paths.orderStatistics,
            needs: .viewMetrics,
            AdminMetricsController.orderStatistics,
            use: metrics.orders
        )
        token(.get, Paths.revenueTrend, needs: .viewMetrics, AdminMetricsController.trend, use: metrics.revenueTrend)
        token(
            .get,
            Paths.subscriptionStatistics,
            needs: .viewMetrics,
            AdminMetricsController.subscriptionStatistics,
            use: metrics.subscriptions
        )
        token(
            .get,
            Paths.metric("revenue"),
            needs: .viewMetrics,
            AdminMetricsController.revenueByPeriod,
            use: metrics.revenue
        )
        token(
            .get,
            Paths.metric("mrr"),
            needs: .viewMetrics,
            AdminMetricsController.recurringRevenueReport,
            use: metrics.recurringRevenue
        )
        token(
            .get,
            Paths.metric("subscribers"),
            needs: .viewMetrics,
            AdminMetricsController.subscriberReport,
            use: metrics.subscribers
        )
        token(
            .get,
            Paths.metric("trials"),
            needs: .viewMetrics,
            AdminMetricsController.trialReport,
            use: metrics.trials
        )
        token(
            .get,
            Paths.metric("retention"),
            needs: .viewMetrics,
            AdminMetricsController.retentionReport,
            use: metrics.retention
        )
        token(
            .get,
            Paths.metric("conversion"),
            needs: .viewMetrics,
            AdminMetricsController.conversionReport,
            use: metrics.conversion
        )
        token(
            .get,
            Paths.metric("arpu"),
            needs: .viewMetrics,
            AdminMetricsController.customerValueReport,
            use: metrics.customerValue
        )
        token(
            .get,
            Paths.metric("ltv"),
            needs: .viewMetrics,
            AdminMetricsController.lifetimeValueReport,
            use: metrics.lifetimeValue
        )
        token(
            .get,
            Paths.metric("access"),
            needs: .viewMetrics,
            AdminMetricsController.accessReport,
            use: metrics.access
        )
        token(
            .get,
            Paths.metric("usage"),
            needs: .viewMetrics,
            AdminMetricsController.usageReport,
            use: metrics.usage
        )
        token(
            .get,
            Paths.metric("health"),
            needs: .viewMetrics,
            AdminMetricsController.healthReport,
            use: metrics.health
        )
    }
}
