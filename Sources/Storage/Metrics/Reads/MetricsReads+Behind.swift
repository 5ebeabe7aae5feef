package import Billing
import Postgres

extension MetricsReads {
    /// The totals of the rows behind a metric, read in the same way as the metric.
    ///
    /// - Parameter reporting: the currency of the converted total.
    package func sums(
        behind filter: SubscriberRowsFilter,
        in reporting: Currency,
        app: App.ID
    ) async throws -> SubscriberSums {
        var sums = SubscriberSums()
        let metric = filter.metric
        let rows = try await reader.queryAddingUp(cells(behind: filter, app: app))
        if metric.isMoney {
            sums.amounts = try rows.map { row in
                let (currency, amount) = try row.decode(Currency.self, Int64.self)
                return Money(minorUnits: amount, currency: currency)
            }.filter { $0.minorUnits != 0 }.sorted { $0.minorUnits.magnitude > $1.minorUnits.magnitude }
        } else {
            sums.count = try rows.map { try $0.decode(String?.self, Int64.self).1 }.boundedSum
        }
        if metric.isMoney {
            let converted = try await reader.queryAddingUp(
                converted(
                    filter.metrics,
                    through: filter.to ?? Self.lastDay,
                    days: filter.from.map { .since($0) } ?? .months,
                    period: filter.from.map { "CASE WHEN day >= \($0) THEN \($0)::date END" } ?? "NULL::date",
                    in: reporting,
                    app: app
                )
            ).map(ConvertedCell.init(row:))
            let counted = converted.filter { isCounted($0, in: filter) }
            sums.converted = Money(minorUnits: counted.map(\.amount).boundedSum, currency: reporting)
            let missing = try converted.missingRates
            sums.unconverted = sums.amounts.filter { missing.contains($0.currency) }
            sums.unpriced = try await unpriced(runningOn: filter.to ?? Self.lastDay, filter.metrics, app: app)
        }
        if metric == .lost, let from = filter.from {
            var start = filter
            (start.metric, start.to) = (.active, from.advanced(by: -1))
            sums.start = try await self.sums(behind: start, in: reporting, app: app).count
        }
        return sums
    }

    private static let lastDay = BusinessDay(number: 2_932_896)

    private func isCounted(_ cell: ConvertedCell, in filter: SubscriberRowsFilter) -> Bool {
        if filter.metric.isSnapshot { return true }
        let isBefore = filter.from != nil && cell.day == nil
        return !isBefore && (filter.movement.map { $0.rawValue == cell.dimension } ?? true)
    }

    /// By currency.
    private func cells(behind filter: SubscriberRowsFilter, app: App.ID) -> Query {
        let metric = filter.metric
        let value: Query =
            switch metric {
            case .mrr, .movements: "amount"
            case .active, .changes, .lost, .trials, .converted, .abandoned: "count"
            case .pending: "CASE measure WHEN 'trial' THEN count ELSE -count END"
            }
        var dimension: Query = ""
        if metric == .lost { dimension = " AND dimension = \(filter.grain.lostDimension, as: Int16.self)" }
        if metric.hasMovements, let movement = filter.movement {
            dimension = " AND dimension = \(movement.rawValue, as: Int16.self)"
        }
        let cells = MetricsCells(
            app: app,
            measures: metric.measures.map(\.rawValue),
            filter: filter.metrics,
            from: metric.isSnapshot ? nil : filter.from,
            through: filter.to,
            days: .months,
            steps: dimension
        )
        return """
            SELECT currency, sum(\(value))::bigint
            FROM (\(cells.query(now: reader.now))) cells
            GROUP BY currency
            """
    }
}
