import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// The metrics of one app as JSON, for programs.
struct AdminMetricsController: Sendable {
    let backOffice: BackOffice

    var database: Database { backOffice.database }

    /// `GET /admin/metrics/revenue`
    @Sendable func revenue(_ call: APIRequest) async throws -> Response {
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
                    isDivided: question.breakdown != nil,
                    today: question.filter.lastDay(today: today)
                )
            },
            missingRates: answer.missingRates.map(\.code)
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/orders/stats`
    @Sendable func orders(_ call: APIRequest) async throws -> Response {
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
            missingRates: all.missingRates.map(\.code)
        )
        return .json { statistics.write(to: &$0) }
    }

    /// `GET /admin/support/stats`
    @Sendable func revenueTrend(_ call: APIRequest) async throws -> Response {
        let today = call.today(database.now)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app)
        let month = ReportingPeriod(.month, containing: today)
        let question = RevenueQuery(in: currency, from: month.earlier(by: 11).first, through: today)
        let answer = try await database.read { try await $0.metrics.revenue(question, app: call.app) }
        let net = Dictionary(answer.cells.map { ($0.period, $0.revenue.net) }) { $0.plus($1) }
        let trend = RevenueTrend(
            revenueTrends: ReportingPeriod.all(from: month.earlier(by: 11), through: month).reversed().map { period in
                RevenueTrend.Month(
                    date: String(period.first.description.prefix(7)),
                    revenue: Amount(Money(minorUnits: net[period] ?? 0, currency: currency))
                )
            },
            currency: currency.code,
            missingRates: answer.missingRates.map(\.code)
        )
        return .json { trend.write(to: &$0) }
    }
}

extension APIRequest {
    /// The app's business day.
    fileprivate func today(_ now: Date) -> BusinessDay { BusinessDay(now, in: zone) }
}

extension RevenueQuery {
    /// All of production, by month, in one currency.
    fileprivate init(in currency: Currency, from: BusinessDay, through: BusinessDay) {
        self.init(filter: MetricsFilter(), from: from, through: through, grain: .month, reporting: currency)
    }

    private static let names: Set<String> = [
        "grain", "from", "to", "by", "in", "environment", "store", "plan", "product", "period", "country", "currency",
        "asOf",
    ]

    /// The parameters of a metric; each mistake is named, nothing is guessed.
    fileprivate init(_ query: URLEncoded, today: BusinessDay) throws(WebError) {
        let question = try ListParameters(query, takes: Self.names)
        let filter = try MetricsFilter(question)
        let stretch = try MetricsRange(question, today: filter.lastDay(today: today))
        self.init(
            filter: filter,
            from: stretch.first,
            through: stretch.last,
            grain: stretch.grain,
            breakdown: try question.value("by", RevenueCell.Breakdown.init(rawValue:)),
            reporting: try question.value("in") { Currency($0) }
        )
    }
}

/// The days of a report and the length of its periods, as it was asked for: when nobody says otherwise until the last
/// day that its metrics know of.
struct MetricsRange {
    let grain: ReportingPeriod.Grain
    let first: BusinessDay
    /// Included.
    let last: BusinessDay

    init(_ question: ListParameters, today: BusinessDay) throws(WebError) {
        grain = try question.value("grain", ReportingPeriod.Grain.init(rawValue:)) ?? .month
        last = try question.day("to") ?? today
        let usual = ReportingPeriod(grain, containing: last).earlier(by: grain.usualCount - 1).first
        first = try question.day("from") ?? usual
        guard first <= last else {
            throw WebError(.invalid, "The first day is after the last.", field: "from")
        }
        guard last.number - first.number <= MetricDefinitions.longestReport else {
            throw WebError(.invalid, "A report has at most \(MetricDefinitions.longestReport) days.", field: "from")
        }
    }
}

extension MetricsFilter {
    init(_ question: ListParameters) throws(WebError) {
        self.init(
            environment: try question.value("environment") { StoreEnvironment(rawValue: $0.lowercased()) }
                ?? .production,
            store: try question.value("store") { Store(rawValue: $0.lowercased()) },
            plan: try question.value("plan", MetricsFilter.name),
            product: try question.value("product", MetricsFilter.name),
            period: try question.value("period") { BillingPeriod(iso8601: $0) },
            country: try question.value("country") { Self.isCountry($0) ? $0 : nil },
            currency: try question.value("currency") { Currency($0) },
            asOf: try question.day("asOf")
        )
    }

    private static func name(_ text: String) -> String? {
        text.isEmpty || text.unicodeScalars.count > 255 ? nil : text
    }

    /// As the stores name it; empty for charges that came without one.
    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count <= 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension RevenueAnswer {
    /// All cells as one; they have to be of one currency.
    var sum: Revenue { cells.reduce(Revenue()) { $0 + $1.revenue } }
}
