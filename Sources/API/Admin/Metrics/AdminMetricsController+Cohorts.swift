import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

extension AdminMetricsController {
    package static let retentionReport = APIOperation(
        "reportRetention",
        .metrics,
        "How long subscriptions are paid for",
        "By the month in which their first paid period began: how many paid for each period since.",
        query: CohortQuestion.months + MetricsFilter.parameters(period: CohortQuestion.firstPeriod),
        answer: .ok(RetentionReport.self, "The report.")
    )

    /// `GET /admin/metrics/retention`
    @Sendable package func retention(_ call: APIRequest) async throws -> Response {
        var question = try CohortQuestion(call.query, today: today(call))
        let length = question.metrics.filter.period ?? .aMonth
        question.metrics.filter.period = length
        let metrics = question.metrics
        let cohorts = try await database.read {
            try await $0.metrics.retention(metrics, every: length, on: question.day, app: call.app)
        }
        let report = RetentionReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: metrics.filter.asOf?.description,
            period: length.description,
            rows: cohorts.map { RetentionReport.Row($0, every: length, on: question.day, running: question.running) }
        )
        return .json(report)
    }

    package static let conversionReport = APIOperation(
        "reportConversion",
        .metrics,
        "How soon customers pay",
        "By the month in which they were first seen: how many paid within 7, 30 and 90 days, and ever. The filters are of what was paid for first.",
        query: CohortQuestion.months + MetricsFilter.parameters,
        answer: .ok(ConversionReport.self, "The report.")
    )

    /// `GET /admin/metrics/conversion`
    @Sendable package func conversion(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call))
        let cohorts = try await database.read { try await $0.metrics.conversion(question.metrics, app: call.app) }
        let report = ConversionReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.metrics.filter.asOf?.description,
            rows: cohorts.map { ConversionReport.Row($0, on: question.running) }
        )
        return .json(report)
    }

    package static let customerValueReport = APIOperation(
        "reportCustomerValue",
        .metrics,
        "Net revenue per customer and per payer, by month",
        "Customers are those seen until the end of the month; payers those who paid in it.",
        query: CohortQuestion.months + [CohortQuestion.reportingParameter] + MetricsFilter.parameters,
        answer: .ok(CustomerValueReport.self, "The report.")
    )

    /// `GET /admin/metrics/arpu`
    @Sendable package func customerValue(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call))
        let currency = try await currency(question, call)
        let value = try await database.read { reader in
            try await reader.metrics.monthlyValue(question.metrics, in: currency, app: call.app)
        }
        let report = CustomerValueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.metrics.filter.asOf?.description,
            currency: currency.code,
            rows: value.rows.map { CustomerValueReport.Row($0, in: currency, today: question.running) },
            missingRates: value.missingRates.map(\.code),
            unconverted: value.unconverted.map(Unconverted.init(_:)),
            ordersWithoutAmount: value.unpriced
        )
        return .json(report)
    }

    package static let lifetimeValueReport = APIOperation(
        "reportLifetimeValue",
        .metrics,
        "What customers have brought until now",
        "By the month in which they were first seen, with an estimate of what a payer brings in all.",
        query: CohortQuestion.months + [CohortQuestion.reportingParameter] + MetricsFilter.parameters,
        answer: .ok(LifetimeValueReport.self, "The report.")
    )

    /// `GET /admin/metrics/ltv`
    @Sendable package func lifetimeValue(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call))
        let currency = try await currency(question, call)
        let (value, predicted) = try await database.read { reader in
            async let predicted = reader.metrics.predictedValue(
                on: question.running,
                question.metrics.filter,
                in: currency,
                app: call.app
            )
            let value = try await reader.metrics.lifetimeValue(question.metrics, in: currency, app: call.app)
            return (value, try await predicted)
        }
        let report = LifetimeValueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.metrics.filter.asOf?.description,
            currency: currency.code,
            rows: value.rows.map { LifetimeValueReport.Row($0, in: currency) },
            predicted: predicted.map { LifetimeValueReport.Prediction($0, in: currency) },
            missingRates: value.missingRates.map(\.code),
            unconverted: value.unconverted.map(Unconverted.init(_:)),
            ordersWithoutAmount: value.unpriced
        )
        return .json(report)
    }

    private func today(_ call: APIRequest) -> BusinessDay { BusinessDay(database.now, in: call.zone) }

    private func currency(_ question: CohortQuestion, _ call: APIRequest) async throws -> Currency {
        if let reporting = question.reporting { return reporting }
        return try await backOffice.apps.reportingCurrency(of: call.app)
    }
}

/// A query for cohorts; periods are months.
private struct CohortQuestion {
    var metrics: MetricsQuery
    /// The currency of all amounts; nil for the app's reporting currency.
    let reporting: Currency?
    /// The reference date for the age of the cohorts: today, or the day of the data.
    let day: BusinessDay
    /// The day that is not over yet.
    let running: BusinessDay

    static let months: [any QueryParameterDescription] = [MetricsRange.firstMonth, MetricsRange.lastMonth]
    static let reportingParameter = QueryParameter.currency(
        "in",
        "The currency of all amounts; the app's reporting currency by default."
    )
    static let firstPeriod = MetricsFilter.periodParameter(
        "How long a period of the first product is, as ISO 8601 writes it: `P1M`, which is the default."
    )

    /// Reads the parameters; names each mistake and guesses nothing.
    init(_ query: URLEncoded, today: BusinessDay) throws(WebError) {
        let question = ListParameters(query)
        let filter = try MetricsFilter(question)
        (day, running) = (filter.lastDay(today: today), filter.runningDay(today: today))
        let stretch = try MetricsRange(question, today: day)
        metrics = MetricsQuery(filter: filter, monthsFrom: stretch.first, through: stretch.last)
        reporting = try question.value(Self.reportingParameter)
    }
}
