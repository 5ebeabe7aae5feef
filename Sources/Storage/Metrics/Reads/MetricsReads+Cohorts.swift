package import Billing
import Postgres

extension MetricsReads {
    /// The subscriptions first paid for in each month of a question, and for how many periods; for every month.
    ///
    /// - Parameters:
    ///   - length: of one period.
    ///   - day: on which it is asked who could have paid.
    package func retention(
        _ question: MetricsQuery,
        every length: BillingPeriod,
        on day: BusinessDay,
        app: App.ID
    ) async throws -> [RetentionCohort] {
        async let eligible = eligible(question, every: length, on: day, app: app)
        let cells = try await counts(["started", "retained"], question, app: app)
        let cohorts = Dictionary(grouping: cells, by: \.month)
        let wholes = try await eligible
        return question.periods.map { month in
            let own = cohorts[month.first, default: []]
            var paid: [Int64] = []
            for cell in own where cell.measure == "retained" && cell.count != 0 {
                paid += Array(repeating: 0, count: max(0, cell.dimension + 1 - paid.count))
                paid[cell.dimension] += cell.count
            }
            let started = own.filter { $0.measure == "started" }.reduce(0) { $0 + $1.count }
            var cohort = RetentionCohort(
                month: month,
                subscriptions: started,
                paid: paid,
                eligible: wholes[month, default: [:]]
            )
            // Of a period that has come for nobody only those could pay who did.
            let begun = cohort.begun(on: day, every: length)
            for number in paid.indices where number >= begun { cohort.eligible[number] = paid[number] }
            return cohort
        }
    }

    /// Of periods that only some of a month's subscriptions can have begun by a day, how many of them could have paid.
    private func eligible(
        _ question: MetricsQuery,
        every length: BillingPeriod,
        on day: BusinessDay,
        app: App.ID
    ) async throws -> [ReportingPeriod: [Int: Int64]] {
        let steps = question.periods.map { ($0, RetentionCohort.partlyBegun($0, on: day, every: length)) }
            .filter { !$0.1.isEmpty }
        guard let first = steps.first else { return [:] }
        let places: (Query, (ReportingPeriod, Range<Int>)) -> Query = { conditions, step in
            let (month, numbers) = (step.0, step.1.map { $0 })
            return """
                \(conditions) OR day BETWEEN \(month.first) AND \(month.last) AND (measure = 'started'
                    OR dimension = ANY(\(numbers, as: Int16.self)::smallint[]))
                """
        }
        var cells = cells(["started", "retained"], question, days: .each, app: app)
        (cells.from, cells.through) = (first.0.first, steps.last?.0.last)
        cells.steps = " AND (\(steps.reduce("false", places)))"
        let rows = try await reader.queryAddingUp(
            "SELECT measure, day, dimension, sum(count)::bigint FROM (\(cells.query(now: reader.now))) cells GROUP BY 1, 2, 3"
        )
        let numbers = Dictionary(steps.map { ($0.0.first, $0) }) { first, _ in first }
        var eligible: [ReportingPeriod: [Int: Int64]] = [:]
        for row in rows {
            let (measure, start, dimension, count) = try row.decode(
                String.self,
                BusinessDay.self,
                Int16.self,
                Int64.self
            )
            guard let (month, partly) = numbers[ReportingPeriod(.month, containing: start).first] else { continue }
            for period in partly {
                let isDue = RetentionCohort.canHaveBegun(period, since: start, by: day, every: length)
                guard measure == "started" ? isDue : !isDue && Int(dimension) == period else { continue }
                eligible[month, default: [:]][period, default: 0] += count
            }
        }
        // Nobody's time has come, and nobody paid early.
        for (month, partly) in steps {
            for period in partly where eligible[month]?[period] == nil { eligible[month, default: [:]][period] = 0 }
        }
        return eligible
    }

    /// The customers first seen in each month, and how soon they paid; the filter is of what was paid for.
    package func conversion(_ question: MetricsQuery, app: App.ID) async throws -> [ConversionCohort] {
        async let seen = counts(["seen"], question.ofEverybody, app: app)
        let paid = Dictionary(grouping: try await counts(["converted"], question, app: app), by: \.month)
        let customers = Dictionary(try await seen.map { ($0.month, $0.count) }, uniquingKeysWith: +)
        return question.periods.map { month in
            let own = paid[month.first, default: []]
            return ConversionCohort(
                month: month,
                customers: customers[month.first] ?? 0,
                paid: (0...ConversionCohort.limits.count).map { limit in
                    own.filter { $0.dimension <= limit }.reduce(0) { $0 + $1.count }
                }
            )
        }
    }

    /// Revenue from customers in each month, in one currency.
    package func monthlyValue(
        _ question: MetricsQuery,
        in currency: Currency,
        app: App.ID
    ) async throws -> ConvertedMetrics<MonthlyValue> {
        async let seen = counts(["seen"], question.ofEverybody.sinceEver, app: app)
        async let paying = counts(["paying"], question, app: app)
        let (net, missing) = try await net(by: .day, question, in: currency, app: app)
        let (customers, payers) = (try await seen, try await paying)
        return ConvertedMetrics(
            currency: currency,
            rows: question.periods.map { month in
                MonthlyValue(
                    month: month,
                    exact: net[month.first] ?? ExactNet(),
                    customers: customers.filter { $0.month <= month.first }.reduce(0) { $0 + $1.count },
                    payers: payers.filter { $0.month == month.first }.reduce(0) { $0 + $1.count }
                )
            },
            missingRates: missing,
            unconverted: try await unconverted(by: .day, question, missing, in: currency, app: app),
            unpriced: try await unpriced(from: question.from, through: question.through, question.filter, app: app)
        )
    }

    /// Revenue to date from the customers first seen in each month, in one currency.
    package func lifetimeValue(
        _ question: MetricsQuery,
        in currency: Currency,
        app: App.ID
    ) async throws -> ConvertedMetrics<LifetimeValue> {
        async let conversion = conversion(question, app: app)
        let (net, missing) = try await net(by: .cohort, question.untilNow, in: currency, app: app)
        return ConvertedMetrics(
            currency: currency,
            rows: try await conversion.map { cohort in
                LifetimeValue(
                    month: cohort.month,
                    exact: net[cohort.month.first] ?? ExactNet(),
                    customers: cohort.customers,
                    payers: cohort.paid.last ?? 0
                )
            },
            missingRates: missing,
            unconverted: try await unconverted(by: .cohort, question, missing, in: currency, app: app),
            unpriced: try await unpriced(
                ofCustomersFrom: question.from,
                through: question.through,
                question.filter,
                app: app
            )
        )
    }

    /// Predicted lifetime value of a subscriber, from the month before that of a day; nil when nobody subscribed.
    package func predictedValue(
        on day: BusinessDay,
        _ filter: MetricsFilter,
        in currency: Currency,
        app: App.ID
    ) async throws -> PredictedValue? {
        let month = ReportingPeriod(.month, containing: day).previous
        var lengths: [PredictedValue.Length] = []
        for period in try await self.lengths(filter, app: app) {
            var ofLength = filter
            ofLength.period = period
            let question = MetricsQuery(filter: ofLength, monthsFrom: month.first, through: month.last)
            async let subscribers = subscribers(question, app: app)
            let recurring = try await recurringRevenue(question, in: currency, app: app).rows.first
            guard let count = try await subscribers.first, count.movement.start != 0 || count.movement.end != 0 else {
                continue
            }
            lengths.append(
                PredictedValue.Length(
                    period: period,
                    recurring: recurring?.movement.end ?? 0,
                    subscribers: count.movement.end,
                    start: count.movement.start,
                    lost: count.lost ?? 0
                )
            )
        }
        return lengths.isEmpty ? nil : PredictedValue(month: month, lengths: lengths)
    }

    /// The lengths of periods that an app's products are paid for, the shortest first.
    private func lengths(_ filter: MetricsFilter, app: App.ID) async throws -> [BillingPeriod] {
        if let period = filter.period { return [period] }
        return try await reader.query(
            """
            SELECT period_count, period_unit
            FROM products
            WHERE app_id = \(app) AND period_count IS NOT NULL
            GROUP BY 1, 2
            ORDER BY make_interval(years => CASE period_unit WHEN 'year' THEN period_count ELSE 0 END,
                months => CASE period_unit WHEN 'month' THEN period_count ELSE 0 END,
                weeks => CASE period_unit WHEN 'week' THEN period_count ELSE 0 END,
                days => CASE period_unit WHEN 'day' THEN period_count ELSE 0 END)
            """
        ).compactMap { row in
            let (count, unit) = try row.decode(Int32?.self, String?.self)
            return BillingPeriod(count: count, unit: unit)
        }
    }

    private struct Count {
        var measure: String
        /// Its first day.
        var month: BusinessDay
        var dimension: Int
        var count: Int64
    }

    /// Sums by month and step; what adds up to nothing is left out.
    private func counts(_ measures: [String], _ question: MetricsQuery, app: App.ID) async throws -> [Count] {
        let rows = try await reader.queryAddingUp(
            """
            SELECT measure, \(Self.period(.month)), dimension, sum(count)::bigint
            FROM (\(cells(measures, question, days: .months, app: app).query(now: reader.now))) cells
            GROUP BY 1, 2, 3
            HAVING sum(count) <> 0
            """
        )
        return try rows.map { row in
            let (measure, month, dimension, count) = try row.decode(
                String.self,
                BusinessDay.self,
                Int16.self,
                Int64.self
            )
            return Count(measure: measure, month: month, dimension: Int(dimension), count: count)
        }
    }

    /// The month that net revenue of customers is counted in.
    private enum NetMonth {
        /// That of the day.
        case day
        /// That in which the customers were first seen.
        case cohort
    }

    /// Net revenue of customers in one currency, at each day's rate, by the months from the question's first.
    private func net(
        by kind: NetMonth,
        _ question: MetricsQuery,
        in currency: Currency,
        app: App.ID
    ) async throws -> ([BusinessDay: ExactNet], missing: [Currency]) {
        let first = question.from
        let isOwn = try await reports(in: currency, app: app)
        // Most of earlier cohorts are left out by what is fast to say: so many months are at least 30 days each, less
        // two.
        let (month, young): (Query, Query) =
            switch kind {
            case .day: ("month", "")
            case .cohort:
                (
                    "(month - make_interval(months => dimension))::date",
                    isOwn ? "" : " AND dimension * 30 - 2 <= day - \(first)"
                )
            }
        var cells = cells(["cohort_net"], question, days: isOwn ? .months : .each, app: app)
        cells.steps = young
        let sum: Query = "coalesce(sum(amount), 0)"
        let rows = try await reader.queryAddingUp(
            """
            WITH \(cells.converted(to: currency, by: .month, now: reader.now)), months AS (
                SELECT period AS month, dimension, sum(amount) AS amount, \(Self.missing) AS missing
                FROM cells
                GROUP BY 1, 2
            )
            SELECT \(month), \(Self.rounded(sum)), \(Self.remainder(sum)), string_agg(missing, ' ')
            FROM months
            WHERE \(month) >= \(first)
            GROUP BY 1
            """
        )
        var (sums, missing): ([BusinessDay: ExactNet], Set<Substring>) = ([:], [])
        for row in rows {
            let (month, amount, remainder, codes) = try row.decode(
                BusinessDay.self,
                Int64.self,
                Int64.self,
                String?.self
            )
            sums[month] = ExactNet(minorUnits: amount, remainder: remainder)
            missing.formUnion(codes.map { $0.split(separator: " ") } ?? [])
        }
        return (sums, try missing.sorted().map { try Currency(stored: String($0)) })
    }

    /// The amounts that a query's net revenue lacks because a rate is missing; empty where none is.
    private func unconverted(
        by kind: NetMonth,
        _ question: MetricsQuery,
        _ missing: [Currency],
        in currency: Currency,
        app: App.ID
    ) async throws -> [Money] {
        guard !missing.isEmpty else { return [] }
        let asked = kind == .cohort ? question.untilNow : question
        var parts = cells(["cohort_net"], asked, days: .each, app: app)
        if kind == .cohort {
            let cohort: Query = "(date_trunc('month', day::timestamp) - make_interval(months => dimension))::date"
            parts.steps = " AND \(cohort) BETWEEN \(question.from) AND \(question.through)"
        }
        return try await unconverted(parts, in: currency)
    }

    private func cells(
        _ measures: [String],
        _ question: MetricsQuery,
        days: MetricsCells.Days,
        app: App.ID
    ) -> MetricsCells {
        MetricsCells(
            app: app,
            measures: measures,
            filter: question.filter,
            from: question.from,
            through: question.through,
            days: days
        )
    }
}

extension MetricsQuery {
    /// The same of all customers, whatever they bought.
    fileprivate var ofEverybody: MetricsQuery {
        var question = self
        question.filter = MetricsFilter(environment: filter.environment, asOf: filter.asOf)
        return question
    }

    /// The same with all that was before.
    fileprivate var sinceEver: MetricsQuery {
        var question = self
        question.from = ReportingPeriod(.month, containing: BusinessDay(number: 0)).first
        return question
    }

    /// The same with all that came after.
    fileprivate var untilNow: MetricsQuery {
        var question = self
        question.through = ReportingPeriod(.month, containing: BusinessDay(number: 100_000)).last
        return question
    }
}
