import Billing
import Foundation
import Postgres

/// The statements that read the rollups: what is added up already, and what still waits to be.
extension MetricsReads {
    /// - Parameter isOwn: true if the asked currency is the app's reporting currency.
    static func revenue(_ question: RevenueQuery, isOwn: Bool, app: App.ID, now: Date) -> Query {
        let isOfProducts = question.breakdown?.isOfProducts ?? false
        let cells = MetricsCells(
            app: app,
            measures: question.needed.measures,
            filter: question.filter,
            from: question.from,
            through: question.through,
            days: question.grain == .month && (question.reporting == nil || isOwn) ? .months : .each,
            parts: isOfProducts ? .products : .stores
        )
        let products: Query =
            isOfProducts ? "JOIN products p ON p.id = product_id JOIN plans plan ON plan.id = p.plan_id" : ""
        let part = part(of: question.breakdown)
        guard let reporting = question.reporting else {
            return """
                SELECT \(period(question.grain)), store, \(part), currency, \(terms), \(sums), NULL::text
                FROM (\(cells.query(now: now))) cells
                \(products)
                GROUP BY 1, 2, 3, 4, 5
                """
        }
        return """
            WITH \(cells.converted(to: reporting, by: question.grain, now: now))
            SELECT period, store, \(part), \(reporting.code)::text, \(terms), \(sums), \(missing)
            FROM cells
            \(products)
            GROUP BY 1, 2, 3, 5
            """
    }

    /// The charges, refunds and credits that a question is of, by the day.
    static func money(of question: RevenueQuery, app: App.ID) -> MetricsCells {
        MetricsCells(
            app: app,
            measures: question.needed.measures.filter { ["charge", "refund", "upgrade_credit"].contains($0) },
            filter: question.filter,
            from: question.from,
            through: question.through,
            days: .each
        )
    }

    /// A sum of converted amounts in minor units. Digits after the twelfth decimal are no money but the residue of a division:
    /// 117 / 1.04 is 112.5, 117 x (1 / 1.04) is less.
    ///
    /// A sum beyond the largest number becomes that number: a wrong rate spoils a metric, not the page.
    static func rounded(_ sum: Query) -> Query {
        // Of nothing at all, least() and greatest() make one of their bounds.
        """
        CASE WHEN \(sum) IS NOT NULL
            THEN least(greatest(round(round(\(sum), 12)), -\(unsafe: mostMinorUnits)), \(unsafe: mostMinorUnits))::bigint END
        """
    }

    /// The rest that `rounded` takes from a sum, in millionths.
    static func remainder(_ sum: Query) -> Query {
        "round((round(\(sum), 12) - round(round(\(sum), 12))) * \(unsafe: String(ExactNet.parts)))::bigint"
    }

    /// A thousandth of the largest 64-bit number, so that metrics can be added.
    private static let mostMinorUnits = "9223372036854775"

    /// The currencies without a rate of converted cells, with repetitions, in one text.
    static let missing: Query = "string_agg(currency, ' ') FILTER (WHERE lacks_rate)"

    /// The rates of some days and currencies: of each `day` and `currency` what an amount is multiplied by (`times`)
    /// and then divided by (`divided`) to be one of the reporting currency; null where a rate is missing.
    ///
    /// As `euro_rate` has them, but written out: to start a function takes longer than to find a rate, of which years
    /// have thousands.
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

    /// The price of a euro on a needed day, or on the last day before it that has one, at most a week back.
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

    /// One amount in the reporting currency, at the rate of its day; null where a rate is missing. For many days see
    /// `rates`.
    static func converted(_ amount: Query, of currency: Query, on day: Query, in reporting: Currency) -> Query {
        """
        CASE \(currency) WHEN \(reporting.code) THEN \(amount)
        ELSE \(amount) * euro_rate(\(reporting.code), \(day))
            * 10::numeric ^ (minor_digits(\(reporting.code)) - minor_digits(\(currency)))
            / euro_rate(\(currency), \(day)) END
        """
    }

    static func conditions(of filter: MetricsFilter, app: App.ID) -> Query {
        let products: Query = filter.isOfSomeProducts ? " AND product_id IN (\(products(filter, app: app)))" : ""
        let country: Query = filter.country.map { " AND country = \($0)" } ?? ""
        let currency: Query = filter.currency.map { " AND currency = \($0.code)" } ?? ""
        let asOf: Query = filter.asOf.map { " AND recorded_on <= \($0)" } ?? ""
        return "\(products)\(country)\(currency)\(asOf)"
    }

    /// The keys of the products that a filter leaves.
    static func products(_ filter: MetricsFilter, app: App.ID) -> Query {
        let store: Query = filter.store.map { " AND sold.store = \($0)" } ?? ""
        let plan: Query = filter.plan.map { " AND sold_as.code = \($0)" } ?? ""
        let product: Query = filter.product.map { " AND sold.store_product_id = \($0)" } ?? ""
        let period: Query =
            filter.period.map {
                " AND sold.period_count = \($0.count, as: Int32.self) AND sold.period_unit = \($0.unit.rawValue)"
            } ?? ""
        return """
            SELECT sold.id FROM products sold JOIN plans sold_as ON sold_as.id = sold.plan_id
            WHERE sold.app_id = \(app)\(store)\(plan)\(product)\(period)
            """
    }

    /// The first day of the period that `day` lies in. To `date_trunc` alone a day is a moment in the session's time
    /// zone first, which takes longer than all else that is done with a cell.
    static func period(_ grain: ReportingPeriod.Grain) -> Query {
        switch grain {
        case .day: "day"
        // The first of January 1900 was a Monday.
        case .week: "day - (day - '1900-01-01'::date) % 7"
        case .month: "date_trunc('month', day::timestamp)::date"
        }
    }

    private static func part(of breakdown: RevenueCell.Breakdown?) -> Query {
        switch breakdown {
        case nil: "''::text"
        case .product: "p.store_product_id"
        case .plan: "plan.code"
        case .store: "store"
        case .country: "country"
        }
    }

    /// The number of the store's terms that a cell is under, in the tens of its dimension.
    private static let terms: Query = "dimension / 10"

    /// In the order in which `RevenueAnswer` reads them; amounts as texts, in parts of a minor unit (`Revenue.parts`).
    private static var sums: Query {
        func sum(_ column: Query, _ condition: Query) -> Query {
            "coalesce(sum(\(column)) FILTER (WHERE \(condition)), 0)"
        }
        let amounts: [Query] = [
            "measure = 'charge' AND dimension % 10 = 0", "measure = 'charge' AND dimension % 10 = 1",
            "measure = 'refund' AND dimension % 10 = 0", "measure = 'refund' AND dimension % 10 = 1",
            "measure = 'refund' AND dimension % 10 = 2", "measure = 'upgrade_credit' AND dimension % 10 = 0",
            "measure = 'upgrade_credit' AND dimension % 10 = 1", "measure = 'refunded_charge'",
        ]
        let counts: [Query] = ["charge", "free_order", "refund", "refunded_charge"].map { (measure: String) in
            "measure = '\(unsafe: measure)'"
        }
        func exact(_ sum: Query) -> Query {
            "round(least(greatest(\(sum), -\(unsafe: mostMinorUnits)), \(unsafe: mostMinorUnits)) * 1000000000000)::text"
        }
        let columns = amounts.map { exact(sum("amount", $0)) } + counts.map { "\(sum("count", $0))::bigint" }
        return columns.dropFirst().reduce(columns[0]) { "\($0), \($1)" }
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
        let start = hour.start
        return """
            WITH parts AS (
                SELECT currency, amount, count
                FROM rollups
                WHERE app_id = \(app) AND measure = 'order_by_hour' AND environment = 'production' AND day = \(day)
                    AND dimension < \(hour.number, as: Int16.self)
                UNION ALL
                SELECT currency, amount, count
                FROM rollup_entries
                WHERE app_id = \(app) AND measure = 'order_by_hour' AND environment = 'production' AND day = \(day)
                    AND dimension < \(hour.number, as: Int16.self)
                UNION ALL
                SELECT currency, amount, 1
                FROM ledger_entries
                WHERE app_id = \(app) AND environment = 'production' AND status = 'success' AND is_charge(kind)
                    AND occurred_at >= \(start) AND occurred_at < \(moment)
            ), sums AS (
                SELECT currency, sum(amount) AS amount, sum(count) AS count FROM parts GROUP BY currency
            )
            SELECT coalesce(\(rounded("sum(\(converted("amount", of: "currency", on: "\(day)", in: currency)))")), 0),
                coalesce(sum(count), 0)::bigint
            FROM sums
            """
    }

    /// The different values of a column of what was ever charged.
    static func distinct(_ column: Query, app: App.ID) -> Query {
        """
        SELECT DISTINCT \(column)
        FROM (
            SELECT \(column) FROM rollup_months
            WHERE app_id = \(app) AND measure = 'charge' AND environment = 'production'
            UNION ALL
            SELECT \(column) FROM rollup_entries WHERE app_id = \(app) AND measure = 'charge'
        ) sold
        ORDER BY 1
        """
    }
}

extension RevenueQuery.Needed {
    fileprivate var measures: [String] {
        switch self {
        case .everything: ["charge", "free_order", "refund", "upgrade_credit", "refunded_charge"]
        case .gross: ["charge"]
        case .refunds: ["refund"]
        case .net: ["charge", "refund", "upgrade_credit"]
        }
    }
}

extension RevenueCell.Breakdown {
    /// True if its parts depend on the product or the country of the charge.
    fileprivate var isOfProducts: Bool {
        switch self {
        case .product, .plan, .country: true
        case .store: false
        }
    }
}

extension RevenueAnswer {
    init(_ rows: Rows, of question: RevenueQuery, fees: [Store: StoreFee]) throws {
        var revenues: [Key: Revenue] = [:]
        var missing: Set<Substring> = []
        for row in rows {
            var columns = try row.columns(18)
            let (day, store): (BusinessDay, Store) = (try columns.next(), try columns.next())
            let key = Key(
                period: ReportingPeriod(question.grain, containing: day).within(
                    question.from,
                    through: question.through
                ),
                part: try columns.next(),
                currency: try columns.next()
            )
            let terms: Int = try columns.next()
            let revenue = try Revenue(&columns, (fees[store] ?? StoreFee()).share(under: terms, at: store))
            revenues[key, default: Revenue()] = revenues[key, default: Revenue()] + revenue
            missing.formUnion(try columns.next(String?.self)?.split(separator: " ") ?? [])
        }
        let cells = revenues.map { key, revenue in
            RevenueCell(period: key.period, part: key.part, currency: key.currency, revenue: revenue)
        }
        self.init(
            cells: cells.sorted { ($0.period, $0.part, $0.currency.code) < ($1.period, $1.part, $1.currency.code) },
            missingRates: try missing.sorted().map { try Currency(stored: String($0)) }
        )
    }

    private struct Key: Hashable {
        var period: ReportingPeriod
        var part: String
        var currency: Currency
    }
}

extension Revenue {
    fileprivate init(_ columns: inout RowColumns, _ fee: StoreFee.Share) throws {
        func exact() throws -> Int128 {
            let text: String = try columns.next()
            guard let parts = Int128(text) else { throw PostgresError(.decoding, "\(text) is no whole number") }
            return parts
        }
        self.init(
            charged: (try exact(), try exact()),
            refunded: (try exact(), try exact(), try exact()),
            credited: (try exact(), try exact()),
            refundsOfCharges: try exact(),
            fee: fee
        )
        charges = try columns.next()
        freeOrders = try columns.next()
        refundsMade = try columns.next()
        refundedCharges = try columns.next()
    }
}

extension Calendar {
    /// The hour that a clock showed at a moment, and when it began to: of an hour that the day has twice, when the first of them did.
    static func hour(of moment: Date, in zone: TimeZone) -> (number: Int, start: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let number = calendar.component(.hour, from: moment)
        let anHourAgo = moment.addingTimeInterval(-3_600)
        let first = calendar.component(.hour, from: anHourAgo) == number ? anHourAgo : moment
        return (number, calendar.dateInterval(of: .hour, for: first)?.start ?? first)
    }
}
