import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

extension AdminMetricsController {
    /// `GET /admin/metrics/retention`
    @Sendable func retention(_ call: APIRequest) async throws -> Response {
        var question = try CohortQuestion(call.query, today: today(call))
        let length = question.metrics.filter.period ?? .aMonth
        question.metrics.filter.period = length
        let metrics = question.metrics
        let cohorts = try await database.read { try await $0.metrics.retention(metrics, app: call.app) }
        let report = RetentionReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: metrics.filter.asOf?.description,
            period: length.description,
            rows: cohorts.map { RetentionReport.Row($0, every: length, on: question.day) }
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/conversion`
    @Sendable func conversion(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call))
        let cohorts = try await database.read { try await $0.metrics.conversion(question.metrics, app: call.app) }
        let report = ConversionReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.metrics.filter.asOf?.description,
            rows: cohorts.map { ConversionReport.Row($0, on: question.day) }
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/arpu`
    @Sendable func customerValue(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call), takesCurrency: true)
        let currency = try await currency(question, call)
        let value = try await database.read { reader in
            try await reader.metrics.monthlyValue(question.metrics, in: currency, app: call.app)
        }
        let report = CustomerValueReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            asOf: question.metrics.filter.asOf?.description,
            currency: currency.code,
            rows: value.rows.map { CustomerValueReport.Row($0, in: currency, today: question.day) },
            missingRates: value.missingRates.map(\.code)
        )
        return .json { report.write(to: &$0) }
    }

    /// `GET /admin/metrics/ltv`
    @Sendable func lifetimeValue(_ call: APIRequest) async throws -> Response {
        let question = try CohortQuestion(call.query, today: today(call), takesCurrency: true)
        let currency = try await currency(question, call)
        let (value, predicted) = try await database.read { reader in
            async let predicted = reader.metrics.predictedValue(
                on: question.day,
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
            missingRates: value.missingRates.map(\.code)
        )
        return .json { report.write(to: &$0) }
    }

    private func today(_ call: APIRequest) -> BusinessDay { BusinessDay(database.now, in: call.zone) }

    private func currency(_ question: CohortQuestion, _ call: APIRequest) async throws -> Currency {
        if let reporting = question.reporting { return reporting }
        return try await backOffice.apps.reportingCurrency(of: call.app)
    }
}

/// Which cohorts are asked for; periods are months.
private struct CohortQuestion {
    var metrics: MetricsQuery
    /// nil: the app's own.
    let reporting: Currency?
    /// The reference date for the age of the cohorts: today, or the day of the data.
    let day: BusinessDay

    private static let names: Set<String> = [
        "from", "to", "environment", "store", "plan", "product", "period", "country", "currency", "asOf",
    ]

    /// Each mistake is named, nothing is guessed.
    init(_ query: URLEncoded, today: BusinessDay, takesCurrency: Bool = false) throws(WebError) {
        let question = try ListParameters(query, takes: takesCurrency ? Self.names.union(["in"]) : Self.names)
        let filter = try MetricsFilter(question)
        day = filter.lastDay(today: today)
        let stretch = try MetricsRange(question, today: day)
        metrics = MetricsQuery(filter: filter, from: stretch.first, through: stretch.last, grain: .month)
        reporting = takesCurrency ? try question.value("in") { Currency($0) } : nil
    }
}

extension BillingPeriod {
    /// What cohorts are of when nobody says otherwise.
    static let aMonth = BillingPeriod(1, .month)
}
