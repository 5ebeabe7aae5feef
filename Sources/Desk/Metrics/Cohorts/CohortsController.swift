import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about those who came in the same month, and about who gained and lost access.
package struct CohortsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/cohorts`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (view, call) = try call.reading(CohortsView.self)
        let currency = try await currency(of: view.filter, call)
        let (metrics, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            return (try await cohorts(view, currency, call, reader), try await choices)
        }
        return .page(
            CohortsPage(metrics: metrics, view: view, choices: choices, viewer: call.viewer, now: database.now)
        )
    }

    /// `GET /dashboard/cohorts/rows`
    @Sendable package func rows(_ call: StaffRequest) async throws -> Response {
        let today = BusinessDay(database.now, in: call.zone)
        let (filter, call) = try call.readingQuery { query throws(InvalidCursor) in
            try CohortRowsFilter(&query, today: today)
        }
        let currency = try await currency(of: filter.metrics, call)
        let (list, sums, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            async let sums = reader.metrics.sums(
                behind: filter,
                in: currency,
                on: filter.metrics.lastDay(today: today),
                app: call.app.id
            )
            let list = try await reader.screens.cohortRows(
                filter,
                in: currency,
                app: call.app.id,
                zone: call.zone,
                counts: counts
            )
            return (list, try await sums, try await choices)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            CohortRowsPage(
                list: list,
                filter: filter,
                sums: sums,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/cohorts/table.csv`: the numbers of a chart as a file.
    @Sendable package func file(_ call: StaffRequest) async throws -> Response {
        let (view, named) = try call.readingWhole(CohortsView.self, table: CohortTable.init(rawValue:))
        let table = named ?? .retention
        let currency = try await currency(of: view.filter, call)
        let metrics = try await database.read { try await cohorts(view, currency, isChart: false, call, $0) }
        let file =
            switch table {
            case .retention:
                CohortCSV.file(
                    of: metrics.retention,
                    every: view.length,
                    on: metrics.day,
                    running: metrics.running
                )
            case .conversion: CohortCSV.file(of: metrics.conversion, on: metrics.running)
            case .arpu: CohortCSV.file(of: metrics.monthly, on: metrics.running)
            case .ltv: CohortCSV.file(of: metrics.lifetime)
            }
        let filter = String(view.path.dropFirst(DashboardPath.cohorts.count))
        try await backOffice.recordExport(
            of: table.rawValue,
            filter: filter,
            rows: file.rows,
            isComplete: true,
            app: call.app.id,
            caller: call.caller
        )
        return .csv(file.bytes, named: ExportName.file(of: table.rawValue, filter: filter, at: database.now))
    }

    /// `GET /dashboard/access`
    @Sendable package func access(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(AccessFilter.self)
        let today = BusinessDay(database.now, in: call.zone)
        let (list, counts, sums, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            async let sums = reader.metrics.access(
                filter.metrics,
                from: filter.from,
                through: filter.to,
                app: call.app.id
            )
            async let counts = reader.metrics.access(Self.question(filter, today: today), app: call.app.id)
            let list = try await reader.screens.accessChanges(
                filter,
                app: call.app.id,
                zone: call.zone,
                counts: self.counts
            )
            return (list, try await counts, try await sums, try await choices)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            AccessIndexPage(
                list: list,
                counts: counts,
                sums: sums,
                filter: filter,
                choices: choices,
                viewer: call.viewer,
                today: filter.metrics.runningDay(today: today),
                now: database.now
            )
        )
    }

    /// `GET /dashboard/access/table.csv`: the numbers of the chart as a file.
    @Sendable package func accessFile(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(AccessFilter.self)
        let today = BusinessDay(database.now, in: call.zone)
        let counts = try await database.read { reader in
            try await reader.metrics.access(Self.question(filter, today: today, isChart: false), app: call.app.id)
        }
        let file = CohortCSV.file(of: counts, on: filter.metrics.runningDay(today: today))
        let query = String(filter.firstPage.path.dropFirst(DashboardPath.access.count))
        try await backOffice.recordExport(
            of: "access",
            filter: query,
            rows: file.rows,
            isComplete: true,
            app: call.app.id,
            caller: call.caller
        )
        return .csv(file.bytes, named: ExportName.file(of: "access", filter: query, at: database.now))
    }

    /// The days that the list is of by the month; without any the last twelve months.
    private static func question(_ filter: AccessFilter, today: BusinessDay, isChart: Bool = true) -> MetricsQuery {
        var view = RevenueView()
        (view.from, view.to) = (filter.from, filter.to)
        let span = RevenueSpan(view, in: filter.metrics, on: today, isChart: isChart)
        return MetricsQuery(filter: filter.metrics, from: span.first, through: span.last, grain: span.grain)
    }

    /// That of all amounts: the one that they are filtered by, else the app's reporting currency.
    private func currency(of filter: MetricsFilter, _ call: StaffRequest) async throws -> Currency {
        if let own = filter.currency { return own }
        return try await backOffice.apps.reportingCurrency(of: call.app.id)
    }

    private func cohorts(
        _ view: CohortsView,
        _ currency: Currency,
        isChart: Bool = true,
        _ call: StaffRequest,
        _ reader: Reader
    ) async throws -> CohortMetrics {
        let (app, reads) = (call.app.id, reader.metrics)
        let today = BusinessDay(reader.now, in: call.zone)
        let (day, running) = (view.filter.lastDay(today: today), view.filter.runningDay(today: today))
        let span = view.span(today: today, isChart: isChart)
        let question = view.question(of: span)
        var ofOneLength = question
        ofOneLength.filter.period = view.length
        async let conversion = reads.conversion(question, app: app)
        async let monthly = reads.monthlyValue(question, in: currency, app: app)
        async let lifetime = reads.lifetimeValue(question, in: currency, app: app)
        async let predicted = reads.predictedValue(on: running, view.filter, in: currency, app: app)
        return CohortMetrics(
            day: day,
            running: running,
            span: span,
            retention: try await reads.retention(ofOneLength, every: view.length, on: day, app: app),
            conversion: try await conversion,
            monthly: try await monthly,
            lifetime: try await lifetime,
            predicted: try await predicted
        )
    }
}
