package import Billing
import Postgres

extension NumberReads {
    /// The subscriptions first paid for in each month of a question, and for how many periods; for every month.
    package func retention(_ question: NumbersQuestion, app: App.ID) async throws -> [RetentionCohort] {
        let cells = try await counts(["started", "retained"], question, app: app)
        let cohorts = Dictionary(grouping: cells, by: \.month)
        return question.periods.map { month in
            let own = cohorts[month.first, default: []]
            var paid: [Int64] = []
            for cell in own where cell.measure == "retained" && cell.count != 0 {
                paid += Array(repeating: 0, count: max(0, cell.step + 1 - paid.count))
                paid[cell.step] += cell.count
            }
            let started = own.filter { $0.measure == "started" }.reduce(0) { $0 + $1.count }
            return RetentionCohort(month: month, subscriptions: started, paid: paid)
        }
    }

    /// The customers first seen in each month, and how soon they paid; the filter is of what was paid for.
    package func conversion(_ question: NumbersQuestion, app: App.ID) async throws -> [ConversionCohort] {
        async let seen = counts(["seen"], question.ofEverybody, app: app)
        let paid = Dictionary(grouping: try await counts(["converted"], question, app: app), by: \.month)
        let customers = Dictionary(try await seen.map { ($0.month, $0.count) }, uniquingKeysWith: +)
        return question.periods.map { month in
            let own = paid[month.first, default: []]
            return ConversionCohort(
                month: month,
                customers: customers[month.first] ?? 0,
                paid: (0...ConversionCohort.limits.count).map { limit in
                    own.filter { $0.step <= limit }.reduce(0) { $0 + $1.count }
                }
            )
        }
    }

    /// What customers brought in each month, in one currency.
    package func monthlyValue(
        _ question: NumbersQuestion,
        in currency: Currency,
        app: App.ID
    ) async throws -> ConvertedNumbers<MonthlyValue> {
        async let net = net(by: [.day], question, in: currency, app: app)
        async let people = people(question, app: app)
        return Self.monthlyValue(question, try await net, try await people, in: currency)
    }

    /// What the customers first seen in each month have brought until now, in one currency.
    package func lifetimeValue(
        _ question: NumbersQuestion,
        in currency: Currency,
        app: App.ID
    ) async throws -> ConvertedNumbers<LifetimeValue> {
        async let net = net(by: [.cohort], question, in: currency, app: app)
        async let conversion = conversion(question, app: app)
        return Self.lifetimeValue(try await net, try await conversion, in: currency)
    }

    /// Both, of cells that are read once, and the conversion of the same cohorts.
    package func values(
        _ question: NumbersQuestion,
        in currency: Currency,
        app: App.ID
    ) async throws -> CohortValues {
        async let net = net(by: [.day, .cohort], question, in: currency, app: app)
        async let people = people(question, app: app)
        let conversion = try await conversion(question, app: app)
        return CohortValues(
            conversion: conversion,
            monthly: Self.monthlyValue(question, try await net, try await people, in: currency),
            lifetime: Self.lifetimeValue(try await net, conversion, in: currency)
        )
    }

    /// What a payer may bring in all, by the month before the one that a day lies in; nil when nobody paid in it.
    package func predictedValue(
        on day: BusinessDay,
        _ filter: NumbersFilter,
        in currency: Currency,
        app: App.ID
    ) async throws -> PredictedValue? {
        let month = ReportingPeriod(.month, containing: day).previous
        let question = NumbersQuestion(filter: filter, from: month.first, through: month.last, grain: .month)
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
        var step: Int
        var count: Int64
    }

    /// Sums by month and step; what adds up to nothing is left out.
    private func counts(_ measures: [String], _ question: NumbersQuestion, app: App.ID) async throws -> [Count] {
        let rows = try await reader.queryAddingUp(
            """
            SELECT measure, date_trunc('month', day)::date, step, sum(count)::bigint
            FROM (\(cells(measures, question, days: .months, app: app))) cells
            GROUP BY 1, 2, 3
            HAVING sum(count) <> 0
            """
        )
        return try rows.map { row in
            let (measure, month, step, count) = try row.decode(String.self, BusinessDay.self, Int16.self, Int64.self)
            return Count(measure: measure, month: month, step: Int(step), count: count)
        }
    }

    /// Who came in each month ever, and who paid in each of a question's.
    private func people(_ question: NumbersQuestion, app: App.ID) async throws -> (seen: [Count], paying: [Count]) {
        async let seen = counts(["seen"], question.ofEverybody.sinceEver, app: app)
        return (try await seen, try await counts(["paying"], question, app: app))
    }

    private static func monthlyValue(
        _ question: NumbersQuestion,
        _ net: Net,
        _ people: (seen: [Count], paying: [Count]),
        in currency: Currency
    ) -> ConvertedNumbers<MonthlyValue> {
        ConvertedNumbers(
            currency: currency,
            rows: question.periods.map { month in
                MonthlyValue(
                    month: month,
                    net: net.sums[.day]?[month.first] ?? 0,
                    customers: people.seen.filter { $0.month <= month.first }.reduce(0) { $0 + $1.count },
                    payers: people.paying.filter { $0.month == month.first }.reduce(0) { $0 + $1.count }
                )
            },
            missingRates: net.missingRates(by: .day)
        )
    }

    private static func lifetimeValue(
        _ net: Net,
        _ conversion: [ConversionCohort],
        in currency: Currency
    ) -> ConvertedNumbers<LifetimeValue> {
        ConvertedNumbers(
            currency: currency,
            rows: conversion.map { cohort in
                LifetimeValue(
                    month: cohort.month,
                    net: net.sums[.cohort]?[cohort.month.first] ?? 0,
                    customers: cohort.customers,
                    payers: cohort.paid.last ?? 0
                )
            },
            missingRates: net.missingRates(by: .cohort)
        )
    }

    /// By which month net revenue of customers is told.
    private enum NetMonth: String {
        /// That of the day; until the question's last.
        case day
        /// That in which the customers were first seen; until now.
        case cohort
    }

    /// Net revenue of customers in one currency.
    private struct Net {
        var sums: [NetMonth: [BusinessDay: Int64]] = [:]
        var missing: [NetMonth: Set<Currency>] = [:]

        func missingRates(by month: NetMonth) -> [Currency] { missing[month, default: []].sorted { $0.code < $1.code } }
    }

    /// Net revenue of customers in one currency, at each day's rate, by the months from the question's first.
    private func net(
        by months: Set<NetMonth>,
        _ question: NumbersQuestion,
        in currency: Currency,
        app: App.ID
    ) async throws -> Net {
        let (first, last) = (question.first.first, question.last.last)
        let ofCohorts = months.contains(.cohort)
        // Most of earlier cohorts are left out by what is fast to say: so many months are at least 30 days each, less two.
        let young: Query = months == [.cohort] ? " AND step * 30 - 2 <= day - \(first)" : ""
        let step: Query = ofCohorts ? "step" : "0::smallint"
        let parts = cells(
            ["cohort_net"],
            ofCohorts ? question.untilNow : question,
            days: .each,
            steps: young,
            app: app
        )
        let told = months.map { month -> Query in
            switch month {
            case .day: "SELECT 'day', month, amount, missing FROM months WHERE month <= \(last)"
            case .cohort:
                """
                SELECT 'cohort', cohort, amount, missing
                FROM (SELECT *, (month - make_interval(months => step))::date AS cohort FROM months) cohorts
                WHERE cohort >= \(first)
                """
            }
        }
        let rows = try await reader.queryAddingUp(
            """
            WITH cells AS MATERIALIZED (
                SELECT day, \(step) AS step, currency, sum(amount) AS amount
                FROM (\(parts)) parts
                GROUP BY 1, 2, 3
            ), rates AS MATERIALIZED (
                SELECT *, date_trunc('month', day::timestamp)::date AS month
                FROM (\(Self.rates(of: "SELECT DISTINCT day, currency FROM cells WHERE amount <> 0", in: currency))) rates
            ), months AS MATERIALIZED (
                SELECT month, step, sum(amount * times / divided) AS amount,
                    string_agg(currency, ' ') FILTER (WHERE amount <> 0 AND (times IS NULL OR divided IS NULL)) AS missing
                FROM cells
                JOIN rates USING (day, currency)
                GROUP BY 1, 2
            )
            SELECT kind, month, round(coalesce(sum(amount), 0))::bigint, string_agg(missing, ' ')
            FROM (\(told.dropFirst().reduce(told[0]) { "\($0) UNION ALL \($1)" }))
                AS told (kind, month, amount, missing)
            GROUP BY 1, 2
            """
        )
        var net = Net()
        for row in rows {
            let (kind, month, amount, codes) = try row.decode(String.self, BusinessDay.self, Int64.self, String?.self)
            guard let kind = NetMonth(rawValue: kind) else { continue }
            net.sums[kind, default: [:]][month] = amount
            for code in Set((codes ?? "").split(separator: " ")) {
                net.missing[kind, default: []].insert(try Currency(stored: String(code)))
            }
        }
        return net
    }

    private func cells(
        _ measures: [String],
        _ question: NumbersQuestion,
        days: NumberCells.Days,
        steps: Query = "",
        app: App.ID
    ) -> Query {
        NumberCells(
            app: app,
            measures: measures,
            filter: question.filter,
            from: question.first.first,
            through: question.last.last,
            days: days,
            steps: steps
        ).query(now: reader.now)
    }
}

extension NumbersQuestion {
    /// The same of all customers, whatever they bought.
    fileprivate var ofEverybody: NumbersQuestion {
        var question = self
        question.filter = NumbersFilter(environment: filter.environment, asOf: filter.asOf)
        return question
    }

    /// The same with all that was before.
    fileprivate var sinceEver: NumbersQuestion {
        var question = self
        question.first = ReportingPeriod(.month, containing: BusinessDay(number: 0))
        return question
    }

    /// The same with all that came after.
    fileprivate var untilNow: NumbersQuestion {
        var question = self
        question.last = ReportingPeriod(.month, containing: BusinessDay(number: 100_000))
        return question
    }
}
