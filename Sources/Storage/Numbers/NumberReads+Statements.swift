import Billing
import Foundation
import Postgres

/// The statements that read the rollups: what is added up already, and what still waits to be.
extension NumberReads {
    static func revenue(_ question: RevenueQuestion, app: App.ID) -> Query {
        let cells: Query = """
            \(cells("rollups", question, app: app)) UNION ALL \(cells("rollup_entries", question, app: app))
            """
        let part = part(of: question.breakdown)
        guard let reporting = question.reporting else {
            return """
                SELECT \(period(question.grain)), p.store, \(part), currency, \(sums(of: { "sum(\($0))::bigint" })),
                    NULL::text[]
                FROM (\(cells)) cells
                JOIN products p ON p.id = cells.product_id
                JOIN plans plan ON plan.id = p.plan_id
                GROUP BY 1, 2, 3, 4
                """
        }
        // Rates are looked up once for each day and currency. Multiplied first: 117 / 1.04 is 112.5, 117 x (1 / 1.04) is less.
        return """
            WITH cells AS MATERIALIZED (
                SELECT day, measure, step, product_id, country, currency, sum(amount) AS amount, sum(count) AS count
                FROM (\(cells)) parts
                GROUP BY 1, 2, 3, 4, 5, 6
            ), rates AS MATERIALIZED (
                \(rates(of: "SELECT DISTINCT day, currency FROM cells", in: reporting))
            )
            SELECT \(period(question.grain)), p.store, \(part), \(reporting.code)::text,
                \(sums(of: { "round(coalesce(sum(\($0) * times / divided), 0))::bigint" })),
                array_agg(DISTINCT currency) FILTER (WHERE times / divided IS NULL AND amount <> 0)
            FROM cells
            JOIN rates USING (day, currency)
            JOIN products p ON p.id = cells.product_id
            JOIN plans plan ON plan.id = p.plan_id
            GROUP BY 1, 2, 3, 4
            """
    }

    /// The rates of some days and currencies: of each `day` and `currency` what an amount is multiplied by (`times`) and then
    /// divided by (`divided`) to be one of the reporting currency; null where a rate is missing.
    ///
    /// As `euro_rate` has them, but written out: to start a function takes longer than to find a rate, of which years have thousands.
    static func rates(of needed: Query, in reporting: Currency) -> Query {
        """
        SELECT day, currency,
            CASE currency WHEN \(reporting.code) THEN 1
            ELSE \(euroRate("\(reporting.code)"))
                * 10::numeric ^ (minor_digits(\(reporting.code)) - minor_digits(currency)) END AS times,
            CASE currency WHEN \(reporting.code) THEN 1 ELSE \(euroRate("needed.currency")) END AS divided
        FROM (\(needed)) needed
        """
    }

    /// What a euro cost on a needed day or the last one before it, at most a week.
    private static func euroRate(_ currency: Query) -> Query {
        """
        CASE \(currency) WHEN 'EUR' THEN 1 ELSE (
            SELECT per_euro
            FROM exchange_rates r
            WHERE r.currency = \(currency) AND r.day BETWEEN needed.day - 7 AND needed.day
            ORDER BY r.day DESC
            LIMIT 1) END
        """
    }

    /// One amount in the reporting currency, at the rate of its day; null where a rate is missing. For many days see `rates`.
    static func converted(_ amount: Query, of currency: Query, on day: Query, in reporting: Currency) -> Query {
        """
        CASE \(currency) WHEN \(reporting.code) THEN \(amount)
        ELSE \(amount) * euro_rate(\(reporting.code), \(day))
            * 10::numeric ^ (minor_digits(\(reporting.code)) - minor_digits(\(currency)))
            / euro_rate(\(currency), \(day)) END
        """
    }

    /// One table's cells of a question.
    private static func cells(_ table: Query, _ question: RevenueQuestion, app: App.ID) -> Query {
        """
        SELECT day, measure, step, product_id, country, currency, amount, count
        FROM \(table)
        WHERE app_id = \(app) AND measure IN ('charge', 'free_order', 'refund', 'refunded_charge')
            AND environment = \(question.filter.environment)
            AND day BETWEEN \(question.from) AND \(question.through)\(conditions(of: question.filter, app: app))
        """
    }

    static func conditions(of filter: NumbersFilter, app: App.ID) -> Query {
        let isOfSome = filter.store != nil || filter.plan != nil || filter.product != nil || filter.period != nil
        let products: Query = isOfSome ? " AND product_id IN (\(products(filter, app: app)))" : ""
        let country: Query = filter.country.map { " AND country = \($0)" } ?? ""
        let currency: Query = filter.currency.map { " AND currency = \($0.code)" } ?? ""
        let asOf: Query = filter.asOf.map { " AND known_day <= \($0)" } ?? ""
        return "\(products)\(country)\(currency)\(asOf)"
    }

    /// The keys of the products that a filter leaves.
    static func products(_ filter: NumbersFilter, app: App.ID) -> Query {
        let store: Query = filter.store.map { " AND sold.store = \($0)" } ?? ""
        let plan: Query = filter.plan.map { " AND sold_as.code = \($0)" } ?? ""
        let product: Query = filter.product.map { " AND sold.store_product_id = \($0)" } ?? ""
        let period: Query =
            filter.period.map {
                " AND sold.period_count = \(Int32($0.count)) AND sold.period_unit = \($0.unit.rawValue)"
            } ?? ""
        return """
            SELECT sold.id FROM products sold JOIN plans sold_as ON sold_as.id = sold.plan_id
            WHERE sold.app_id = \(app)\(store)\(plan)\(product)\(period)
            """
    }

    private static func period(_ grain: ReportingPeriod.Grain) -> Query {
        "date_trunc(\(grain.rawValue), day)::date"
    }

    private static func part(of breakdown: RevenueCell.Breakdown?) -> Query {
        switch breakdown {
        case nil: "''::text"
        case .product: "p.store_product_id"
        case .plan: "plan.code"
        case .store: "p.store"
        case .country: "country"
        }
    }

    /// In the order in which `RevenueAnswer` reads them.
    private static func sums(of amount: (Query) -> Query) -> Query {
        func money(_ condition: Query) -> Query { amount("CASE WHEN \(condition) THEN amount ELSE 0 END") }
        func count(_ measure: Query) -> Query { "sum(CASE WHEN measure = \(measure) THEN count ELSE 0 END)::bigint" }
        return """
            \(money("measure = 'charge' AND step = 0")), \(money("measure = 'charge' AND step = 1")),
            \(money("measure = 'refund' AND step = 0")), \(money("measure = 'refund' AND step = 1")),
            \(money("measure = 'refunded_charge'")), \(count("'charge'")), \(count("'free_order'")), \(count("'refund'")),
            \(count("'refunded_charge'"))
            """
    }

    /// The hours are those that the day's clock showed, which on two days of the year is not what has passed.
    static func dayUntil(
        _ moment: Date,
        of day: BusinessDay,
        zone: TimeZone,
        in currency: Currency,
        app: App.ID
    ) -> Query {
        let hour = Calendar.hour(of: moment, in: zone)
        let (start, clock) = (hour.start, Int16(hour.number))
        return """
            WITH parts AS (
                SELECT currency, amount, count
                FROM rollups
                WHERE app_id = \(app) AND measure = 'order_by_hour' AND environment = 'production' AND day = \(day)
                    AND step < \(clock)
                UNION ALL
                SELECT currency, amount, count
                FROM rollup_entries
                WHERE app_id = \(app) AND measure = 'order_by_hour' AND environment = 'production' AND day = \(day)
                    AND step < \(clock)
                UNION ALL
                SELECT currency, amount, 1
                FROM transactions
                WHERE app_id = \(app) AND environment = 'production' AND status = 'success' AND is_charge(kind)
                    AND occurred_at >= \(start) AND occurred_at < \(moment)
            ), sums AS (
                SELECT currency, sum(amount) AS amount, sum(count) AS count FROM parts GROUP BY currency
            )
            SELECT coalesce(round(sum(\(converted("amount", of: "currency", on: "\(day)", in: currency)))), 0)::bigint,
                coalesce(sum(count), 0)::bigint
            FROM sums
            """
    }

    /// The different values of a column of what was ever charged, each found by one look into the index where there is one.
    static func distinct(_ column: Query, app: App.ID) -> Query {
        """
        SELECT DISTINCT \(column)
        FROM (
            SELECT \(column) FROM rollups WHERE app_id = \(app) AND measure = 'charge' AND environment = 'production'
            UNION ALL
            SELECT \(column) FROM rollup_entries WHERE app_id = \(app) AND measure = 'charge'
        ) sold
        ORDER BY 1
        """
    }
}

extension RevenueAnswer {
    init(_ rows: Rows, of question: RevenueQuestion, fees: [Store: StoreFee]) throws {
        var revenues: [Key: Revenue] = [:]
        var missing: Set<String> = []
        for row in rows {
            let key = Key(
                period: ReportingPeriod(question.grain, containing: try row.decode(0, as: BusinessDay.self)),
                part: try row.decode(2),
                currency: try Currency(stored: row.decode(3, as: String.self))
            )
            let store = try row.decode(1, as: Store.self)
            let fee = fees[store] ?? .standard(at: store)
            revenues[key, default: Revenue()] = revenues[key, default: Revenue()] + (try Revenue(row, fee))
            if let codes = try row.decode(13, as: [String]?.self) { missing.formUnion(codes) }
        }
        let cells = revenues.map { key, revenue in
            RevenueCell(period: key.period, part: key.part, currency: key.currency, revenue: revenue)
        }
        self.init(
            cells: cells.sorted { ($0.period, $0.part, $0.currency.code) < ($1.period, $1.part, $1.currency.code) },
            missingRates: try missing.sorted().map { try Currency(stored: $0) }
        )
    }

    private struct Key: Hashable {
        var period: ReportingPeriod
        var part: String
        var currency: Currency
    }
}

extension Revenue {
    fileprivate init(_ row: Row, _ fee: StoreFee) throws {
        self.init()
        func amount(_ column: Int) throws -> Int64 { try row.decode(column, as: Int64.self) }
        let charged = (first: try amount(4), later: try amount(5))
        let refunded = (first: try amount(6), later: try amount(7))
        gross = charged.first + charged.later
        refunds = refunded.first + refunded.later
        fees =
            fee.share(of: charged.first - refunded.first, isFirstYear: true)
            + fee.share(of: charged.later - refunded.later, isFirstYear: false)
        refundsOfCharges = try amount(8)
        charges = Int(try amount(9))
        freeOrders = Int(try amount(10))
        refundsMade = Int(try amount(11))
        refundedCharges = Int(try amount(12))
    }
}

extension Calendar {
    /// The hour that a clock showed at a moment, and when it began.
    fileprivate static func hour(of moment: Date, in zone: TimeZone) -> (number: Int, start: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let start = calendar.dateInterval(of: .hour, for: moment)?.start ?? moment
        return (calendar.component(.hour, from: moment), start)
    }
}
