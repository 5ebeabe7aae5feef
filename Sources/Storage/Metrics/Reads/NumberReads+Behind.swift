package import Billing
import Postgres

extension NumberReads {
    /// What the rows behind a figure add up to, read as the figure itself is read.
    package func sums(behind filter: SubscriberRowsFilter, app: App.ID) async throws -> SubscriberSums {
        var sums = SubscriberSums()
        let figure = filter.figure
        let rows = try await reader.queryAddingUp(cells(behind: filter, app: app))
        if figure.isMoney {
            sums.amounts = try rows.map { row in
                Money(minorUnits: try row.decode(1), currency: try Currency(stored: row.decode(0, as: String.self)))
            }.filter { $0.minorUnits != 0 }.sorted { $0.minorUnits.magnitude > $1.minorUnits.magnitude }
        } else {
            sums.count = try rows.map { try $0.decode(1, as: Int64.self) }.boundedSum
        }
        if figure.isMoney, let reporting = filter.reporting {
            let converted = try await reader.queryAddingUp(
                converted(
                    filter.numbers,
                    through: filter.to ?? Self.lastDay,
                    days: filter.from.map { .since($0) } ?? .months,
                    period: filter.from.map { "CASE WHEN day >= \($0) THEN \($0)::date END" } ?? "'-infinity'::date",
                    in: reporting,
                    app: app
                )
            )
            let counted = try converted.filter { try isCounted($0, in: filter) }
            sums.converted = Money(
                minorUnits: try counted.map { try $0.decode(2, as: Int64.self) }.boundedSum,
                currency: reporting
            )
            sums.missingRates = try Self.missingRates(converted)
        }
        if figure == .lost, let from = filter.from {
            var start = filter
            (start.figure, start.to) = (.active, from.advanced(by: -1))
            sums.start = try await self.sums(behind: start, app: app).count
        }
        return sums
    }

    private static let lastDay = BusinessDay(number: 2_932_896)

    private func isCounted(_ row: Row, in filter: SubscriberRowsFilter) throws -> Bool {
        if filter.figure.isStanding { return true }
        let isBefore = try filter.from != nil && row.decode(0, as: BusinessDay?.self) == nil
        let step = try row.decode(1, as: Int.self)
        return !isBefore && (filter.movement.map { $0.rawValue == step } ?? true)
    }

    /// By currency.
    private func cells(behind filter: SubscriberRowsFilter, app: App.ID) -> Query {
        let figure = filter.figure
        let value: Query =
            switch figure {
            case .mrr, .movements: "amount"
            case .active, .changes, .lost, .trials, .converted, .abandoned: "count"
            case .pending: "CASE measure WHEN 'trial' THEN count ELSE -count END"
            }
        var step: Query = ""
        if figure == .lost { step = " AND step = \(filter.grain.lostStep, as: Int16.self)" }
        if figure.hasMovements, let movement = filter.movement {
            step = " AND step = \(movement.rawValue, as: Int16.self)"
        }
        let cells = NumberCells(
            app: app,
            measures: figure.measures.map(\.rawValue),
            filter: filter.numbers,
            from: figure.isStanding ? nil : filter.from,
            through: filter.to,
            days: .months,
            steps: step
        )
        return """
            SELECT currency, sum(\(value))::bigint
            FROM (\(cells.query(now: reader.now))) cells
            GROUP BY currency
            """
    }
}
