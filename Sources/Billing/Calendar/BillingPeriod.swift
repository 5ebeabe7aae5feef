/// The length of what is paid for at once: one month, one year, seven days.
package struct BillingPeriod: Hashable, Sendable, Codable {
    package var count: Int
    package var unit: Unit

    package init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    package enum Unit: String, Sendable, Codable, CaseIterable {
        case day
        case week
        case month
        case year
    }

    /// The default period of a cohort.
    package static let aMonth = BillingPeriod(1, .month)
}
