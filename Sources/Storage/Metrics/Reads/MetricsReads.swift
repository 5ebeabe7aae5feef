package import Billing
package import Foundation
import Postgres

extension Reader {
    package var metrics: MetricsReads { MetricsReads(reader: self) }
}

/// The metrics, read from the rollups: what they cost does not grow with the ledger.
package struct MetricsReads: Sendable {
    let reader: Reader

    /// Revenue by period, part and currency. Periods and parts without any are left out.
    package func revenue(_ question: RevenueQuery, app: App.ID) async throws -> RevenueAnswer {
        async let fees = fees(of: app)
        async let unpriced = unpriced(from: question.from, through: question.through, question.filter, app: app)
        let isOwn = try await reports(in: question.reporting, app: app)
        let rows = try await reader.queryAddingUp(
            Self.revenue(question, isOwn: isOwn, app: app, now: reader.now)
        )
        var answer = try RevenueAnswer(rows, of: question, fees: try await fees)
        if let reporting = question.reporting, !answer.missingRates.isEmpty {
            answer.unconverted = try await unconverted(Self.money(of: question, app: app), in: reporting)
        }
        answer.unpriced = try await unpriced
        return answer
    }

    /// The amounts without a rate, by the currency of the charge: charges less refunds and credits.
    ///
    /// - Parameter cells: cells by the day.
    func unconverted(_ cells: MetricsCells, in reporting: Currency) async throws -> [Money] {
        try await reader.queryAddingUp(
            """
            WITH days AS MATERIALIZED (
                SELECT day, currency, sum(CASE WHEN measure IN ('refund', 'upgrade_credit') THEN -amount ELSE amount END) AS amount
                FROM (\(cells.query(now: reader.now))) cells
                GROUP BY 1, 2
            )
            SELECT currency, sum(amount)::bigint
            FROM days
            JOIN (\(Self.rates(of: "SELECT day, currency FROM days WHERE amount <> 0", in: reporting))) told
                USING (day, currency)
            WHERE times / divided IS NULL
            GROUP BY 1
            ORDER BY 1
            """
        ).map { row in
            let (currency, amount) = try row.decode(Currency.self, Int64.self)
            return Money(minorUnits: amount, currency: currency)
        }
    }

    /// Revenue of a stretch of days as one, by currency.
    package func total(_ question: RevenueQuery, app: App.ID) async throws -> [Currency: Revenue] {
        let answer = try await revenue(question, app: app)
        return Dictionary(answer.cells.map { ($0.currency, $0.revenue) }, uniquingKeysWith: +)
    }

    /// Orders and gross revenue of a business day until a moment of it, in one currency.
    ///
    /// Whole hours are read from the rollups, the rest of the last one from the ledger.
    package func dayUntil(_ moment: Date, zone: TimeZone, in currency: Currency, app: App.ID) async throws -> Revenue {
        let day = BusinessDay(moment, in: zone)
        let row = try await reader.queryAddingUp(
            Self.dayUntil(moment, of: day, zone: zone, in: currency, app: app)
        ).first
        var revenue = Revenue()
        if let (gross, orders) = try row?.decode(Int64.self, Int64.self) {
            (revenue.gross, revenue.charges) = (gross, Int(orders))
        }
        return revenue
    }

    /// The number of days after its end within which a trial converts.
    package func trialConversionDays(app: App.ID) async throws -> Int {
        let rows = try await reader.query("SELECT trial_conversion_days FROM apps WHERE id = \(app)")
        return try rows.first?.decode(0, as: Int.self) ?? MetricDefinitions.trialConversionDays
    }

    /// Refund requests that wait for a decision.
    package func waitingRefunds(app: App.ID) async throws -> Int {
        let rows = try await reader.query(
            "SELECT count(*) FROM refund_requests WHERE app_id = \(app) AND status = 'pending'"
        )
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }

    /// The options for an app's filters: its products, and the countries and currencies of its metrics.
    package func choices(app: App.ID) async throws -> MetricsOptions {
        async let products = reader.query(
            """
            SELECT p.store, p.store_product_id, p.name, plan.code, p.period_count, p.period_unit
            FROM products p
            JOIN plans plan ON plan.id = p.plan_id
            WHERE p.app_id = \(app)
            ORDER BY plan.rank, p.store, p.store_product_id
            """
        )
        async let countries = reader.query(Self.distinct("country", app: app))
        async let currencies = reader.query(Self.distinct("currency", app: app))
        return MetricsOptions(
            products: try await products.map(MetricsOptions.Product.init(row:)),
            countries: try await countries.map { try $0.decode(0, as: String.self) },
            currencies: try await currencies.map { try Currency(stored: $0.decode(0, as: String.self)) }
        )
    }

    /// True for the app's reporting currency, in which its months are kept; false for none.
    func reports(in currency: Currency?, app: App.ID) async throws -> Bool {
        guard let currency else { return false }
        let rows = try await reader.query("SELECT reporting_currency FROM apps WHERE id = \(app)")
        return try rows.first?.decode(0, as: String.self) == currency.code
    }

    private func fees(of app: App.ID) async throws -> [Store: StoreFee] {
        try StoreFee.byStore(try await reader.query(StoreFee.query(of: app)))
    }
}
