import Billing
import Foundation
import Postgres

/// The statements that read the customers behind a metric of customers.
struct CohortRowStatements: Sendable {
    let filter: CohortRowsFilter
    let currency: Currency
    let app: App.ID
    let zone: TimeZone
    let now: Date

    /// One row for each row of the list.
    var all: Query { groups(beyond: "", inOrder: "") }

    /// A page of keys, and for each of its rows what it is of and what the customer brought.
    var page: Query {
        """
        WITH page AS MATERIALIZED (
            SELECT customer_id, day, value
            FROM (\(groups(beyond: beyond, inOrder: " ORDER BY \(groupOrder)"))) g
            ORDER BY \(order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
        )
        SELECT page.customer_id, c.key, c.created_at, page.day, held.names, held.plans, page.value, \(net)
        FROM page
        JOIN customers c ON c.id = page.customer_id
        CROSS JOIN LATERAL (
            SELECT array_agg(DISTINCT name ORDER BY name) AS names, array_agg(DISTINCT plan ORDER BY plan) AS plans
            FROM (
                SELECT coalesce(p.name, plan.name) AS name, plan.code AS plan
                FROM subscriber_entries e
                LEFT JOIN products p ON p.id = e.product_id
                JOIN plans plan ON plan.id = coalesce(p.plan_id, e.product_id)
                WHERE \(conditions(counted)) AND e.customer_id = page.customer_id
                GROUP BY e.product_id, p.name, plan.name, plan.code
                HAVING sum(e.count) <> 0
            ) products
        ) held
        ORDER BY \(order)
        """
    }

    /// The rows of the list's file: `value`, the number of customers or subscriptions, and `net` in minor units, of every customer.
    var file: Query {
        """
        SELECT page.customer_id, c.created_at, page.day, page.value, \(net) AS net
        FROM (\(groups(beyond: "", inOrder: ""))) page
        JOIN customers c ON c.id = page.customer_id
        """
    }

    /// Entries that are added up for each customer.
    private struct Part {
        /// Written into the text, so that the index of that measure serves it.
        var measure: CohortMeasure
        var conditions: Query
        var filter: MetricsFilter
    }

    private enum CohortMeasure: String {
        case started, retained, seen, converted, paying, holder
    }

    /// The entries that are added.
    private var counted: Part {
        let month = filter.month
        let inMonth: Query = " AND e.day = \(month.first)"
        let duringMonth: Query = " AND e.day BETWEEN \(month.first) AND \(month.last)"
        let seen = MetricsFilter(environment: filter.metrics.environment, asOf: filter.metrics.asOf)
        let seenInMonth = Part(
            measure: .seen,
            conditions: duringMonth,
            filter: seen
        )
        switch filter.metric {
        case .retention:
            guard let step = filter.step, filter.paid else {
                return Part(measure: .started, conditions: "\(duringMonth)\(due)", filter: filter.metrics)
            }
            return paid(at: step)
        case .conversion:
            guard let step = filter.step, filter.paid else { return seenInMonth }
            return paid(at: step)
        case .lifetime: return seenInMonth
        case .lifetimePayers: return paid(at: ConversionCohort.limits.count)
        case .customers: return Part(measure: .seen, conditions: " AND e.day <= \(month.last)", filter: seen)
        case .payers: return Part(measure: .paying, conditions: inMonth, filter: filter.metrics)
        case .holders:
            let plan: Query =
                filter.metrics.plan.map { plan in
                    let held = MetricsReads.held(MetricsFilter(plan: plan), app: app)
                    return " AND e.product_id IN (\(held))"
                } ?? ""
            return Part(measure: .holder, conditions: " AND e.dimension = 0\(plan)", filter: MetricsFilter())
        case .trials: return Part(measure: .holder, conditions: " AND e.dimension = 1", filter: MetricsFilter())
        case .free: return Part(measure: .seen, conditions: "", filter: MetricsFilter())
        }
    }

    /// The entries that are subtracted; nil for none.
    private var uncounted: Part? {
        if filter.metric == .free {
            return Part(
                measure: .holder,
                conditions: """
                     AND e.product_id IN (
                        SELECT sold.id FROM products sold JOIN plans l ON l.id = sold.plan_id
                        WHERE l.app_id = \(app) AND l.rank > 0
                        UNION ALL
                        SELECT l.id FROM plans l WHERE l.app_id = \(app) AND l.rank > 0)
                    """,
                filter: MetricsFilter()
            )
        }
        guard filter.metric.hasSteps, let step = filter.step, !filter.paid else { return nil }
        return paid(at: step)
    }

    /// For customers who did not pay for a period, only those whose time has come.
    private var due: Query {
        guard filter.metric == .retention, let step = filter.step, !filter.paid else { return "" }
        let today = filter.metrics.lastDay(today: BusinessDay(now, in: zone))
        let days = (filter.month.first.number...filter.month.last.number).map(BusinessDay.init(number:))
        let last = days.last { RetentionCohort.canHaveBegun(step, since: $0, by: today, every: filter.length) }
        return last.map { " AND e.day <= \($0)" } ?? " AND false"
    }

    private func paid(at step: Int) -> Part {
        let (first, last) = (filter.month.first, filter.month.last)
        if filter.metric == .retention {
            return Part(
                measure: .retained,
                conditions: """
                     AND e.day BETWEEN \(first) AND \(last) AND e.dimension = \(Int16(clamping: step))\(filter.paid ? "" : due)
                    """,
                filter: filter.metrics
            )
        }
        let day: Query = " AND e.day = \(first)"
        let isSoon: Query = step < ConversionCohort.limits.count ? " AND e.dimension <= \(Int16(clamping: step))" : ""
        return Part(measure: .converted, conditions: "\(day)\(isSoon)", filter: filter.metrics)
    }

    /// A row for each customer and day of the metric; what customers may use now came on different days.
    ///
    /// - Parameter inOrder: has the index give them in the list's order, so that a page reads no more than its rows.
    private func groups(beyond: Query, inOrder: Query) -> Query {
        let key: Query = isByCustomer ? "e.customer_id" : "e.day, e.customer_id"
        let groups: Query = """
            SELECT e.customer_id, \(unsafe: isByCustomer ? "max(e.day) AS day" : "e.day"), sum(e.count)::bigint AS value
            FROM subscriber_entries e
            WHERE \(conditions(counted))\(beyond)
            GROUP BY \(key)
            HAVING sum(e.count) <> 0\(inOrder)
            """
        guard let uncounted else { return groups }
        return """
            SELECT whole.customer_id, whole.day, whole.value - part.value AS value
            FROM (\(groups)) whole
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(e.count), 0)::bigint AS value
                FROM subscriber_entries e
                WHERE \(conditions(uncounted)) AND e.customer_id = whole.customer_id
            ) part
            WHERE whole.value <> part.value
            """
    }

    private func conditions(_ part: Part) -> Query {
        let isProduction: Query = part.filter.environment == .production ? "" : " AND false"
        return """
            e.app_id = \(app) AND e.measure = '\(unsafe: part.measure.rawValue)' AND e.effective_at <= \(now)\
            \(part.conditions)\(isProduction)\(MetricsReads.conditions(of: part.filter, app: app))
            """
    }

    private var isByCustomer: Bool { filter.metric == .holders || filter.metric == .trials }

    private var beyond: Query {
        let sign: Query = isTurned ? ">" : "<"
        switch filter.position {
        case .first: return ""
        case .after(let cursor), .before(let cursor):
            guard !isByCustomer else { return " AND e.customer_id \(sign) \(cursor.id)" }
            let day = BusinessDay(number: Int(cursor.value / 86_400_000_000))
            return " AND (e.day, e.customer_id) \(sign) (\(day), \(cursor.id))"
        }
    }

    private var isTurned: Bool {
        if case .before = filter.position { true } else { false }
    }

    private var direction: String { isTurned ? "ASC" : "DESC" }

    private var groupOrder: Query {
        Query(unsafe: isByCustomer ? "e.customer_id \(direction)" : "e.day \(direction), e.customer_id \(direction)")
    }

    private var order: Query {
        let isByKey = isByCustomer || isOfOneDay
        return Query(unsafe: isByKey ? "customer_id \(direction)" : "day \(direction), customer_id \(direction)")
    }

    /// True if all rows have the first of the month, so that sorting by it would only keep PostgreSQL from using the index's order.
    private var isOfOneDay: Bool {
        switch filter.metric {
        case .payers, .lifetimePayers: true
        case .conversion: filter.step != nil && filter.paid
        case .retention, .customers, .lifetime, .holders, .free, .trials: false
        }
    }

    /// Charges less refunds, each at the rate of its own day.
    private var net: Query {
        guard filter.metric.isMoney else { return "NULL::bigint" }
        let ofMonth = filter.metric == .customers || filter.metric == .payers
        let month = filter.month
        let days: Query =
            ofMonth
            ? " AND t.occurred_at >= \(month.first.start(in: zone)) AND t.occurred_at < \(month.last.end(in: zone))"
            : ""
        let known: Query = filter.metrics.asOf.map { " AND t.recorded_at < \($0.end(in: zone))" } ?? ""
        var sold = filter.metrics
        sold.asOf = nil
        return """
            (
                SELECT coalesce(\(MetricsReads.rounded("sum(\(MetricsReads.converted("t.amount", of: "t.currency", on: "t.day", in: currency)))")), 0)
                FROM (
                    SELECT t.amount, t.currency, (t.occurred_at AT TIME ZONE \(zone.identifier))::date AS day, o.product_id,
                        coalesce(o.storefront, '') AS country
                    FROM orders o
                    JOIN ledger_entries t ON t.order_id = o.id
                    WHERE o.customer_id = page.customer_id AND o.environment = 'production' AND t.status = 'success'
                        AND t.amount <> 0\(days)\(known)
                ) t
                WHERE true\(MetricsReads.conditions(of: sold, app: app))
            )
            """
    }
}
