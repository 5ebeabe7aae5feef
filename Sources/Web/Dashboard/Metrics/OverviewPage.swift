import Billing
package import Foundation
package import Storage

/// How things stand: `/dashboard`.
package struct OverviewPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    /// "Until 22 Nov 2026 18:13 UTC+8"
    let until: String
    let made: DateText
    let subtitle: String
    let cards: [StatCard]
    /// Currencies without a rate, whose amounts are left out; nil when none is missing.
    let missingRates: String?
    let revenue: ChartFigure
    /// Customers by what they may use.
    let holders: ChartFigure
    let plans: ChartFigure
    let tasks: [Task]
    let hasTasks: Bool

    /// Something that waits for somebody.
    struct Task: Sendable {
        let href: String
        let text: String
    }

    package init(metrics: OverviewMetrics, choices: MetricsOptions, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .overview, path: DashboardPath.home, now: now)
        until = strings.analyticsUntil(moment: DateText.full(now, in: viewer.zone, strings))
        made = DateText(now, in: viewer.zone, strings)
        subtitle = [
            strings.analyticsProductionOnly.description, strings.analyticsComparedWithYesterday.description,
        ].joined(separator: " · ")
        cards = OverviewPage.cards(metrics, viewer) + OverviewPage.snapshotCards(metrics, strings)
        let missing = Set(metrics.months.missingRates + metrics.daily.missingRates).map(\.code).sorted()
        missingRates = missing.isEmpty ? nil : strings.analyticsMissingRates(currencies: strings.list(missing))
        var view = RevenueView()
        view.reporting = metrics.currency
        let charts = RevenueCharts(
            metrics: metrics.months,
            view: view,
            currency: metrics.currency,
            choices: choices,
            viewer: viewer
        )
        revenue = charts.main
        holders = OverviewPage.holders(metrics, viewer)
        plans = OverviewPage.plans(metrics, view, strings)
        tasks = OverviewPage.tasks(viewer)
        hasTasks = !tasks.isEmpty
    }

    private static func cards(_ metrics: OverviewMetrics, _ viewer: Viewer) -> [StatCard] {
        let (strings, money) = (viewer.strings, ChartUnit.money(metrics.currency))
        let (today, total) = (metrics.today, metrics.total)
        let ledger = LedgerFilter(from: metrics.day, to: metrics.day, reporting: metrics.currency)
        let rate = { (revenue: Revenue) in revenue.cashRefundRate.map(Int64.init) }
        return [
            StatCard(
                strings.analyticsOrdersToday.description,
                value: Int64(today.orders),
                unit: .count,
                href: ledger.changed { ($0.kind, $0.reporting) = (.orders, nil) }.path,
                change: ChangeText(from: Int64(metrics.yesterday.orders), to: Int64(today.orders), strings),
                note: strings.analyticsThanYesterday.description,
                trend: metrics.days.map { Int64($0.orders) },
                strings
            ),
            StatCard(
                strings.analyticsRevenueToday.description,
                value: today.gross,
                unit: money,
                href: ledger.changed { $0.kind = .charges }.path,
                change: ChangeText(from: metrics.yesterday.gross, to: today.gross, strings),
                note: strings.analyticsThanYesterday.description,
                trend: metrics.days.map(\.gross),
                strings
            ),
            StatCard(
                strings.analyticsTotalRevenue.description,
                value: total.gross,
                unit: money,
                href: LedgerFilter(kind: .charges, reporting: metrics.currency).path,
                note: strings.analyticsRefundedOfIt(amount: money.text(total.refunds, strings)),
                strings
            ),
            StatCard(
                strings.analyticsRefundsWaiting.description,
                value: Int64(metrics.waitingRefunds),
                unit: .count,
                href: DashboardPath.refunds,
                note: strings.analyticsForADecision.description,
                strings
            ),
            StatCard(
                strings.analyticsRefundRateTitle.description,
                value: rate(total) ?? 0,
                unit: .percent,
                href: LedgerFilter(reporting: metrics.currency).path,
                note: rate(metrics.lastDays).map { strings.analyticsLastDays(rate: strings.percent($0, places: 2)) }
                    ?? "",
                strings
            ),
        ]
    }

    /// A card for each metric that is a snapshot, compared with the end of yesterday; each leads to its customers.
    private static func snapshotCards(_ metrics: OverviewMetrics, _ strings: Strings) -> [StatCard] {
        let (daily, currency) = (metrics.daily, metrics.currency)
        func card(_ label: StaticString, _ values: [Int64], _ unit: ChartUnit, rows: String) -> StatCard {
            let change = ChangeText(from: values.dropLast().last, to: values.last, strings)
            return StatCard(
                label.description,
                value: values.last ?? 0,
                unit: unit,
                href: rows,
                change: change,
                note: change == nil ? "" : strings.analyticsThanAtYesterdaysEnd.description,
                trend: values,
                strings
            )
        }
        return [
            card(
                strings.analyticsMrr,
                daily.recurring,
                .money(currency),
                rows: SubscriberRowsFilter(metric: .mrr, reporting: currency).path
            ),
            card(strings.analyticsActive, daily.subscribers, .count, rows: SubscriberRowsFilter(metric: .active).path),
            card(strings.analyticsTrialsRunning, daily.trials, .count, rows: snapshotRows(.trials, nil, metrics.day)),
        ]
    }

    /// The address of the customers behind a snapshot.
    private static func snapshotRows(_ metric: CohortRowsFilter.Metric, _ plan: String?, _ day: BusinessDay) -> String {
        CohortRowsFilter(
            metrics: MetricsFilter(plan: plan),
            metric: metric,
            month: ReportingPeriod(.month, containing: day)
        ).path
    }

    private static func holders(_ metrics: OverviewMetrics, _ viewer: Viewer) -> ChartFigure {
        let (strings, customers) = (viewer.strings, metrics.customers)
        return .parts(
            ChartHeading(
                id: "holders",
                title: strings.analyticsTitleHolders.description,
                finding: strings.analyticsHoldersFinding(
                    count: Int(customers.customers),
                    rate: strings.percent(Int64(customers.conversionRate ?? 0), places: 2)
                ),
                definition: strings.analyticsDefinitionHolders.description,
                version: String(MetricDefinitions.version)
            ),
            headings: (strings.analyticsPlan.description, strings.analyticsCustomers.description, nil),
            parts: customers.users.map { part in
                let isLowest = part.rank == 0
                let rows = snapshotRows(isLowest ? .free : .holders, isLowest ? nil : part.plan, metrics.day)
                return SharePart(part.plan, part.customers, href: rows)
            },
            strings
        )
    }

    /// Whose plans the last twelve months' revenue came from.
    private static func plans(_ metrics: OverviewMetrics, _ view: RevenueView, _ strings: Strings) -> ChartFigure {
        let span = metrics.months.span
        let parts = metrics.months.parts(in: metrics.currency, .gross)
        let heading = ChartHeading(
            id: "plans",
            title: strings.analyticsTitlePlans(currency: metrics.currency.code),
            finding: strings.analyticsPlansFinding.description,
            definition: strings.analyticsDefinitionGross.description,
            version: String(MetricDefinitions.version)
        )
        return .parts(
            heading,
            headings: (strings.analyticsPlan.description, strings.analyticsGross.description, nil),
            parts: parts.map { part in
                let filter = part.name.map { plan in
                    LedgerFilter(
                        metrics: MetricsFilter(plan: plan),
                        kind: .charges,
                        from: span.first,
                        to: span.last,
                        reporting: metrics.currency
                    )
                }
                return SharePart(
                    part.name ?? strings.analyticsOthers.description,
                    part.values.boundedSum,
                    href: filter?.path
                )
            },
            unit: .money(metrics.currency),
            strings
        )
    }

    private static func tasks(_ viewer: Viewer) -> [Task] {
        let strings = viewer.strings
        var tasks: [Task] = []
        if viewer.waitingRefunds > 0 {
            tasks.append(
                Task(href: DashboardPath.refunds, text: strings.analyticsTaskRefunds(count: viewer.waitingRefunds))
            )
        }
        if viewer.failedNotifications > 0 {
            tasks.append(
                Task(
                    href: DashboardPath.notifications + "?state=failed",
                    text: strings.analyticsTaskNotifications(count: viewer.failedNotifications)
                )
            )
        }
        return tasks
    }
}
