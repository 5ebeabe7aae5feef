package import Billing
import HTTP
package import Storage

/// The state of the revenue page, all of which is in its address.
package struct RevenueView: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain = .month
    package var from: BusinessDay?
    package var to: BusinessDay?
    package var shown: Shown = .net
    package var breakdown: RevenueCell.Breakdown = .product
    package var filter = MetricsFilter()
    /// True if tables stand in place of the drawings.
    package var isTables = false

    /// The metric of the first chart. Raw values stand in addresses.
    package enum Shown: String, Hashable, Sendable, CaseIterable {
        case net
        case gross
        case refunds
        case proceeds

        /// The values that have to be read for it.
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

    package init(_ query: inout QueryReader) {
        grain = query.choice("grain", ReportingPeriod.Grain.self) ?? .month
        from = query.day("from")
        to = query.day("to")
        shown = query.choice("show", Shown.self) ?? .net
        breakdown = query.choice("by", RevenueCell.Breakdown.self) ?? .product
        filter = MetricsFilter(&query)
        isTables = query.isYes("tables")
    }

    /// The address of this state; defaults are left out.
    package var path: String {
        var query = query
        query.add("tables", isTables ? "yes" : nil)
        return DashboardPath.revenue + query.text
    }

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
        filter.add(to: &query)
        return query
    }
}

/// The tables of the revenue page. Raw values stand in addresses.
enum RevenueTable: String, Sendable {
    case periods
    case parts
}
