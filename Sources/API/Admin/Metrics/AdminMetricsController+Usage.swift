import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

extension AdminMetricsController {
    package static let usageReport = APIOperation(
        "reportUsage",
        .metrics,
        "What customers used of each feature, by period",
        """
        Units are what each feature counts, so those of two features are not alike. All customers count, also who is only in the \
        sandbox; a reset takes nothing away.
        """,
        query: [MetricsRange.grain, MetricsRange.from, MetricsRange.to, featureParameter],
        answer: .ok(UsageReport.self, "The report.")
    )

    private static let featureParameter = QueryParameter.name(
        "feature",
        longest: 64,
        "Only of this feature, by its code."
    )

    /// `GET /admin/metrics/usage`
    @Sendable package func usage(_ call: APIRequest) async throws -> Response {
        let today = BusinessDay(database.now, in: call.zone)
        let parameters = ListParameters(call.query)
        let stretch = try MetricsRange(parameters, today: today)
        let question = UsageTotalsQuery(
            feature: try parameters.value(Self.featureParameter),
            from: stretch.first,
            through: stretch.last,
            grain: stretch.grain
        )
        let totals = try await database.read { try await $0.usage.totals(question, app: call.app) }
        let report = UsageReport(
            version: MetricDefinitions.version,
            timeZone: call.token.timeZone ?? call.zone.identifier,
            rows: totals.map { total in
                UsageReport.Row(
                    from: total.period.first.description,
                    to: total.period.last.description,
                    isPartial: total.period.isPartial(on: today),
                    feature: total.feature,
                    units: total.units,
                    offline: total.offline
                )
            }
        )
        return .json(report)
    }
}
