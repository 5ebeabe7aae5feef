import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The page about how well the service itself works. (What the operator's monitoring asks is `HealthController`'s.)
package struct ServiceHealthController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/health`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (view, call) = try call.reading(HealthView.self)
        let metrics = try await database.read {
            try await $0.health.metrics(view.span, in: call.zone, app: call.app.id)
        }
        let alarm = try? await database.workStatus(timeout: .seconds(1)).alarm
        return .page(
            ServiceHealthPage(metrics: metrics, alarm: alarm, view: view, viewer: call.viewer, now: database.now)
        )
    }

    /// `GET /dashboard/health/table.csv`: the numbers of a chart, or of the routes, as a file.
    @Sendable package func file(_ call: StaffRequest) async throws -> Response {
        let (view, named) = try call.readingWhole(HealthView.self, table: HealthTable.init(name:))
        let table = named ?? .routes
        let metrics = try await database.read {
            try await $0.health.metrics(view.span, in: call.zone, app: call.app.id)
        }
        let file =
            switch table {
            case .history(let metric): HealthCSV.file(of: metric, metrics, view.span, in: call.viewer.zone)
            case .routes: HealthCSV.file(of: metrics.routes(view.order))
            }
        let name = "health-\(table.name)"
        let filter = String(view.path.dropFirst(DashboardPath.serviceHealth.count))
        try await backOffice.recordExport(
            of: name,
            filter: filter,
            rows: file.rows,
            isComplete: true,
            app: call.app.id,
            caller: call.caller
        )
        return .csv(file.bytes, named: ExportName.file(of: name, filter: filter, at: database.now))
    }
}
