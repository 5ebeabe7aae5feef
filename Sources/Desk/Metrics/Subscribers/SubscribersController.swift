import Billing
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about subscribers: who pays, and the customers behind every metric.
package struct SubscribersController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/subscribers`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (view, call) = try call.reading(SubscribersView.self)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let (metrics, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            return (try await self.metrics(view, in: currency, call, reader), try await choices)
        }
        return .page(
            SubscribersPage(
                metrics: metrics,
                view: view,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/subscribers/table.csv`: the numbers of a chart as a file.
    @Sendable package func file(_ call: StaffRequest) async throws -> Response {
        let (view, named) = try call.readingWhole(SubscribersView.self, table: SubscriberTable.init(rawValue:))
        let table = named ?? .mrr
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let metrics = try await database.read {
            try await self.metrics(view, in: currency, isChart: false, call, $0)
        }
        let file = SubscriberCSV(metrics).file(of: table)
        let filter = String(view.path.dropFirst(DashboardPath.subscribers.count))
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

    /// `GET /dashboard/subscribers/rows`
    @Sendable package func rows(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(SubscriberRowsFilter.self)
        let reporting = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let currency = filter.metrics.currency ?? reporting
        let (list, sums, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            async let sums = reader.metrics.sums(behind: filter, in: currency, app: call.app.id)
            let list = try await reader.screens.subscriberRows(
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
            SubscriberRowsPage(
                list: list,
                filter: filter,
                currency: currency,
                sums: sums,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// - Parameter reporting: the app's reporting currency.
    private func metrics(
        _ view: SubscribersView,
        in reporting: Currency,
        isChart: Bool = true,
        _ call: StaffRequest,
        _ reader: Reader
    ) async throws -> SubscriberMetrics {
        let (app, metrics) = (call.app.id, reader.metrics)
        let today = BusinessDay(database.now, in: call.zone)
        let span = RevenueSpan(view.span, in: view.filter, on: today, isChart: isChart)
        let question = MetricsQuery(filter: view.filter, from: span.first, through: span.last, grain: span.grain)
        async let subscribers = metrics.subscribers(question, app: app)
        async let trials = metrics.trials(question, app: app)
        async let trialConversionDays = metrics.trialConversionDays(app: app)
        let currency = view.filter.currency ?? reporting
        let recurring = try await metrics.recurringRevenue(question, in: currency, app: app)
        return SubscriberMetrics(
            span: span,
            currency: currency,
            isConverted: view.filter.currency == nil,
            recurring: recurring.rows,
            subscribers: try await subscribers,
            trials: try await trials,
            trialConversionDays: try await trialConversionDays,
            unconverted: recurring.unconverted,
            unpriced: recurring.unpriced
        )
    }
}
