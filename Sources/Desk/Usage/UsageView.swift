package import Billing
import HTTP
import Storage

/// The state of the page of usage by feature, all of which is in its address.
package struct UsageView: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain = .day
    package var from: BusinessDay?
    package var to: BusinessDay?
    /// The code of the only feature; nil for all.
    package var feature: String?
    /// True if the table stands in place of the drawing.
    package var isTables = false

    package init() {}

    package init(_ query: inout QueryReader) {
        grain = query.choice("grain", ReportingPeriod.Grain.self) ?? .day
        from = query.day("from")
        to = query.day("to")
        feature = query.value("feature") { $0.utf8.count > Self.longestCode ? nil : $0 }
        isTables = query.isYes("tables")
    }

    /// Two weeks of all features: what the overview shows, with the table.
    static func lastDays(until today: BusinessDay) -> UsageView {
        UsageView().changed { $0.from = today.advanced(by: -13) }
    }

    /// The address of this state; defaults are left out.
    package var path: String {
        var query = query
        query.add("tables", isTables ? "yes" : nil)
        return DashboardPath.usage + query.text
    }

    /// The same numbers as a file.
    var csvPath: String { DashboardPath.usageFile + query.text }

    func changed(_ change: (inout UsageView) -> Void) -> UsageView {
        var copy = self
        change(&copy)
        return copy
    }

    /// - Parameter isChart: true if there may be no more periods than a chart can show.
    func span(today: BusinessDay, isChart: Bool = true) -> RevenueSpan {
        var view = RevenueView()
        (view.grain, view.from, view.to) = (grain, from, to)
        return RevenueSpan(view, today: today, isChart: isChart)
    }

    private static let longestCode = 64

    private var query: QueryText {
        var query = QueryText()
        query.add("grain", grain == .day ? nil : grain.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        query.add("feature", feature)
        return query
    }
}
