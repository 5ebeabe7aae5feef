import Billing
import Hummingbird
import Operations
import Storage

/// The pages about subscribers: who pays, and the customers behind every metric.
struct SubscribersController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/subscribers`
    @Sendable func index(_ call: StaffRequest) async throws -> Response {
        let view = SubscribersView(query: call.query.pairs)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let (metrics, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            return (try await self.metrics(view, call, reader), try await choices)
        }
        return .page(
            SubscribersPage(
                metrics: metrics,
                view: view,
                choices: choices,
                reporting: currency,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/subscribers/table.csv`: the numbers of a chart as a file.
    @Sendable func file(_ call: StaffRequest) async throws -> Response {
        let view = SubscribersView(query: call.query.pairs)
        let table = call.query["table"].flatMap(SubscriberTable.init(rawValue:)) ?? .mrr
        let metrics = try await database.read { try await self.metrics(view, call, $0) }
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
    @Sendable func rows(_ call: StaffRequest) async throws -> Response {
        var filter = try call.reading { () throws(InvalidCursor) in try SubscriberRowsFilter(query: call.query.pairs) }
        let asked = filter
        let (list, sums, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            let sums = try await reader.metrics.sums(behind: asked, app: call.app.id)
            // Amounts of several currencies make no sum: the rows are those of the largest.
            if asked.metric.isMoney, asked.metrics.currency == nil {
                filter.metrics.currency = sums.amounts.first?.currency
            }
            let list = try await reader.screens.subscriberRows(
                filter,
                app: call.app.id,
                zone: call.zone,
                counts: counts
            )
            return (list, sums, try await choices)
        }
        if list.startsOver { return .seeOther(asked.firstPage.path) }
        return .page(
            SubscriberRowsPage(
                list: list,
                filter: filter,
                asked: asked,
                sums: sums,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    private func metrics(
        _ view: SubscribersView,
        _ call: StaffRequest,
        _ reader: Reader
    ) async throws -> SubscriberMetrics {
        let (app, metrics) = (call.app.id, reader.metrics)
        let day = view.filter.lastDay(today: BusinessDay(database.now, in: call.zone))
        let span = RevenueSpan(view.span, today: day)
        let question = MetricsQuery(filter: view.filter, from: span.first, through: span.last, grain: span.grain)
        async let subscribers = metrics.subscribers(question, app: app)
        async let trials = metrics.trials(question, app: app)
        let recurring: ConvertedRevenue
        if let reporting = view.reporting {
            recurring = try await metrics.recurringRevenue(question, in: reporting, app: app)
        } else {
            recurring = ConvertedRevenue(rows: try await metrics.recurringRevenue(question, app: app))
        }
        return SubscriberMetrics(
            periods: question.periods,
            today: span.today,
            recurring: recurring.rows,
            subscribers: try await subscribers,
            trials: try await trials,
            missingRates: recurring.missingRates
        )
    }
}
