import APITypes
import Billing
import Foundation
import Hummingbird
import Storage

extension AdminMetricsController {
    /// `GET /admin/metrics/mrr`
    @Sendable func recurringRevenue(_ call: APIRequest) async throws -> Response {
        let today = BusinessDay(database.now, in: call.zone)
        let (question, reporting) = try MetricsQuery.converted(call.query, today: today)
        let revenue = try await database.read { reader in
            guard let reporting else {
                return ConvertedRevenue(rows: try await reader.metrics.recurringRevenue(question, app: call.app))
            }
            return try await reader.metrics.recurringRevenue(question, in: reporting, app: call.app)
        }
        let report = RecurringRevenueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: revenue.rows.map {
                RecurringRevenueReport.Row($0, today: question.filter.lastDay(today: today))
            },
            missingRates: revenue.missingRates.map(\.code)
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/subscribers`
    @Sendable func subscribers(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.subscribers(question, app: call.app) }
        let report = SubscriberReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { SubscriberReport.Row($0, today: today) }
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/trials`
    @Sendable func trials(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.trials(question, app: call.app) }
        let report = TrialReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { TrialReport.Row($0, today: today) }
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/access`
    @Sendable func access(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.access(question, app: call.app) }
        let report = AccessReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { AccessReport.Row($0, today: today) }
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/subscriptions/stats/overview`
    @Sendable func subscriptions(_ call: APIRequest) async throws -> Response {
        let snapshot = try await database.read { try await $0.metrics.customerSnapshot(app: call.app) }
        let statistics = SubscriptionStatistics(snapshot)
        return .json { statistics.write(to: &$0) }
    }

    /// - Returns: also the last day that the metrics know of.
    private func question(_ call: APIRequest) throws -> (MetricsQuery, today: BusinessDay) {
        let today = BusinessDay(database.now, in: call.zone)
        let question = try MetricsQuery(call.query, today: today)
        return (question, question.filter.lastDay(today: today))
    }
}

extension MetricsQuery {
    private static let names: Set<String> = [
        "grain", "from", "to", "environment", "store", "plan", "product", "period", "country", "currency", "asOf",
    ]

    /// The parameters of numbers of subscriptions; each mistake is named, nothing is guessed.
    fileprivate init(_ query: URLEncoded, today: BusinessDay) throws(WebError) {
        try self.init(ListParameters(query, takes: Self.names), today: today)
    }

    /// The same, and the currency that all amounts are asked in; nil for each in its own.
    fileprivate static func converted(
        _ query: URLEncoded,
        today: BusinessDay
    ) throws(WebError) -> (MetricsQuery, Currency?) {
        let question = try ListParameters(query, takes: names.union(["in"]))
        return (try MetricsQuery(question, today: today), try question.value("in") { Currency($0) })
    }

    private init(_ question: ListParameters, today: BusinessDay) throws(WebError) {
        let filter = try MetricsFilter(question)
        let stretch = try MetricsRange(question, today: filter.lastDay(today: today))
        self.init(
            filter: filter,
            from: stretch.first,
            through: stretch.last,
            grain: stretch.grain
        )
    }
}
