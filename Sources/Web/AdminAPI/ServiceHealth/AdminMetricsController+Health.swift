import APITypes
import Hummingbird
import Operations
import Storage

extension AdminMetricsController {
    /// `GET /admin/metrics/health`
    @Sendable func health(_ call: APIRequest) async throws -> Response {
        let question = try ListParameters(call.query, takes: ["span"])
        let span = try question.value("span", HealthSpan.init(rawValue:)) ?? .day
        let metrics = try await database.read { try await $0.health.metrics(span, in: call.zone, app: call.app) }
        let report = HealthReport(metrics, span, in: call.zone)
        return .json { report.write(to: &$0) }
    }
}
