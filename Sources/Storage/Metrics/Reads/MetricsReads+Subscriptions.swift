package import Billing
import Postgres

extension MetricsReads {
    /// Monthly recurring revenue by period and currency, in this order; for each currency that there ever was any in, every period.
    package func recurringRevenue(_ question: MetricsQuery, app: App.ID) async throws -> [RecurringRevenue] {
        let cells = try await cells(of: [.mrr], question, app: app, sum: "amount")
        let byCurrency = Dictionary(grouping: cells, by: \.currency)
        return try byCurrency.sorted { $0.key < $1.key }.flatMap { code, cells in
            let currency = try Currency(stored: code)
            return Self.movements(cells, question).map {
                RecurringRevenue(period: $0, currency: currency, movement: $1)
            }
        }.sorted { ($0.period, $0.currency.code) < ($1.period, $1.currency.code) }
    }

    /// The customers with paid access, for every period.
    package func subscribers(_ question: MetricsQuery, app: App.ID) async throws -> [SubscriberCount] {
        let cells = try await cells(
            of: [.subscriber, .lost],
            question,
            app: app,
            sum: "count",
            steps: " AND (measure <> 'lost' OR dimension = \(question.grain.lostDimension, as: Int16.self))"
        )
        let lost = Dictionary(
            cells.filter { $0.measure == .lost }.map { ($0.period, $0.sum) },
            uniquingKeysWith: { $0.plus($1) }
        )
        return Self.movements(cells.filter { $0.measure == .subscriber }, question).map { period, movement in
            SubscriberCount(period: period, movement: movement, lost: period.isCut ? nil : lost[period] ?? 0)
        }
    }

    /// Free trials by the period they began in, for every period.
    package func trials(_ question: MetricsQuery, app: App.ID) async throws -> [TrialCount] {
        let cells = try await cells(
            of: [.trial, .trialConverted, .trialAbandoned],
            question,
            app: app,
            sum: "count"
        )
        return question.periods.map { period in
            func sum(_ measure: MetricsEntry.Measure) -> Int64 {
                cells.filter { $0.period == period && $0.measure == measure }.map(\.sum).boundedSum
            }
            return TrialCount(
                period: period,
                trials: sum(.trial),
                converted: sum(.trialConverted),
                abandoned: sum(.trialAbandoned)
            )
        }
    }

    struct Cell {
        var measure: MetricsEntry.Measure
        var currency: String
        /// nil: before the first period that is asked for.
        var period: ReportingPeriod?
        var dimension: Int
        var sum: Int64
    }

    private func cells(
        of measures: [MetricsEntry.Measure],
        _ question: MetricsQuery,
        app: App.ID,
        sum: Query,
        steps: Query = ""
    ) async throws -> [Cell] {
        let grain = question.grain
        let cells = MetricsCells(
            app: app,
            measures: measures.map(\.rawValue),
            filter: question.filter,
            through: question.through,
            days: question.days,
            steps: steps
        )
        let rows = try await reader.queryAddingUp(
            """
            SELECT measure, currency,
                CASE WHEN day >= \(question.from) THEN \(Self.period(grain)) END, dimension,
                sum(\(sum))::bigint
            FROM (\(cells.query(now: reader.now))) cells
            GROUP BY 1, 2, 3, 4
            """
        )
        return try rows.compactMap { row in
            let (name, currency, day, dimension, sum) = try row.decode(
                String.self,
                String.self,
                BusinessDay?.self,
                Int16.self,
                Int64.self
            )
            guard let measure = MetricsEntry.Measure(rawValue: name) else { return nil }
            let period = day.map(question.period(containing:))
            return Cell(measure: measure, currency: currency, period: period, dimension: Int(dimension), sum: sum)
        }
    }

    /// From period to period, each beginning where the one before ended.
    static func movements(_ cells: [Cell], _ question: MetricsQuery) -> [(ReportingPeriod, Movement)] {
        let cellsByPeriod = Dictionary(grouping: cells, by: \.period)
        var start = cellsByPeriod[nil, default: []].map(\.sum).boundedSum
        return question.periods.map { period in
            var movement = Movement(start: start)
            for cell in cellsByPeriod[period, default: []] {
                if let kind = MovementClass(rawValue: cell.dimension) { movement.add(cell.sum, kind) }
            }
            start = movement.end
            return (period, movement)
        }
    }
}

extension ReportingPeriod.Grain {
    /// Under which step losses of such periods are kept.
    var lostDimension: Int {
        switch self {
        case .day: 1
        case .week: 2
        case .month: 3
        }
    }
}
