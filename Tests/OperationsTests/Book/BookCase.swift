import Billing
import Foundation
import Testing

/// Lives whose figures were worked out by hand from their definitions (docs/metrics.md).
///
/// Days are counted from 2025-01-01 in UTC; the app's business day begins at 16:00 UTC of the day before. The book is written
/// on the first morning of 2026: what ends later is still to come.
struct BookCase: Sendable, CustomTestStringConvertible {
    var name: String
    var events: [StoreEvent]
    /// A line for each month in which something happens, as `BookOfFigures` writes them.
    var figures: [String]

    init(_ name: String, _ events: [StoreEvent], figures: [String]) {
        self.name = name
        self.events = events
        self.figures = figures
    }

    var testDescription: String { name }
}
