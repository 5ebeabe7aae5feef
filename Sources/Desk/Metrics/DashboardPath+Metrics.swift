import APITypes
import HTTPTypes
import Operations
import HTTP

extension DashboardPath {
    static let revenue = "/dashboard/revenue"
    static let revenueFile = "/dashboard/revenue/table.csv"
    static let subscribers = "/dashboard/subscribers"
    static let subscribersFile = "/dashboard/subscribers/table.csv"
    /// The customers behind a metric of subscriptions.
    static let subscriberRows = "/dashboard/subscribers/rows"
    static let cohorts = "/dashboard/cohorts"
    /// The customers behind a metric of cohorts.
    static let cohortRows = "/dashboard/cohorts/rows"
    static let cohortsFile = "/dashboard/cohorts/table.csv"
    static let access = "/dashboard/access"
    static let accessFile = "/dashboard/access/table.csv"
    static let usage = "/dashboard/usage"
    static let usageFile = "/dashboard/usage/table.csv"
    /// Who gained and lost access, as a file.
    static let accessChanges = "/dashboard/exports/access-changes"
    /// What each subscriber pays a month, as a file.
    static let monthlyRevenue = "/dashboard/exports/monthly-revenue"
    static let serviceHealth = "/dashboard/health"
    static let serviceHealthFile = "/dashboard/health/table.csv"
    /// The rows behind a metric.
    static let ledger = "/dashboard/ledger"
}
