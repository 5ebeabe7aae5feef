import Billing
import HTTP

/// The days of a report and the length of its periods. By default it ends with the period of the last day that the metrics know of.
struct MetricsRange {
    let grain: ReportingPeriod.Grain
    let first: BusinessDay
    /// The last day, included.
    let last: BusinessDay

    init(_ question: ListParameters, today: BusinessDay) throws(WebError) {
        grain = try question.value(Self.grain) ?? .month
        let asked = try question.value(Self.to)
        last = asked ?? ReportingPeriod(grain, containing: today).last
        let usual = ReportingPeriod(grain, containing: last).earlier(by: grain.usualCount - 1).first
        first = try question.value(Self.from) ?? usual
        guard first <= last else {
            throw WebError(.invalid, "The first day is after the last.", field: "from")
        }
        guard last.number - first.number <= MetricDefinitions.longestReport else {
            throw WebError(.invalid, "A report has at most \(MetricDefinitions.longestReport) days.", field: "from")
        }
    }
}

extension MetricsRange {
    static let grain = QueryParameter(
        "grain",
        ReportingPeriod.Grain.self,
        "How long periods are. Weeks begin on Monday.",
        preset: .month
    )
    /// The first and last day of a report of days: a period that they cut is named by the days that are left of it.
    static let from = QueryParameter.day(
        "from",
        """
        The first day, of the app's business time zone; without it twelve months, thirteen weeks or 28 days. A period that it cuts \
        is answered with the days that are left of it.
        """
    )
    static let to = QueryParameter.day(
        "to",
        "The last day; without it that of the period that runs. A period that it cuts is answered with the days that are left of it."
    )
    /// The first and last month of a report of months.
    static let firstMonth = QueryParameter.day(
        "from",
        "The first month is the one that this day lies in; by default there are 12."
    )
    static let lastMonth = QueryParameter.day(
        "to",
        "The last month is the one that this day lies in; this one by default."
    )
}
