package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of the customers behind a subscription metric: of a snapshot the newest customers first, of changes the latest day first.
    ///
    /// - Parameters:
    ///   - currency: the currency of a metric of money.
    ///   - zone: the time zone of the filter's days.
    package func subscriberRows(
        _ filter: SubscriberRowsFilter,
        in currency: Currency,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> ListPage<SubscriberRow> {
        let rates =
            filter.metric.isMoney
            ? try await reader.metrics.recurringRates(filter.metrics, in: currency, app: app) : [:]
        let behind = MetricRows(filter: filter, rates: rates, app: app, zone: zone, now: reader.now)
        let rows = try await reader.query(behind.page)
        let page = ListPage(try rows.map { try SubscriberRow(row: $0, filter) }, at: filter.position)
        return try await counted(
            page,
            of: CountedList(app: app, filter: .subscriberRows(filter.firstPage)),
            counts: counts,
            rows: behind.all
        )
    }
}

/// The statements that read the customers behind a metric.
struct MetricRows: Sendable {
    let filter: SubscriberRowsFilter
    /// By currency, what a minor unit is multiplied by; none for those without a rate.
    let rates: [Currency: String]
    let app: App.ID
    let zone: TimeZone
    let now: Date

    private var metric: SubscriberRowsFilter.Metric { filter.metric }

    /// One row for each row of the list.
    var all: Query { "\(groups) \(having)" }

    /// A page of keys, and for each of its rows what it is made of and the stretch of access that it is of.
    var page: Query {
        """
        WITH page AS MATERIALIZED (
            \(groups)\(beyond) \(having)
            ORDER BY \(order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
        )
        SELECT page.customer_id, c.key, page.day, page.value, own.currencies, own.amounts, cells.left_names, cells.left_plans, cells.came_names,
            cells.came_plans, cells.dimension, stretch.starts_at, stretch.ends_at, stretch.price, stretch.currency,
            stretch.period_count, stretch.period_unit,
            CASE WHEN stretch.ends_at <= \(now) AND s.transaction_id = stretch.transaction_id
                THEN CASE s.state WHEN 'revoked' THEN 'revoked' ELSE s.end_reason END END
        FROM page
        JOIN customers c ON c.id = page.customer_id
        CROSS JOIN LATERAL (
            SELECT array_agg(currency ORDER BY currency) AS currencies, array_agg(amount ORDER BY currency) AS amounts
            FROM (
                SELECT e.currency, sum(e.amount)::bigint AS amount
                FROM subscriber_entries e
                WHERE \(conditions) AND e.customer_id = page.customer_id\(sameDay)
                GROUP BY e.currency
                HAVING sum(e.amount) <> 0
            ) amounts
        ) own
        CROSS JOIN LATERAL (
            SELECT min(dimension) AS dimension,
                array_agg(name ORDER BY rank, name) FILTER (WHERE value < 0) AS left_names,
                array_agg(plan ORDER BY rank, name) FILTER (WHERE value < 0) AS left_plans,
                array_agg(name ORDER BY rank, name) FILTER (WHERE value > 0) AS came_names,
                array_agg(plan ORDER BY rank, name) FILTER (WHERE value > 0) AS came_plans,
                coalesce(array_agg(product_id) FILTER (WHERE value > 0), array_agg(product_id)) AS products
            FROM (
                SELECT min(dimension) AS dimension, product_id, coalesce(p.name, plan.name) AS name, plan.code AS plan, plan.rank,
                    sum(\(value)) AS value
                FROM subscriber_entries e
                -- A trial that the app gives is of a plan.
                LEFT JOIN products p ON p.id = e.product_id
                JOIN plans plan ON plan.id = coalesce(p.plan_id, e.product_id)
                WHERE \(conditions) AND e.customer_id = page.customer_id\(sameDay)
                GROUP BY product_id, p.name, plan.name, plan.code, plan.rank\(unsafe: metric.hasMovements ? ", dimension" : "")
                HAVING sum(\(value)) <> 0
            ) parts
        ) cells
        LEFT JOIN LATERAL (
            SELECT h.starts_at, h.ends_at, h.price, h.currency, h.period_count, h.period_unit, h.subscription_id,
                h.transaction_id
            FROM access_periods h
            WHERE h.customer_id = page.customer_id AND h.environment = 'production'
                AND h.product_id = ANY(cells.products) AND h.is_trial = \(metric.isOfTrials) AND NOT h.is_family_shared
                AND h.starts_at < (\(through) + 1)::timestamp AT TIME ZONE \(zone.identifier) AND \(known)
            ORDER BY h.starts_at DESC
            LIMIT 1
        ) stretch ON true
        LEFT JOIN subscriptions s ON s.id = stretch.subscription_id
        ORDER BY \(pageOrder)
        """
    }

    /// The rows of the list's file, one for each customer and currency; for each day, too, unless the metric is a snapshot; and for
    /// each kind of movement, where it has movements. `value` is in minor units or a count; `rate` is the price of one minor unit in
    /// the asked currency, NULL without one.
    var file: Query {
        let day: Query = metric.isSnapshot ? "max(e.day)" : "e.day"
        let kind: Query = metric.hasMovements ? "e.dimension" : "NULL::smallint"
        let days = metric.isSnapshot ? [] : ["e.day"]
        let keys = ["e.customer_id", "e.currency"] + days + (metric.hasMovements ? ["e.dimension"] : [])
        let rate: Query = metric.isMoney ? "CASE\(byCurrency(of: "1")) END" : "NULL::numeric"
        return """
            SELECT e.customer_id, e.currency, \(day) AS day, \(kind) AS kind, sum(\(value))::bigint AS value, min(\(rate)) AS rate
            FROM subscriber_entries e
            WHERE \(conditions)
            GROUP BY \(unsafe: keys.joined(separator: ", "))
            HAVING sum(\(value)) <> 0
            """
    }

    /// A row of the list for each group.
    private var groups: Query {
        metric.isSnapshot
            ? """
            SELECT e.customer_id, max(e.day) AS day, round(sum(\(inOneCurrency)))::bigint AS value
            FROM subscriber_entries e
            WHERE \(conditions)
            """
            : """
            SELECT e.customer_id, e.day, round(sum(\(inOneCurrency)))::bigint AS value
            FROM subscriber_entries e
            WHERE \(conditions)
            """
    }

    private var having: Query {
        "GROUP BY \(unsafe: metric.isSnapshot ? "e.customer_id" : "e.day, e.customer_id") HAVING sum(\(comparable)) <> 0"
    }

    private var beyond: Query {
        let sign: Query = isTurned ? ">" : "<"
        switch filter.position {
        case .first: return ""
        case .after(let cursor), .before(let cursor):
            guard !metric.isSnapshot else { return " AND e.customer_id \(sign) \(cursor.id)" }
            let day = BusinessDay(number: Int(cursor.value / 86_400_000_000))
            return " AND (e.day, e.customer_id) \(sign) (\(day), \(cursor.id))"
        }
    }

    private var isTurned: Bool {
        if case .before = filter.position { true } else { false }
    }

    private var order: Query {
        let word = isTurned ? "ASC" : "DESC"
        return Query(unsafe: metric.isSnapshot ? "e.customer_id \(word)" : "e.day \(word), e.customer_id \(word)")
    }

    private var pageOrder: Query {
        let word = isTurned ? "ASC" : "DESC"
        return Query(unsafe: metric.isSnapshot ? "customer_id \(word)" : "day \(word), customer_id \(word)")
    }

    /// The value that an entry adds.
    private var value: Query {
        switch metric {
        case .mrr, .movements: "e.amount"
        case .active, .changes, .lost, .trials, .converted, .abandoned: "e.count"
        case .pending: "CASE e.measure WHEN 'trial' THEN e.count ELSE -e.count END"
        }
    }

    /// The value that an entry adds in the asked currency; NULL without a rate.
    private var inOneCurrency: Query { metric.isMoney ? "CASE\(byCurrency(of: "e.amount")) END" : value }

    /// The same, for what is there at all.
    private var comparable: Query { metric.isMoney ? "CASE\(byCurrency(of: "e.amount")) ELSE e.amount END" : value }

    /// Written out, so that an index can give the rows in order.
    private func byCurrency(of amount: Query) -> Query {
        let cases = rates.sorted { $0.key.code < $1.key.code }
        guard !cases.isEmpty else { return " WHEN false THEN \(amount)::numeric" }
        return cases.reduce("" as Query) {
            "\($0) WHEN e.currency = \($1.key.code) THEN \(amount) * \($1.value)::text::numeric"
        }
    }

    private var conditions: Query {
        let isProduction: Query = filter.metrics.environment == .production ? "" : " AND false"
        let from: Query = metric.isSnapshot ? "" : filter.from.map { " AND e.day >= \($0)" } ?? ""
        let to: Query = filter.to.map { " AND e.day <= \($0)" } ?? ""
        var dimension: Query = ""
        if metric == .lost { dimension = " AND e.dimension = \(filter.grain.lostDimension, as: Int16.self)" }
        if metric.hasMovements, let movement = filter.movement {
            dimension = " AND e.dimension = \(movement.rawValue, as: Int16.self)"
        }
        return """
            e.app_id = \(app) AND \(isOfMeasure) AND e.effective_at <= \(now)\
            \(from)\(to)\(dimension)\(isProduction)\(MetricsReads.conditions(of: filter.metrics, app: app))
            """
    }

    /// One measure's entries lie in the order of their customers, so that a page ends where it is full; of a list of
    /// measures the database does not know that, be it a list of one.
    private var isOfMeasure: Query {
        let measures = metric.measures.map(\.rawValue)
        return measures.count == 1 ? "e.measure = \(measures[0])" : "e.measure = ANY(\(measures))"
    }

    private var sameDay: Query { metric.isSnapshot ? "" : " AND e.day = page.day" }

    /// The last day on which the stretch may have begun.
    private var through: Query {
        switch metric {
        case .mrr, .active: filter.to.map { "\($0)::date" } ?? "current_date + 1"
        case .lost: "(date_trunc(\(filter.grain.rawValue), page.day) + \(unsafe: length))::date - 1"
        case .movements, .changes, .trials, .converted, .pending, .abandoned: "page.day"
        }
    }

    private var length: String { "interval '1 \(filter.grain.rawValue)'" }

    /// The stretches as they are known now, or were then.
    private var known: Query {
        guard let moment = filter.metrics.asOf?.end(in: zone) else { return "h.retired_at IS NULL" }
        return "h.recorded_at < \(moment) AND (h.retired_at IS NULL OR h.retired_at >= \(moment))"
    }
}

extension SubscriberRow {
    fileprivate init(row: Postgres.Row, _ filter: SubscriberRowsFilter) throws {
        var columns = try row.columns(18)
        self.init(
            customer: try columns.next(),
            customerKey: try columns.next(),
            day: try columns.next(),
            value: try columns.next(),
            own: try Self.amounts(&columns, filter),
            left: try Self.products(&columns),
            came: try Self.products(&columns),
            movement: try Self.movement(&columns, filter),
            stretch: try Stretch.stored(&columns),
            end: try columns.next(String?.self).flatMap { reason in
                reason == "revoked" ? .takenBack : ExpirationReason(rawValue: reason).map(End.expired)
            }
        )
    }

    private static func amounts(_ columns: inout RowColumns, _ filter: SubscriberRowsFilter) throws -> [Money] {
        let (codes, amounts): ([String]?, [Int64]?) = (try columns.next(), try columns.next())
        guard filter.metric.isMoney else { return [] }
        return try zip(codes ?? [], amounts ?? []).map { Money(minorUnits: $1, currency: try Currency(stored: $0)) }
    }

    private static func products(_ columns: inout RowColumns) throws -> [Product] {
        let (names, plans): ([String]?, [String]?) = (try columns.next(), try columns.next())
        return zip(names ?? [], plans ?? []).map { Product(name: $0, plan: $1) }
    }

    private static func movement(
        _ columns: inout RowColumns,
        _ filter: SubscriberRowsFilter
    ) throws -> MovementClass? {
        let dimension: Int? = try columns.next()
        return filter.metric.hasMovements ? dimension.flatMap(MovementClass.init(rawValue:)) : nil
    }
}

extension SubscriberRow.Stretch {
    fileprivate static func stored(_ columns: inout RowColumns) throws -> Self? {
        let (from, until): (Date?, Date?) = (try columns.next(), try columns.next())
        let (price, currency): (Int64?, Currency?) = (try columns.next(), try columns.next())
        let length = try BillingPeriod(count: columns.next(), unit: columns.next())
        return from.map { from in
            Self(
                from: from,
                until: until,
                price: currency.map { Money(minorUnits: price ?? 0, currency: $0) },
                length: length
            )
        }
    }
}
