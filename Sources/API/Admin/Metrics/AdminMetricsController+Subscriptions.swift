import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Storage

extension AdminMetricsController {
    package static let recurringRevenueReport = APIOperation(
        "reportRecurringRevenue",
        .metrics,
        "Monthly recurring revenue and how it moved",
        "By period and currency, or all currencies in one. The start and all movements are the end, to the cent, whatever the filter.",
        query: MetricsQuery.parameters + [MetricsQuery.reportingParameter],
        answer: .ok(RecurringRevenueReport.self, "The report.")
    )

    /// `GET /admin/metrics/mrr`
    @Sendable package func recurringRevenue(_ call: APIRequest) async throws -> Response {
        let today = BusinessDay(database.now, in: call.zone)
        let (question, reporting) = try MetricsQuery.converted(call.query, today: today)
        let revenue = try await database.read { reader in
            guard let reporting else {
                return ConvertedRevenue(
                    rows: try await reader.metrics.recurringRevenue(question, app: call.app),
                    unpriced: try await reader.metrics.unpriced(question, app: call.app)
                )
            }
            return try await reader.metrics.recurringRevenue(question, in: reporting, app: call.app)
        }
        let report = RecurringRevenueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: revenue.rows.map {
                RecurringRevenueReport.Row($0, today: question.filter.runningDay(today: today))
            },
            missingRates: revenue.missingRates.map(\.code),
            unconverted: revenue.unconverted.map(Unconverted.init(_:)),
            ordersWithoutAmount: revenue.unpriced
        )
        return .json(report)
    }

    package static let subscriberReport = APIOperation(
        "reportSubscribers",
        .metrics,
        "Customers with paid access, how they came and went, and churn",
        "By period.",
        query: MetricsQuery.parameters,
        answer: .ok(SubscriberReport.self, "The report.")
    )

    /// `GET /admin/metrics/subscribers`
    @Sendable package func subscribers(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.subscribers(question, app: call.app) }
        let report = SubscriberReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { SubscriberReport.Row($0, today: today) }
        )
        return .json(report)
    }

    package static let trialReport = APIOperation(
        "reportTrials",
        .metrics,
        "Free trials and what became of them",
        "By the period in which they began. Converted, pending and abandoned are all trials.",
        query: MetricsQuery.parameters,
        answer: .ok(TrialReport.self, "The report.")
    )

    /// `GET /admin/metrics/trials`
    @Sendable package func trials(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.trials(question, app: call.app) }
        let report = TrialReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { TrialReport.Row($0, today: today) }
        )
        return .json(report)
    }

    package static let accessReport = APIOperation(
        "reportAccess",
        .metrics,
        "Who gained and lost access",
        "By period: each change of what a customer may use, paid, in a trial, shared by family or granted.",
        query: MetricsQuery.parameters,
        answer: .ok(AccessReport.self, "The report.")
    )

    /// `GET /admin/metrics/access`
    @Sendable package func access(_ call: APIRequest) async throws -> Response {
        let (question, today) = try question(call)
        let rows = try await database.read { try await $0.metrics.access(question, app: call.app) }
        let report = AccessReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.filter.asOf?.description,
            rows: rows.map { AccessReport.Row($0, today: today) }
        )
        return .json(report)
    }

    package static let subscriptionStatistics = APIOperation(
        "getSubscriptionStatistics",
        .metrics,
        "Customers of an app by what they may use now",
        answer: .ok(SubscriptionStatistics.self, "The metrics.")
    )

    /// `GET /admin/subscriptions/stats/overview`
    @Sendable package func subscriptions(_ call: APIRequest) async throws -> Response {
        let snapshot = try await database.read { try await $0.metrics.customerSnapshot(app: call.app) }
        let statistics = SubscriptionStatistics(snapshot)
        return .json(statistics)
    }

    /// - Returns: the query, and the day that is not over yet.
    private func question(_ call: APIRequest) throws -> (MetricsQuery, today: BusinessDay) {
        let today = BusinessDay(database.now, in: call.zone)
        let question = try MetricsQuery(call.query, today: today)
        return (question, question.filter.runningDay(today: today))
    }
}

extension MetricsQuery {
    fileprivate static let parameters: [any QueryParameterDescription] =
        [MetricsRange.grain, MetricsRange.from, MetricsRange.to] + MetricsFilter.parameters
    fileprivate static let reportingParameter = QueryParameter.currency(
        "in",
        """
        All amounts in this currency, at the rate of one day: that as of which they are known, or today. Without it each in \
        its own.
        """
    )

    /// Reads the parameters of metrics of subscriptions; names each mistake and guesses nothing.
    fileprivate init(_ query: URLEncoded, today: BusinessDay) throws(WebError) {
        try self.init(ListParameters(query), today: today)
    }

    /// Reads the same parameters, and the currency of all amounts; nil for each in its own.
    fileprivate static func converted(
        _ query: URLEncoded,
        today: BusinessDay
    ) throws(WebError) -> (MetricsQuery, Currency?) {
        let question = ListParameters(query)
        return (try MetricsQuery(question, today: today), try question.value(reportingParameter))
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
