package import Billing
import Postgres

/// Monthly recurring revenue in one currency.
package struct ConvertedRevenue: Hashable, Sendable {
    /// One for each period.
    package var rows: [RecurringRevenue]
    /// Without repetitions, sorted. Their amounts are not in the rows: a missing rate is never taken as 1.
    package var missingRates: [Currency]
    /// The amounts that the last row's end lacks because their currency has no rate, in the currencies that were charged.
    package var unconverted: [Money]

    /// Running periods whose price is unknown; the last row's end lacks them.
    package var unpriced: Int

    package init(
        rows: [RecurringRevenue],
        missingRates: [Currency] = [],
        unconverted: [Money] = [],
        unpriced: Int = 0
    ) {
        self.unpriced = unpriced
        self.rows = rows
        self.missingRates = missingRates
        self.unconverted = unconverted
    }
}

extension MetricsReads {
    /// Monthly recurring revenue of all currencies in one, all at the rate of one day: the day as of which it is known, or today. So
    /// a change of rates is no movement of the business.
    ///
    /// The sum of each kind of movement since the beginning is rounded, and a period gets the difference between its end and its
    /// start: `start` plus all movements is `end` to the cent, for whatever periods.
    package func recurringRevenue(
        _ question: MetricsQuery,
        in reporting: Currency,
        app: App.ID
    ) async throws -> ConvertedRevenue {
        let grain = question.grain
        let rows = try await reader.queryAddingUp(
            converted(
                question.filter,
                through: question.through,
                days: question.days,
                period: """
                    CASE WHEN day >= \(question.from) THEN \(Self.period(grain)) END
                    """,
                in: reporting,
                app: app
            )
        ).map(ConvertedCell.init(row:))
        let cells = rows.map { row in
            Cell(
                measure: .mrr,
                currency: reporting.code,
                period: row.day.map(question.period(containing:)),
                dimension: row.dimension,
                sum: row.amount
            )
        }
        let missing = try rows.missingRates
        return ConvertedRevenue(
            rows: Self.movements(cells, question).map {
                RecurringRevenue(period: $0, currency: reporting, movement: $1)
            },
            missingRates: missing,
            unconverted: missing.isEmpty ? [] : try await ends(of: question, in: missing, app: app),
            unpriced: try await unpriced(question, app: app)
        )
    }

    /// Periods whose price is not known that run at the end of the last period.
    package func unpriced(_ question: MetricsQuery, app: App.ID) async throws -> Int {
        try await unpriced(runningOn: question.through, question.filter, app: app)
    }

    /// Monthly recurring revenue at the end of the last period in some currencies, each in its own.
    func ends(of question: MetricsQuery, in currencies: [Currency], app: App.ID) async throws -> [Money] {
        var last = question
        last.from = question.periods.last?.first ?? question.from
        return try await recurringRevenue(last, app: app)
            .filter { currencies.contains($0.currency) && $0.movement.end != 0 }
            .map { Money(minorUnits: $0.movement.end, currency: $0.currency) }
    }

    /// By period and kind of movement, as `ConvertedCell` reads them.
    ///
    /// - Parameter period: of a day; NULL before the first.
    func converted(
        _ filter: MetricsFilter,
        through last: BusinessDay,
        days: MetricsCells.Days,
        period: Query,
        in reporting: Currency,
        app: App.ID
    ) -> Query {
        let cells = MetricsCells(app: app, measures: ["mrr"], filter: filter, through: last, days: days)
        return """
            WITH cells AS MATERIALIZED (
                SELECT \(period) AS period, dimension, currency, sum(amount) AS amount
                FROM (\(cells.query(now: reader.now))) parts
                GROUP BY 1, 2, 3
            ), rates AS MATERIALIZED (
                SELECT currency, \(recurringRate(filter, in: reporting, app: app)) AS rate
                FROM (SELECT DISTINCT currency FROM cells) needed
            ), exact AS (
                SELECT period, dimension, coalesce(sum(amount * rate), 0) AS amount,
                    array_agg(DISTINCT currency) FILTER (WHERE rate IS NULL AND amount <> 0) AS missing
                FROM cells
                JOIN rates USING (currency)
                GROUP BY 1, 2
            ), running AS (
                SELECT period, dimension, missing,
                    round(sum(amount) OVER (PARTITION BY dimension ORDER BY period NULLS FIRST)) AS reached
                FROM exact
            )
            SELECT period, dimension,
                (reached - lag(reached, 1, 0) OVER (PARTITION BY dimension ORDER BY period NULLS FIRST))::bigint, missing
            FROM running
            """
    }
}

extension MetricsReads {
    /// The factor that converts a minor unit of each currency that ever had monthly recurring revenue; without currencies that have
    /// no rate.
    func recurringRates(_ filter: MetricsFilter, in reporting: Currency, app: App.ID) async throws -> [Currency: String]
    {
        let rows = try await reader.query(
            """
            SELECT currency, (\(recurringRate(filter, in: reporting, app: app)))::text
            FROM (
                SELECT DISTINCT currency FROM rollup_months WHERE app_id = \(app) AND measure = 'mrr'
                UNION
                SELECT DISTINCT currency FROM rollup_entries WHERE app_id = \(app) AND measure = 'mrr'
            ) charged
            """
        )
        return try Dictionary(
            rows.compactMap { row in
                let (currency, rate) = try row.decode(Currency.self, String?.self)
                return rate.map { (currency, $0) }
            }
        ) { first, _ in first }
    }

    /// Of a `currency`, at the rate of the day as of which metrics are known.
    private func recurringRate(_ filter: MetricsFilter, in reporting: Currency, app: App.ID) -> Query {
        let known: Query =
            filter.asOf.map { "\($0)::date" }
            ?? "(SELECT (\(reader.now)::timestamptz AT TIME ZONE time_zone)::date FROM apps WHERE id = \(app))"
        return """
            CASE currency WHEN \(reporting.code) THEN 1
            ELSE euro_rate(\(reporting.code), \(known))
                * 10::numeric ^ (minor_digits(\(reporting.code)) - minor_digits(currency))
                / euro_rate(currency, \(known)) END
            """
    }
}

/// The sum of one kind of movement in a period, in one currency.
struct ConvertedCell {
    /// The period's first day; nil before the first period.
    var day: BusinessDay?
    /// The kind, as `MovementClass` numbers it.
    var dimension: Int
    /// Minor units.
    var amount: Int64
    /// Currencies without a rate; their amounts are left out.
    var missing: [String]?

    init(row: Row) throws {
        (day, dimension, amount, missing) = try row.decode(BusinessDay?.self, Int.self, Int64.self, [String]?.self)
    }
}

extension [ConvertedCell] {
    /// Without repetitions, sorted.
    var missingRates: [Currency] {
        get throws {
            try Set(flatMap { $0.missing ?? [] }).sorted().map { try Currency(stored: $0) }
        }
    }
}
