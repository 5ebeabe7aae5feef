import Billing
package import Foundation
package import Storage

/// How things stand: `/dashboard`.
package struct OverviewPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
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

    package init(numbers: OverviewNumbers, choices: NumberChoices, viewer: Viewer, now: Date) {
        let words = viewer.words
        frame = DashboardFrame(viewer, section: .overview, path: DashboardPath.home, now: now)
        until = words.numbersUntil(moment: DateText.full(now, in: viewer.zone, words))
        made = DateText(now, in: viewer.zone, words)
        subtitle = [
            words.numbersProductionOnly.description, words.numbersComparedWithYesterday.description,
        ].joined(separator: " · ")
        cards = OverviewPage.cards(numbers, viewer) + OverviewPage.standing(numbers, words)
        let missing = Set(numbers.months.missingRates + numbers.daily.missingRates).map(\.code).sorted()
        missingRates = missing.isEmpty ? nil : words.numbersMissingRates(currencies: words.list(missing))
        var view = RevenueView()
        view.reporting = numbers.currency
        let charts = RevenueCharts(
            numbers: numbers.months,
            view: view,
            currency: numbers.currency,
            choices: choices,
            viewer: viewer
        )
        revenue = charts.main
        holders = OverviewPage.holders(numbers, viewer)
        plans = OverviewPage.plans(numbers, view, words)
        tasks = OverviewPage.tasks(viewer)
        hasTasks = !tasks.isEmpty
    }

    private static func cards(_ numbers: OverviewNumbers, _ viewer: Viewer) -> [StatCard] {
        let (words, money) = (viewer.words, ChartUnit.money(numbers.currency))
        let (today, total) = (numbers.today, numbers.total)
        let ledger = LedgerFilter(from: numbers.day, to: numbers.day, reporting: numbers.currency)
        let rate = { (revenue: Revenue) in revenue.cashRefundRate.map(Int64.init) }
        return [
            StatCard(
                words.numbersOrdersToday.description,
                value: Int64(today.orders),
                unit: .count,
                href: ledger.changed { ($0.kind, $0.reporting) = (.orders, nil) }.path,
                change: ChangeText(from: Int64(numbers.yesterday.orders), to: Int64(today.orders), words),
                note: words.numbersThanYesterday.description,
                trend: numbers.days.map { Int64($0.orders) },
                words
            ),
            StatCard(
                words.numbersRevenueToday.description,
                value: today.gross,
                unit: money,
                href: ledger.changed { $0.kind = .charges }.path,
                change: ChangeText(from: numbers.yesterday.gross, to: today.gross, words),
                note: words.numbersThanYesterday.description,
                trend: numbers.days.map(\.gross),
                words
            ),
            StatCard(
                words.numbersTotalRevenue.description,
                value: total.gross,
                unit: money,
                href: LedgerFilter(kind: .charges, reporting: numbers.currency).path,
                note: words.numbersRefundedOfIt(amount: money.text(total.refunds, words)),
                words
            ),
            StatCard(
                words.numbersRefundsWaiting.description,
                value: Int64(numbers.waitingRefunds),
                unit: .count,
                href: DashboardPath.refunds,
                note: words.numbersForADecision.description,
                words
            ),
            StatCard(
                words.numbersRefundRateTitle.description,
                value: rate(total) ?? 0,
                unit: .percent,
                href: LedgerFilter(reporting: numbers.currency).path,
                note: rate(numbers.lastDays).map { words.numbersLastDays(rate: words.percent($0, places: 2)) } ?? "",
                words
            ),
        ]
    }

    /// What stands now, beside what stood at the end of yesterday; each leads to its customers.
    private static func standing(_ numbers: OverviewNumbers, _ words: Words) -> [StatCard] {
        let (daily, currency) = (numbers.daily, numbers.currency)
        func card(_ label: StaticString, _ values: [Int64], _ unit: ChartUnit, rows: String) -> StatCard {
            let change = ChangeText(from: values.dropLast().last, to: values.last, words)
            return StatCard(
                label.description,
                value: values.last ?? 0,
                unit: unit,
                href: rows,
                change: change,
                note: change == nil ? "" : words.numbersThanAtYesterdaysEnd.description,
                trend: values,
                words
            )
        }
        return [
            card(
                words.numbersMrr,
                daily.recurring,
                .money(currency),
                rows: SubscriberRowsFilter(figure: .mrr, reporting: currency).path
            ),
            card(words.numbersActive, daily.subscribers, .count, rows: SubscriberRowsFilter(figure: .active).path),
            card(words.numbersTrialsRunning, daily.trials, .count, rows: standing(.trials, nil, numbers.day)),
        ]
    }

    /// The customers who have something now.
    private static func standing(_ figure: CohortRowsFilter.Figure, _ plan: String?, _ day: BusinessDay) -> String {
        CohortRowsFilter(
            numbers: NumbersFilter(plan: plan),
            figure: figure,
            month: ReportingPeriod(.month, containing: day)
        ).path
    }

    private static func holders(_ numbers: OverviewNumbers, _ viewer: Viewer) -> ChartFigure {
        let (words, customers) = (viewer.words, numbers.customers)
        return .parts(
            ChartHeading(
                id: "holders",
                title: words.numbersTitleHolders.description,
                finding: words.numbersHoldersFinding(
                    count: Int(customers.customers),
                    rate: words.percent(Int64(customers.conversionRate ?? 0), places: 2)
                ),
                definition: words.numbersDefinitionHolders.description,
                version: String(NumberDefinitions.version)
            ),
            headings: (words.numbersPlan.description, words.numbersCustomers.description, nil),
            parts: customers.users.map { part in
                let isLowest = part.rank == 0
                let rows = standing(isLowest ? .free : .holders, isLowest ? nil : part.plan, numbers.day)
                return SharePart(part.plan, part.customers, href: rows)
            },
            words
        )
    }

    /// Whose plans the last twelve months' revenue came from.
    private static func plans(_ numbers: OverviewNumbers, _ view: RevenueView, _ words: Words) -> ChartFigure {
        let span = numbers.months.span
        let parts = numbers.months.parts(in: numbers.currency, .gross)
        let heading = ChartHeading(
            id: "plans",
            title: words.numbersTitlePlans(currency: numbers.currency.code),
            finding: words.numbersPlansFinding.description,
            definition: words.numbersDefinitionGross.description,
            version: String(NumberDefinitions.version)
        )
        return .parts(
            heading,
            headings: (words.numbersPlan.description, words.numbersGross.description, nil),
            parts: parts.map { part in
                let filter = part.name.map { plan in
                    LedgerFilter(
                        numbers: NumbersFilter(plan: plan),
                        kind: .charges,
                        from: span.first,
                        to: span.last,
                        reporting: numbers.currency
                    )
                }
                return SharePart(
                    part.name ?? words.numbersOthers.description,
                    part.values.boundedSum,
                    href: filter?.path
                )
            },
            unit: .money(numbers.currency),
            words
        )
    }

    private static func tasks(_ viewer: Viewer) -> [Task] {
        let words = viewer.words
        var tasks: [Task] = []
        if viewer.waitingRefunds > 0 {
            tasks.append(
                Task(href: DashboardPath.refunds, text: words.numbersTaskRefunds(count: viewer.waitingRefunds))
            )
        }
        if viewer.failedNotifications > 0 {
            tasks.append(
                Task(
                    href: DashboardPath.notifications + "?state=failed",
                    text: words.numbersTaskNotifications(count: viewer.failedNotifications)
                )
            )
        }
        return tasks
    }
}
