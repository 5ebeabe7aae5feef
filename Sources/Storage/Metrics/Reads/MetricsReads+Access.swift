package import Billing
import Postgres

/// The access changes of one period.
package struct AccessCount: Hashable, Sendable {
    package var period: ReportingPeriod
    private var counts: [AccessMovement: Int64]

    package init(period: ReportingPeriod, counts: [AccessMovement: Int64]) {
        (self.period, self.counts) = (period, counts)
    }

    package subscript(movement: AccessMovement) -> Int64 { counts[movement] ?? 0 }
}

extension MetricsReads {
    /// Gains and losses of access in every period.
    package func access(_ question: MetricsQuery, app: App.ID) async throws -> [AccessCount] {
        let grain = question.grain
        let cells = accessCells(
            question.filter,
            from: question.from,
            through: question.through,
            days: grain == .month ? .months : .each,
            app: app
        )
        let rows = try await reader.queryAddingUp(
            "SELECT \(Self.period(grain)), dimension, sum(count)::bigint FROM (\(cells)) cells GROUP BY 1, 2"
        )
        var counts: [BusinessDay: [AccessMovement: Int64]] = [:]
        for row in rows {
            let (day, dimension, count) = try row.decode(BusinessDay.self, Int16.self, Int64.self)
            guard let movement = AccessMovement(rawValue: Int(dimension)) else { continue }
            counts[day, default: [:]][movement] = count
        }
        return question.periods.map { AccessCount(period: $0, counts: counts[$0.whole.first] ?? [:]) }
    }

    /// Gains and losses of access in a range of days.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - through: nil for now.
    package func access(
        _ filter: MetricsFilter,
        from: BusinessDay?,
        through: BusinessDay?,
        app: App.ID
    ) async throws -> [AccessMovement: Int64] {
        let cells = accessCells(filter, from: from, through: through, days: .months, app: app)
        let rows = try await reader.queryAddingUp(
            "SELECT dimension, sum(count)::bigint FROM (\(cells)) cells GROUP BY 1"
        )
        var counts: [AccessMovement: Int64] = [:]
        for row in rows {
            let (dimension, count) = try row.decode(Int16.self, Int64.self)
            if let movement = AccessMovement(rawValue: Int(dimension)) { counts[movement] = count }
        }
        return counts
    }

    private func accessCells(
        _ filter: MetricsFilter,
        from: BusinessDay?,
        through: BusinessDay?,
        days: MetricsCells.Days,
        app: App.ID
    ) -> Query {
        MetricsCells(
            app: app,
            measures: ["access"],
            filter: filter,
            from: from,
            through: through,
            days: days,
            products: filter.isOfSomeProducts ? Self.held(filter, app: app) : nil
        ).query(now: reader.now)
    }

    /// The keys of what customers can have that a filter leaves: products, and plans that staff grant, which are of no store.
    static func held(_ filter: MetricsFilter, app: App.ID) -> Query {
        let isOfStores = filter.store != nil || filter.product != nil || filter.period != nil
        guard let plan = filter.plan, !isOfStores else { return products(filter, app: app) }
        return """
            \(products(filter, app: app)) UNION ALL SELECT given.id FROM plans given
            WHERE given.app_id = \(app) AND given.code = \(plan)
            """
    }
}
