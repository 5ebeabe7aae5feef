package import Foundation

/// The trial that an app gives by itself, once to each customer; the introductory offers of stores are their products' own.
package struct TrialOffer: Hashable, Sendable {
    /// The plan's code.
    package var plan: String
    package var period: BillingPeriod
    /// The stores' identifiers of the products that it is a trial of, in the catalogue's order.
    package var products: [String]

    package init(plan: String, period: BillingPeriod, products: [String] = []) {
        (self.plan, self.period, self.products) = (plan, period, products)
    }

    /// True if a trial can have this length: a year at most.
    package static func isPlausible(_ period: BillingPeriod) -> Bool {
        switch period.unit {
        case .day: (1...366).contains(period.count)
        case .week: (1...52).contains(period.count)
        case .month: (1...12).contains(period.count)
        case .year: period.count == 1
        }
    }

    /// The end of a trial that begins at a moment; a day is 24 hours.
    package func end(from start: Date) -> Date { period.end(from: start, in: .gmt) }

    /// The length, in days, of a trial that begins at a moment.
    package func days(from start: Date) -> Int { Int(bounding: end(from: start).timeIntervalSince(start) / 86_400) }
}
