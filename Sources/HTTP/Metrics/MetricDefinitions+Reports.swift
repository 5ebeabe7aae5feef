import Billing

extension MetricDefinitions {
    /// In days: about a hundred years, so that a report that asks for more is a mistake.
    package static let longestReport = 36_600
}

extension ReportingPeriod.Grain {
    /// The number of periods that a chart shows when nobody says otherwise.
    package var usualCount: Int {
        switch self {
        case .day: 28
        case .week: 13
        case .month: 12
        }
    }
}
