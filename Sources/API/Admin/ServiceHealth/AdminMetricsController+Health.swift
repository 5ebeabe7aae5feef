import APITypes
package import HTTP
package import Hummingbird
import Operations
import Storage

extension AdminMetricsController {
    package static let healthReport = APIOperation(
        "reportHealth",
        .metrics,
        "How well the service itself works",
        """
        Each technical metric with its target and its history, and how long answers took by route. Of the whole \
        installation, but for payments and failed notifications, which are the app's.
        """,
        query: [span],
        answer: .ok(HealthReport.self, "The report.")
    )

    private static let span = QueryParameter(
        "span",
        HealthSpan.self,
        """
        The last 24 hours by the hour, or the last 7 or 30 days by the day. Payments are always by the day: a `day` has \
        yesterday and today.
        """,
        preset: .day
    )

    /// `GET /admin/metrics/health`
    @Sendable package func health(_ call: APIRequest) async throws -> Response {
        let span = try ListParameters(call.query).value(Self.span) ?? .day
        let metrics = try await database.read { try await $0.health.metrics(span, in: call.zone, app: call.app) }
        let report = HealthReport(metrics, span, in: call.zone)
        return .json(report)
    }
}
