import Billing
import Foundation
import HTTP
package import Hummingbird
import NIOCore
import Operations
import Storage

/// The pages about the business: overview, revenue, and the rows behind every metric.
package struct MetricsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard`: the overview, or for who sees no metrics the orders.
    @Sendable package func home(_ call: StaffRequest) async throws -> Response {
        guard call.viewer.may(.viewMetrics) else { return .seeOther(DashboardPath.orders) }
        let call = call.taking()
        let now = database.now
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let keyless = try await backOffice.keylessStores(of: call.app.id)
        let (metrics, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            return (try await overview(call, currency, keyless, now, reader), try await choices)
        }
        return .page(OverviewPage(metrics: metrics, choices: choices, viewer: call.viewer, now: now))
    }

    /// `GET /dashboard/revenue`
    @Sendable package func revenue(_ call: StaffRequest) async throws -> Response {
        let (view, call) = try call.reading(RevenueView.self)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let (metrics, choices) = try await database.read { reader in
            async let choices = reader.metrics.choices(app: call.app.id)
            return (try await revenue(view, in: currency, call, reader), try await choices)
        }
        return .page(
            RevenuePage(
                metrics: metrics,
                view: view,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/revenue/table.csv`: the numbers of a chart as a file.
    @Sendable package func revenueFile(_ call: StaffRequest) async throws -> Response {
        let (view, named) = try call.readingWhole(RevenueView.self, table: RevenueTable.init(rawValue:))
        let table = named ?? .periods
        let span = RevenueSpan(view, in: view.filter, on: BusinessDay(database.now, in: call.zone), isChart: false)
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let question = RevenueQuery(
            filter: view.filter,
            from: span.first,
            through: span.last,
            grain: span.grain,
            breakdown: table == .parts ? view.breakdown : nil,
            reporting: view.filter.currency == nil ? currency : nil
        )
        let answer = try await database.read { try await $0.metrics.revenue(question, app: call.app.id) }
        let file = RevenueCSV.file(of: answer, today: span.running)
        let filter = view.path.dropFirst(DashboardPath.revenue.count)
        try await backOffice.recordExport(
            of: "revenue",
            filter: String(filter),
            rows: answer.cells.count,
            isComplete: true,
            app: call.app.id,
            caller: call.caller
        )
        let name = ExportName.file(of: "revenue", filter: String(filter), at: database.now)
        return .csv(file, named: name)
    }

    /// `GET /dashboard/ledger`
    @Sendable package func ledger(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(LedgerFilter.self)
        let today = BusinessDay(database.now, in: call.zone)
        let question = RevenueQuery(
            filter: filter.metrics,
            from: filter.from ?? BusinessDay(number: 0),
            through: filter.to ?? today.advanced(by: 366),
            grain: .month
        )
        let currency = try await backOffice.apps.reportingCurrency(of: call.app.id)
        let (list, sums, choices) = try await database.read { reader in
            async let sums = self.sums(question, in: currency, call, reader)
            async let choices = reader.metrics.choices(app: call.app.id)
            let list = try await reader.screens.ledger(filter, app: call.app.id, zone: call.zone, counts: counts)
            return (list, try await sums, try await choices)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            LedgerIndexPage(
                list: list,
                filter: filter,
                sums: sums,
                choices: choices,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// By currency, and all of them in the one that the app reports in.
    private func sums(
        _ question: RevenueQuery,
        in reporting: Currency,
        _ call: StaffRequest,
        _ reader: Reader
    ) async throws -> LedgerSums {
        async let own = reader.metrics.total(question, app: call.app.id)
        var converted = question
        converted.reporting = reporting
        let answer = try await reader.metrics.revenue(converted, app: call.app.id)
        return LedgerSums(
            own: try await own,
            currency: reporting,
            converted: answer.cells.reduce(Revenue()) { $0 + $1.revenue },
            unconverted: answer.unconverted,
            unpriced: answer.unpriced
        )
    }

    /// - Parameters:
    ///   - reporting: the app's reporting currency.
    ///   - first: on which the periods that are read begin; nil for those that the page's are compared with.
    private func revenue(
        _ view: RevenueView,
        in reporting: Currency,
        since first: BusinessDay? = nil,
        _ call: StaffRequest,
        _ reader: Reader
    ) async throws -> RevenueMetrics {
        let app = call.app.id
        let isConverted = view.filter.currency == nil
        let span = RevenueSpan(view, in: view.filter, on: BusinessDay(reader.now, in: call.zone))
        func question(
            from: BusinessDay,
            through: BusinessDay,
            by breakdown: RevenueCell.Breakdown? = nil,
            needed: RevenueQuery.Needed = .everything
        ) -> RevenueQuery {
            RevenueQuery(
                filter: view.filter,
                from: from,
                through: through,
                grain: span.grain,
                breakdown: breakdown,
                reporting: isConverted ? reporting : nil,
                needed: needed
            )
        }
        async let periods = reader.metrics.revenue(
            question(from: first ?? span.previousFirst, through: span.last),
            app: app
        )
        async let divided = reader.metrics.revenue(
            question(from: span.first, through: span.last, by: view.breakdown, needed: view.shown.needed),
            app: app
        )
        var part = Revenue()
        if let open = span.partOfPrevious {
            let answer = try await reader.metrics.revenue(question(from: open.from, through: open.through), app: app)
            part = answer.cells.reduce(part) { $0 + $1.revenue }
        }
        let parts = try await divided
        return RevenueMetrics(
            span: span,
            currency: view.filter.currency ?? reporting,
            isConverted: isConverted,
            periods: try await periods,
            part: part,
            divided: parts,
            // Of the overview all since the beginning is shown.
            leftOut: first == nil ? parts : nil
        )
    }

    private func overview(
        _ call: StaffRequest,
        _ currency: Currency,
        _ keyless: Set<Store>,
        _ now: Date,
        _ reader: Reader
    ) async throws -> OverviewMetrics {
        let (app, zone, metrics) = (call.app.id, call.zone, reader.metrics)
        let day = BusinessDay(now, in: zone)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let sameTime = calendar.date(byAdding: .day, value: -1, to: now) ?? now
        func question(from: BusinessDay, through: BusinessDay, _ grain: ReportingPeriod.Grain) -> RevenueQuery {
            RevenueQuery(filter: MetricsFilter(), from: from, through: through, grain: grain, reporting: currency)
        }
        var view = RevenueView()
        view.breakdown = .plan
        async let today = metrics.dayUntil(now, zone: zone, in: currency, app: app)
        async let yesterday = metrics.dayUntil(sameTime, zone: zone, in: currency, app: app)
        async let days = metrics.revenue(
            question(from: day.advanced(by: -28), through: day.advanced(by: -1), .day),
            app: app
        )
        async let waiting = metrics.waitingRefunds(app: app)
        async let cases = metrics.waitingStoreCases(app: app, keyless: keyless)
        async let customers = metrics.customerSnapshot(app: app)
        async let usage = UsageMetrics(.lastDays(until: day), of: app, today: day, reader)
        async let nearLimits = reader.usage.nearLimitCount(app: app, zone: zone)
        async let payments = reader.screens.waitingCheckoutCount(of: app)
        async let daily = metrics.daily(from: day.advanced(by: -28), through: day, in: currency, app: app)
        let months = try await revenue(view, in: currency, since: BusinessDay(number: 0), call, reader)
        let byDay = Dictionary(try await days.cells.map { ($0.period.first, $0.revenue) }, uniquingKeysWith: +)
        return OverviewMetrics(
            currency: currency,
            day: day,
            hasBegunAnHourAgo: now.timeIntervalSince(day.start(in: zone)) >= 3_600,
            today: try await today,
            yesterday: try await yesterday,
            days: (1...28).reversed().map { byDay[day.advanced(by: -$0)] ?? Revenue() },
            months: months,
            waitingRefunds: try await waiting,
            storeCases: try await cases,
            daily: try await daily,
            customers: try await customers,
            usage: try await usage.ofFeatures,
            nearLimits: try await nearLimits,
            waitingPayments: try await payments
        )
    }
}
