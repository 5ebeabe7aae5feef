package import Billing
import Postgres

extension MetricsReads {
    /// The subscriptions first paid for in each month of a question, and for how many periods; for every month.
    package func retention(_ question: MetricsQuery, app: App.ID) async throws -> [RetentionCohort] {
        let cells = try await counts(["started", "retained"], question, app: app)
        let cohorts = Dictionary(grouping: cells, by: \.month)
        return question.periods.map { month in
            let own = cohorts[month.first, default: []]
            var paid: [Int64] = []
            for cell in own where cell.measure == "retained" && cell.count != 0 {
                paid += Array(repeating: 0, count: max(0, cell.dimension + 1 - paid.count))
                paid[cell.dimension] += cell.count
            }
            let started = own.filter { $0.measure == "started" }.reduce(0) { $0 + $1.count }
            return RetentionCohort(month: month, subscriptions: started, paid: paid)
        }
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

    /// What customers brought in each month, in one currency.
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
                    net: net[month.first] ?? 0,
                    customers: customers.filter { $0.month <= month.first }.reduce(0) { $0 + $1.count },
                    payers: payers.filter { $0.month == month.first }.reduce(0) { $0 + $1.count }
                )
            },
            missingRates: missing
        )
    }

    /// What the customers first seen in each month have brought until now, in one currency.
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
                    net: net[cohort.month.first] ?? 0,
                    customers: cohort.customers,
                    payers: cohort.paid.last ?? 0
                )
            },
            missingRates: missing
        )
    }

    /// What a payer may bring in all, by the month before the one that a day lies in; nil when nobody paid in it.
    package func predictedValue(
        on day: BusinessDay,
        _ filter: MetricsFilter,
        in currency: Currency,
        app: App.ID
    ) async throws -> PredictedValue? {
        let month = ReportingPeriod(.month, containing: day).previous
        let question = MetricsQuery(filter: filter, from: month.first, through: month.last, grain: .month)
        async let subscribers = subscribers(question, app: app)
        let value = try await monthlyValue(question, in: currency, app: app).rows.first
        guard let count = try await subscribers.first, let perPayer = value?.perPayer else { return nil }
        return PredictedValue(
            month: month,
            perPayer: perPayer,
            subscribers: count.movement.start,
            lost: count.lost
        )
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
    ) async throws -> ([BusinessDay: Int64], missing: [Currency]) {
        let first = question.first.first
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
        let rows = try await reader.queryAddingUp(
            """
            WITH \(cells.converted(to: currency, by: .month, now: reader.now)), months AS (
                SELECT period AS month, dimension, sum(amount) AS amount, \(Self.missing) AS missing
                FROM cells
                GROUP BY 1, 2
            )
            SELECT \(month), \(Self.rounded("coalesce(sum(amount), 0)")), string_agg(missing, ' ')
            FROM months
            WHERE \(month) >= \(first)
            GROUP BY 1
            """
        )
        var (sums, missing): ([BusinessDay: Int64], Set<Substring>) = ([:], [])
        for row in rows {
            let (month, amount, codes) = try row.decode(BusinessDay.self, Int64.self, String?.self)
            sums[month] = amount
            missing.formUnion(codes.map { $0.split(separator: " ") } ?? [])
        }
        return (sums, try missing.sorted().map { try Currency(stored: String($0)) })
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
            from: question.first.first,
            through: question.last.last,
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
        question.first = ReportingPeriod(.month, containing: BusinessDay(number: 0))
        return question
    }

    /// The same with all that came after.
    fileprivate var untilNow: MetricsQuery {
        var question = self
        question.last = ReportingPeriod(.month, containing: BusinessDay(number: 100_000))
        return question
    }
}
