import Billing
import Foundation
import Postgres

/// The cells that a metric is the sum of, and the table to read them from: the one with the fewest that still tells
/// them apart as the metric needs it (metrics.md, "How they are kept").
///
/// To be planned for its values (`queryAddingUp`): how many cells and waiting entries there are for them differs a
/// thousandfold, and a plan for any values reads all that wait.
struct MetricsCells {
    var app: App.ID
    var measures: [String]
    var filter: MetricsFilter
    /// nil for the beginning.
    var from: BusinessDay?
    /// Included; nil for now.
    var through: BusinessDay?
    var days: Days
    var parts: Parts = .none
    /// The keys of the products or plans that are left; nil for those of the filter.
    var products: Query?
    /// Further conditions on `dimension` and, where days are kept, on `day`, beginning with AND.
    var steps: Query = ""

    /// The precision with which a cell keeps its day.
    enum Days: Hashable {
        /// Every cell has its day.
        case each
        /// Cells since a day have theirs; earlier ones only say that they are earlier.
        case since(BusinessDay)
        /// Cells only have their month.
        case months
    }

    /// The columns that they can be divided by, beyond those of every cell: measure, day, dimension and currency.
    enum Parts: Hashable {
        case none
        /// `store`; empty for entries without a product.
        case stores
        /// `product_id` and `country`.
        case products
    }

    /// Rows of `measure, day, dimension, currency, amount, count` and the parts: cells, and what waits to be added to
    /// them.
    func query(now: Date) -> Query { rows(convertedTo: nil, now: now) }

    /// - Parameter reporting: the app's reporting currency, in which months have their amount, for rows that have `converted` and
    /// `lacks_rate`, too: NULL and false where days are kept.
    private func rows(convertedTo reporting: Currency?, now: Date) -> Query {
        let areConverted = reporting != nil
        let waiting = Table(name: "rollup_entries", span: DaySpan(from: from, through: through), known: knownUntilThen)
        return tables(convertedTo: reporting).reduce("\(selection(waiting, areConverted)) AND effective_at <= \(now)") {
            "\(selection($1, areConverted))\nUNION ALL\n\($0)"
        }
    }

    /// The CTEs, without WITH, that define `cells`, whose amounts are in one currency: rows of `measure, period, dimension, currency,
    /// amount, count, lacks_rate` and the parts. Amounts that lack a rate are left out.
    func converted(to reporting: Currency, by grain: ReportingPeriod.Grain, now: Date) -> Query {
        let needed: Query = "SELECT DISTINCT day, currency FROM days WHERE converted IS NULL AND amount <> 0"
        return """
            days AS MATERIALIZED (
                \(rows(convertedTo: reporting, now: now))
            ), rates AS MATERIALIZED (
                SELECT day, currency, times::numeric(60, 30) / divided AS rate
                FROM (\(MetricsReads.rates(of: needed, in: reporting))) told
            ), cells AS (
                SELECT measure, \(MetricsReads.period(grain)) AS period, dimension, currency,
                    coalesce(converted, amount * rate, 0) AS amount, count,
                    lacks_rate OR (converted IS NULL AND amount <> 0 AND rate IS NULL) AS lacks_rate\(columns)
                FROM days
                LEFT JOIN rates USING (day, currency)
            )
            """
    }

    /// A table, and which of its days and of the days of knowing are read from it.
    private struct Table {
        var name: Query
        var hasDays = true
        var hasProducts = true
        var span: DaySpan
        /// Further conditions on when something became known, or on whether it is read at all, beginning with AND.
        var known: Query = ""

        var day: Query { hasDays ? "day" : "month" }

        func only(where condition: Query) -> Table {
            var table = self
            table.known = "\(known) AND \(condition)"
            return table
        }
    }

    /// While months wait to be converted they are read from their days (`months_to_convert`), as one statement finds them.
    private func tables(convertedTo reporting: Currency?) -> [Table] {
        let split = DaySpan(from: from, through: through).split(days)
        let days = split.days.flatMap(byDay)
        guard let span = split.months else { return days }
        let months = asOf(Table(name: "rollup_months", hasDays: false, span: span))
        guard let reporting else { return months + days }
        let areConverted: Query = """
            EXISTS (
                SELECT FROM apps reporting
                WHERE reporting.id = \(app) AND reporting.reporting_currency = \(reporting.code)
                    AND NOT EXISTS (SELECT FROM months_to_convert waiting WHERE waiting.app_id = reporting.id))
            """
        return months.map { $0.only(where: areConverted) }
            + byDay(span).map { $0.only(where: "NOT \(areConverted)") } + days
    }

    private func byDay(_ span: DaySpan) -> [Table] {
        guard needsProducts else { return asOf(Table(name: "rollup_days", hasProducts: false, span: span)) }
        return [Table(name: "rollups", span: span, known: knownUntilThen)]
    }

    /// The table as it was known on the filter's day. A table that only keeps the month of recording leaves that day's month to `rollups`.
    private func asOf(_ table: Table) -> [Table] {
        guard let day = filter.asOf else { return [table] }
        let month = ReportingPeriod(.month, containing: day)
        var whole = table
        whole.known = " AND recorded_month < \(month.last == day ? month.next.first : month.first)"
        guard month.last != day else { return [whole] }
        let known: Query = " AND recorded_on >= \(month.first)\(knownUntilThen)"
        return [whole, Table(name: "rollups", span: table.span, known: known)]
    }

    private var knownUntilThen: Query { filter.asOf.map { " AND recorded_on <= \($0)" } ?? "" }

    private var needsProducts: Bool {
        parts == .products || products != nil || filter.plan != nil || filter.product != nil || filter.period != nil
            || filter.country != nil
    }

    private var columns: Query {
        switch parts {
        case .none: ""
        case .stores: ", store"
        case .products: ", product_id, country"
        }
    }

    private func selection(_ table: Table, _ isConverted: Bool) -> Query {
        let needsStore = parts == .stores && table.hasProducts
        let stores: Query = needsStore ? " LEFT JOIN (SELECT id, store FROM products) sold ON sold.id = product_id" : ""
        let parts: Query = needsStore ? ", coalesce(store, '') AS store" : columns
        let converted: Query =
            switch (isConverted, table.hasDays) {
            case (false, _): ""
            case (true, true): ", NULL::numeric AS converted, false AS lacks_rate"
            case (true, false): ", converted, lacks_rate"
            }
        return """
            SELECT measure, \(table.day) AS day, dimension, currency, amount, count\(converted)\(parts)
            FROM \(table.name)\(stores)
            WHERE \(conditions(table))
            """
    }

    private func conditions(_ table: Table) -> Query {
        let measure: Query = measures.count == 1 ? "measure = \(measures[0])" : "measure = ANY(\(measures))"
        let from: Query = table.span.from.map { " AND \(table.day) >= \($0)" } ?? ""
        let through: Query = table.span.through.map { " AND \(table.day) <= \($0)" } ?? ""
        return """
            app_id = \(app) AND \(measure) AND environment = \(filter.environment)\(from)\(through)\(steps)\
            \(filtered(table))\(table.known)
            """
    }

    private func filtered(_ table: Table) -> Query {
        guard table.hasProducts else {
            let store: Query = filter.store.map { " AND store = \($0)" } ?? ""
            let currency: Query = filter.currency.map { " AND currency = \($0.code)" } ?? ""
            return "\(store)\(currency)"
        }
        var others = filter
        others.asOf = nil
        guard let products else { return MetricsReads.conditions(of: others, app: app) }
        (others.store, others.plan, others.product, others.period) = (nil, nil, nil, nil)
        return "\(MetricsReads.conditions(of: others, app: app)) AND product_id IN (\(products))"
    }
}
