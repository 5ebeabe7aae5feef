import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about what was used of each feature, and who is near a limit.
package struct UsageMetricsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/usage`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (view, call) = try call.reading(UsageView.self)
        let now = database.now
        let today = BusinessDay(now, in: call.zone)
        let metrics = try await database.read { reader in
            try await UsageMetrics(view, of: call.app.id, today: today, reader)
        }
        return .page(UsagePage(metrics: metrics, viewer: call.viewer, now: now))
    }

    /// `GET /dashboard/near-limits`
    @Sendable package func nearLimits(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(NearLimitFilter.self)
        let (list, features) = try await database.read { reader in
            async let features = reader.usage.features(of: call.app.id)
            let list = try await reader.usage.nearLimits(
                filter,
                app: call.app.id,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData
            )
            return (list, try await features)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            NearLimitIndexPage(
                list: list,
                features: features,
                filter: filter,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/usage/table.csv`: the numbers of the chart as a file.
    @Sendable package func file(_ call: StaffRequest) async throws -> Response {
        let view = try call.readingWhole(UsageView.self)
        let today = BusinessDay(database.now, in: call.zone)
        let metrics = try await database.read { reader in
            try await UsageMetrics(view, of: call.app.id, today: today, isChart: false, reader)
        }
        let filter = String(view.path.dropFirst(DashboardPath.usage.count))
        try await backOffice.recordExport(
            of: "usage",
            filter: filter,
            rows: metrics.totals.count,
            isComplete: true,
            app: call.app.id,
            caller: call.caller
        )
        let name = ExportName.file(of: "usage", filter: filter, at: database.now)
        return .csv(metrics.csv, named: name)
    }
}

extension UsageMetrics {
    /// A row for each period and feature of which something was used.
    fileprivate var csv: [UInt8] {
        var file = CSVFile(["from", "to", "is_partial", "feature", "units", "offline"])
        for total in totals {
            file.plain(total.period.first.description, total.period.last.description)
            file.plain(total.period.isPartial(on: span.today) ? "yes" : "no")
            file.text(total.feature)
            file.counts([total.units, total.offline])
            file.endRow()
        }
        return file.bytes
    }
}
