package import Billing
import Postgres

/// Monthly recurring revenue in one currency.
package struct ConvertedRevenue: Hashable, Sendable {
    /// One for each period.
    package var rows: [RecurringRevenue]
    /// Without repetitions, sorted. Their amounts are not in the rows: a missing rate is never taken as 1.
    package var missingRates: [Currency]

    package init(rows: [RecurringRevenue], missingRates: [Currency] = []) {
        self.rows = rows
        self.missingRates = missingRates
    }
}

extension MetricsReads {
    /// Monthly recurring revenue of all currencies in one, all of it at the rate of one day: of the day as of which it
    /// is known, or of today. So a rate that moves is no movement of the business.
    ///
    /// What each kind of movement comes to since the beginning is rounded, and a period has the difference between its
    /// end and its start: `start` and all movements are `end` to the cent, whichever periods are asked for.
    package func recurringRevenue(
        _ question: MetricsQuery,
        in reporting: Currency,
        app: App.ID
    ) async throws -> ConvertedRevenue {
        let grain = question.first.grain
        let rows = try await reader.queryAddingUp(
            converted(
                question.filter,
                through: question.last.last,
                days: MetricsCells.Days(of: grain, since: question.first.first),
                period: """
                    CASE WHEN day >= \(question.first.first) THEN \(Self.period(grain)) END
                    """,
                in: reporting,
                app: app
            )
        ).map(ConvertedCell.init(row:))
        let cells = rows.map { row in
            Cell(
                measure: .mrr,
                currency: reporting.code,
                period: row.day.map { ReportingPeriod(grain, containing: $0) },
                dimension: row.dimension,
                sum: row.amount
            )
        }
        return ConvertedRevenue(
            rows: Self.movements(cells, question).map {
                RecurringRevenue(period: $0, currency: reporting, movement: $1)
            },
            missingRates: try rows.missingRates
        )
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
        let known: Query =
            filter.asOf.map { "\($0)::date" }
            ?? "(SELECT (\(reader.now)::timestamptz AT TIME ZONE time_zone)::date FROM apps WHERE id = \(app))"
        return """
            WITH cells AS MATERIALIZED (
                SELECT \(period) AS period, dimension, currency, sum(amount) AS amount
                FROM (\(cells.query(now: reader.now))) parts
                GROUP BY 1, 2, 3
            ), rates AS MATERIALIZED (
                SELECT currency,
                    CASE currency WHEN \(reporting.code) THEN 1
                    ELSE euro_rate(\(reporting.code), \(known))
                        * 10::numeric ^ (minor_digits(\(reporting.code)) - minor_digits(currency))
                        / euro_rate(currency, \(known)) END AS rate
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

/// What a kind of movement comes to in a period, in one currency.
struct ConvertedCell {
    /// The period's first; nil before the first of all.
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
