package import Billing
package import Storage

/// What the revenue page shows: its whole state, which is its address.
package struct RevenueView: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain = .month
    package var from: BusinessDay?
    package var to: BusinessDay?
    package var shown: Shown = .net
    package var breakdown: RevenueCell.Breakdown = .product
    /// All amounts in this currency; nil: each in its own.
    package var reporting: Currency?
    package var filter = MetricsFilter()

    /// Which metric the first chart is of. Raw values stand in addresses.
    package enum Shown: String, Hashable, Sendable, CaseIterable {
        case net
        case gross
        case refunds
        case proceeds

        /// What has to be read for it.
        package var needed: RevenueQuery.Needed {
            switch self {
            case .net, .proceeds: .net
            case .gross: .gross
            case .refunds: .refunds
            }
        }

        func value(of revenue: Revenue) -> Int64 {
            switch self {
            case .net: revenue.net
            case .gross: revenue.gross
            case .refunds: revenue.refunds
            case .proceeds: revenue.proceeds
            }
        }
    }

    package init() {}

    /// Unknown values fall back to the defaults.
    package init(query: [(name: String, value: String)]) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        grain = value("grain").flatMap(ReportingPeriod.Grain.init(rawValue:)) ?? .month
        from = value("from").flatMap { BusinessDay($0) }
        to = value("to").flatMap { BusinessDay($0) }
        shown = value("show").flatMap(Shown.init(rawValue:)) ?? .net
        breakdown = value("by").flatMap(RevenueCell.Breakdown.init(rawValue:)) ?? .product
        reporting = value("in").flatMap { Currency($0) }
        filter = MetricsFilter(query: query)
    }

    /// The address of this state; defaults are left out.
    package var path: String { DashboardPath.revenue + query.text }

    /// The same numbers as a file.
    func csvPath(_ table: RevenueTable) -> String {
        var query = query
        query.add("table", table.rawValue)
        return DashboardPath.revenueFile + query.text
    }

    func changed(_ change: (inout RevenueView) -> Void) -> RevenueView {
        var copy = self
        change(&copy)
        return copy
    }

    private var query: QueryText {
        var query = QueryText()
        query.add("grain", grain == .month ? nil : grain.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        query.add("show", shown == .net ? nil : shown.rawValue)
        query.add("by", breakdown == .product ? nil : breakdown.rawValue)
        query.add("in", reporting?.code)
        filter.add(to: &query)
        return query
    }
}

/// The tables of the revenue page. Raw values stand in addresses.
enum RevenueTable: String, Sendable {
    case periods
    case parts
}

/// The periods of a chart and those that they are compared with.
package struct RevenueSpan: Hashable, Sendable {
    /// At most 31, from the oldest on: each is a link.
    package let periods: [ReportingPeriod]
    package let today: BusinessDay

    private static let most = 31

    /// Periods become longer when there would be too many of them.
    package init(_ view: RevenueView, today: BusinessDay) {
        self.today = today
        let to = min(view.to ?? today, today.advanced(by: 366))
        var grain = view.grain
        var periods: [ReportingPeriod] = []
        while true {
            let last = ReportingPeriod(grain, containing: to)
            let usual = last.earlier(by: grain.usualCount - 1)
            let first = view.from.map { ReportingPeriod(grain, containing: $0) } ?? usual
            let isLong = last.first.number - first.first.number > Self.most * grain.mostDays
            if !isLong { periods = ReportingPeriod.all(from: min(first, last), through: last) }
            if !isLong, periods.count <= Self.most { break }
            guard let longer = grain.longer else {
                periods = ReportingPeriod.all(from: last.earlier(by: Self.most - 1), through: last)
                break
            }
            grain = longer
        }
        self.periods = periods
    }

    /// As many periods, right before: for twelve months the same months a year before.
    package func previous(of period: ReportingPeriod) -> ReportingPeriod { period.earlier(by: periods.count) }

    package var first: BusinessDay { periods.first?.first ?? today }
    package var last: BusinessDay { periods.last?.last ?? today }
    package var grain: ReportingPeriod.Grain { periods.first?.grain ?? .month }

    /// The first day of what the periods are compared with.
    package var previousFirst: BusinessDay { periods.first.map { previous(of: $0).first } ?? today }

    /// Of what an unfinished period is compared with, the days that have passed of the period itself; nil when all are
    /// over.
    package var partOfPrevious: (from: BusinessDay, through: BusinessDay)? {
        guard let open = periods.first(where: { $0.isPartial(on: today) && $0.first <= today }) else { return nil }
        let before = previous(of: open)
        let passed = today.number - open.first.number
        return (before.first, min(before.first.advanced(by: passed), before.last))
    }
}

extension ReportingPeriod.Grain {
    fileprivate var longer: Self? {
        switch self {
        case .day: .week
        case .week: .month
        case .month: nil
        }
    }

    fileprivate var mostDays: Int {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 31
        }
    }
}
