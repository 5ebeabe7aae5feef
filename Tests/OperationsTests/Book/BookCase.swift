import Billing
import Foundation
import Testing

/// Lives whose metrics were worked out by hand from their definitions (docs/metrics.md).
///
/// Days are counted from 2025-01-01 in UTC; the app's business day begins at 16:00 UTC of the day before. The book is
/// written on the first morning of 2026: what ends later is still to come.
struct BookCase: Sendable, CustomTestStringConvertible {
    var name: String
    var events: [StoreEvent]
    /// A line for each month in which something happens, as `GoldenMetrics` writes them.
    var metrics: [String]
    /// The same of cohorts, as `BookOfCohorts` writes them: of subscriptions that began in the month how many paid for
    /// the first period, the second and so on; of customers seen how many paid within 7, 30 and 90 days, and ever; what
    /// each and each payer brought in the month; what the cohort has brought for each and each payer; who gained and
    /// lost access.
    var cohorts: [String]

    init(_ name: String, _ events: [StoreEvent], metrics: [String], cohorts: [String]) {
        self.name = name
        self.events = events
        self.metrics = metrics
        self.cohorts = cohorts
    }

    var testDescription: String { name }
}
