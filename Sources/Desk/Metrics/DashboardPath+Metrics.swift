import APITypes
import HTTP
import HTTPTypes
import Operations

extension DashboardPath {
    package static let revenue = "/dashboard/revenue"
    package static let revenueFile = "/dashboard/revenue/table.csv"
    package static let subscribers = "/dashboard/subscribers"
    package static let subscribersFile = "/dashboard/subscribers/table.csv"
    /// The customers behind a metric of subscriptions.
    package static let subscriberRows = "/dashboard/subscribers/rows"
    package static let cohorts = "/dashboard/cohorts"
    /// The customers behind a metric of cohorts.
    package static let cohortRows = "/dashboard/cohorts/rows"
    package static let cohortsFile = "/dashboard/cohorts/table.csv"
    package static let access = "/dashboard/access"
    package static let accessFile = "/dashboard/access/table.csv"
    package static let usage = "/dashboard/usage"
    package static let usageFile = "/dashboard/usage/table.csv"
    /// The access changes, as a file.
    package static let accessChanges = "/dashboard/exports/access-changes"
    /// The monthly payment of each subscriber, as a file.
    package static let monthlyRevenue = "/dashboard/exports/monthly-revenue"
    package static let serviceHealth = "/dashboard/health"
    package static let serviceHealthFile = "/dashboard/health/table.csv"
    /// The rows behind a metric.
    package static let ledger = "/dashboard/ledger"
}
