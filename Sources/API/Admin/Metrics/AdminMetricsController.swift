import APITypes
package import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
package import Storage

/// Answers the metrics of one app as JSON, for programs.
package struct AdminMetricsController: Sendable {
    let backOffice: BackOffice

    package var database: Database { backOffice.database }

    package static let revenueByPeriod = APIOperation(
        "getRevenue",
        .metrics,
        "Revenue by period",
        query: [
            MetricsRange.grain, MetricsRange.from, MetricsRange.to, RevenueQuery.by,
            RevenueQuery.reportingParameter,
        ]
            + MetricsFilter.parameters,
        answer: .ok(RevenueReport.self, "A row for each period, part and currency with any revenue.")
    )

    /// `GET /admin/metrics/revenue`
    @Sendable package func revenue(_ call: APIRequest) async throws -> Response {
        let today = call.today(database.now)
        let question = try RevenueQuery(call.query, today: today)
        let answer = try await database.read { try await $0.metrics.revenue(question, app: call.app) }
        let report = RevenueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: answer.cells.map {
                RevenueReport.Row(
                    $0,
                    by: question.breakdown,
                    today: question.filter.runningDay(today: today)
                )
            },
            missingRates: answer.missingRates.map(\.code),
            unconverted: answer.unconverted.map(Unconverted.init(_:)),
            ordersWithoutAmount: answer.unpriced
        )
        return .json(report)
    }

    package static let orderStatistics = APIOperation(
        "getOrderStatistics",
        .metrics,
        "Orders and revenue of an app, in all and today",
        answer: .ok(OrderStatistics.self, "The metrics.")
    )

    /// `GET /admin/orders/stats`
    @Sendable package func orders(_ call: APIRequest) async throws -> Response {
        let today = call.today(database.now)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app)
        let everything = RevenueQuery(
            in: currency,
            from: BusinessDay(number: 0),
            through: today
        )
        let (all, day, waiting) = try await database.read { reader in
            async let all = reader.metrics.revenue(everything, app: call.app)
            async let day = reader.metrics.revenue(
                RevenueQuery(in: currency, from: today, through: today),
                app: call.app
            )
            async let waiting = reader.metrics.waitingRefunds(app: call.app)
            return (try await all, try await day, try await waiting)
        }
        let (total, now) = (all.sum, day.sum)
        func amount(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits: minorUnits, currency: currency)) }
        let statistics = OrderStatistics(
            totalOrders: total.orders,
            totalRevenue: amount(total.gross),
            todayOrders: now.orders,
            todayRevenue: amount(now.gross),
            pendingRefunds: waiting,
            totalRefunded: amount(total.refunds),
            refundRate: Double(total.cashRefundRate ?? 0) / 100,
            currency: currency.code,
            missingRates: all.missingRates.map(\.code),
            ordersWithoutAmount: all.unpriced
        )
        return .json(statistics)
    }

    package static let trend = APIOperation(
        "getRevenueTrend",
        .metrics,
        "Net revenue of the last twelve months",
        answer: .ok(RevenueTrend.self, "The months, newest first.")
    )

    /// `GET /admin/support/stats`
    @Sendable package func revenueTrend(_ call: APIRequest) async throws -> Response {
        let today = call.today(database.now)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app)
        let month = ReportingPeriod(.month, containing: today)
        let question = RevenueQuery(in: currency, from: month.earlier(by: 11).first, through: today)
        let answer = try await database.read { try await $0.metrics.revenue(question, app: call.app) }
        let net = Dictionary(answer.cells.map { ($0.period.whole, $0.revenue.net) }) { $0.plus($1) }
        let trend = RevenueTrend(
            revenueTrends: ReportingPeriod.all(from: month.earlier(by: 11), through: month).reversed().map { period in
                RevenueTrend.Month(
                    date: String(period.first.description.prefix(7)),
                    revenue: Amount(Money(minorUnits: net[period] ?? 0, currency: currency))
                )
            },
            currency: currency.code,
            missingRates: answer.missingRates.map(\.code),
            ordersWithoutAmount: answer.unpriced
        )
        return .json(trend)
    }
}

extension APIRequest {
    /// Returns the app's business day.
    fileprivate func today(_ now: Date) -> BusinessDay { BusinessDay(now, in: zone) }
}

extension RevenueQuery {
    /// Asks for all of production, by month, in one currency.
    fileprivate init(in currency: Currency, from: BusinessDay, through: BusinessDay) {
        self.init(filter: MetricsFilter(), from: from, through: through, grain: .month, reporting: currency)
    }

    fileprivate static let by = QueryParameter("by", RevenueCell.Breakdown.self, "Divides each period.")
    fileprivate static let reportingParameter = QueryParameter.currency(
        "in",
        "All amounts in this currency, each at the rate of its own day; without it each in its own."
    )

    /// Reads the parameters of a metric; names each mistake and guesses nothing.
    fileprivate init(_ query: URLEncoded, today: BusinessDay) throws(WebError) {
        let question = ListParameters(query)
        let filter = try MetricsFilter(question)
        let stretch = try MetricsRange(question, today: filter.lastDay(today: today))
        self.init(
            filter: filter,
            from: stretch.first,
            through: stretch.last,
            grain: stretch.grain,
            breakdown: try question.value(Self.by),
            reporting: try question.value(Self.reportingParameter)
        )
    }
}

extension RevenueAnswer {
    /// The sum of all cells; they have to be of one currency.
    package var sum: Revenue { cells.reduce(Revenue()) { $0 + $1.revenue } }
}
