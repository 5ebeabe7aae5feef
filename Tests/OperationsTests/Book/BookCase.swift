import Billing
import Foundation
import Testing

/// A scenario whose metrics were worked out by hand from their definitions (docs/metrics.md).
///
/// Days are counted from 2025-01-01 in UTC; the app's business day begins at 16:00 UTC of the day before. The metrics are read on
/// the first morning of 2026: later ends are still to come.
struct BookCase: Sendable, CustomTestStringConvertible {
    var name: String
    var events: [StoreEvent]
    /// A line for each month in which something happens, as `GoldenMetrics` writes them.
    var metrics: [String]
    /// A line for each month of cohorts, as `BookOfCohorts` writes them: of the subscriptions that began in the month, the number
    /// that paid for the first period, the second and so on; of the customers seen, the number that paid within 7, 30 and 90 days,
    /// and ever; the month's revenue for each customer and each payer; the cohort's revenue to date for each customer and each
    /// payer; the customers who gained and lost access.
    var cohorts: [String]

    init(_ name: String, _ events: [StoreEvent], metrics: [String], cohorts: [String]) {
        self.name = name
        self.events = events
        self.metrics = metrics
        self.cohorts = cohorts
    }

    var testDescription: String { name }
}
