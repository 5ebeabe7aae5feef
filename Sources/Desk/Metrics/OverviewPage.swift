import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The overview of the business: `/dashboard`.
package struct OverviewPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    /// "Until 22 Nov 2026 18:13 UTC+8"
    let until: String
    let made: DateText
    let subtitle: String
    let cards: [StatCard]
    /// The sentence on what is left out for want of a rate, or of an amount; nil when nothing is.
    let missingRates: String?
    /// The same of monthly recurring revenue.
    let missingRecurring: String?
    let revenue: ChartFigure
    /// Customers by what they may use.
    let holders: ChartFigure
    let plans: ChartFigure
    /// nil for an app without features.
    let usage: Usage?
    let tasks: [Task]
    let hasTasks: Bool

    struct Usage: Sendable {
        let chart: ChartFigure
        /// The page with other days.
        let href: String
        /// "12 limits are at 80% or more"; nil for none.
        let nearLimits: String?
    }

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
        missingRates = MetricText.leftOut(metrics.months, strings)
        missingRecurring =
            metrics.daily.unconverted.isEmpty
            ? nil
            : strings.analyticsMissingRecurring(
                amounts: strings.list(metrics.daily.unconverted.map { MoneyText($0, strings).withCurrency })
            )
        let view = RevenueView()
        let charts = RevenueCharts(metrics: metrics.months, view: view, choices: choices, viewer: viewer)
        revenue = charts.main
        holders = OverviewPage.holders(metrics, viewer)
        plans = OverviewPage.plans(metrics, view, strings)
        usage = metrics.usage.map { usage in
            Usage(
                chart: ChartFigure.usage(usage, viewer),
                href: UsageView().path,
                nearLimits: OverviewPage.nearLimits(metrics.nearLimits, strings)
            )
        }
        tasks = OverviewPage.tasks(metrics, viewer)
        hasTasks = !tasks.isEmpty
    }

    private static func nearLimits(_ count: Int, _ strings: Strings) -> String? {
        switch count {
        case ..<1: nil
        case ..<100: strings.usageNearCount(count: count)
        case _: strings.usageNearCountMany(number: strings.number(count))
        }
    }

    private static func cards(_ metrics: OverviewMetrics, _ viewer: Viewer) -> [StatCard] {
        let (strings, money) = (viewer.strings, ChartUnit.money(metrics.currency))
        let (today, total) = (metrics.today, metrics.total)
        let ledger = LedgerFilter(from: metrics.day, to: metrics.day)
        // A few minutes of a day say nothing about it.
        let isComparable = metrics.hasBegunAnHourAgo
        func change(_ value: (Revenue) -> Int64) -> ChangeText? {
            isComparable ? ChangeText(from: value(metrics.yesterday), to: value(today), strings) : nil
        }
        let note = isComparable ? strings.analyticsThanYesterday.description : strings.analyticsDayJustBegan.description
        let rate = { (revenue: Revenue) in revenue.cashRefundRate.map(Int64.init) }
        return [
            StatCard(
                strings.analyticsOrdersToday.description,
                value: Int64(today.orders),
                unit: .count,
                href: ledger.changed { $0.kind = .orders }.path,
                change: change { Int64($0.orders) },
                note: note,
                trend: metrics.days.map { Int64($0.orders) },
                strings
            ),
            StatCard(
                strings.analyticsRevenueToday.description,
                value: today.gross,
                unit: money,
                href: ledger.changed { $0.kind = .charges }.path,
                change: change(\.gross),
                note: note,
                trend: metrics.days.map(\.gross),
                strings
            ),
            StatCard(
                strings.analyticsTotalRevenue.description,
                value: total.gross,
                unit: money,
                href: LedgerFilter(kind: .charges).path,
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
                href: LedgerFilter().path,
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
                rows: SubscriberRowsFilter(metric: .mrr).path
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
                finding: customers.customers == 0
                    ? ""
                    : strings.analyticsHoldersFinding(
                        count: Int(clamping: customers.customers),
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
            } + [
                SharePart(
                    strings.analyticsInTrial.description,
                    customers.trials,
                    href: snapshotRows(.trials, nil, metrics.day)
                )
            ],
            strings
        )
    }

    /// Returns the chart of the last twelve months' revenue by plan.
    private static func plans(_ metrics: OverviewMetrics, _ view: RevenueView, _ strings: Strings) -> ChartFigure {
        let span = metrics.months.span
        let parts = metrics.months.parts(.gross)
        let heading = ChartHeading(
            id: "plans",
            title: strings.analyticsTitlePlans(currency: metrics.currency.code),
            finding: parts.isEmpty ? "" : strings.analyticsPlansFinding.description,
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
                        to: span.last
                    )
                }
                return SharePart(
                    part.name ?? strings.analyticsOthers.description,
                    part.total,
                    href: filter?.path
                )
            },
            unit: .money(metrics.currency),
            strings
        )
    }

    private static func tasks(_ metrics: OverviewMetrics, _ viewer: Viewer) -> [Task] {
        let strings = viewer.strings
        var tasks: [Task] = []
        if let dueAt = metrics.storeCases.firstDueAt {
            tasks.append(
                Task(
                    href: RefundFilter(opener: .store).path,
                    text: strings.analyticsTaskStoreCases(
                        count: metrics.storeCases.count,
                        when: DateText.full(dueAt, in: viewer.zone, strings)
                    )
                )
            )
        }
        if let lapsesAt = metrics.storeCases.firstLapsesAt {
            tasks.append(
                Task(
                    href: RefundFilter(status: nil, opener: .store).path,
                    text: strings.analyticsTaskLapsing(
                        count: metrics.storeCases.lapsing,
                        when: DateText.full(lapsesAt, in: viewer.zone, strings)
                    )
                )
            )
        }
        if viewer.waitingRefunds > 0 {
            tasks.append(
                Task(href: DashboardPath.refunds, text: strings.analyticsTaskRefunds(count: viewer.waitingRefunds))
            )
        }
        if metrics.waitingPayments > 0 {
            let count = metrics.waitingPayments
            tasks.append(
                Task(
                    href: DashboardPath.checkouts,
                    text: count < 100
                        ? strings.analyticsTaskPayments(count: count)
                        : strings.analyticsTaskPaymentsMany(number: strings.number(count))
                )
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
