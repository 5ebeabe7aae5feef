import Billing
import HTTP
import Storage
import Words

/// The charts of the subscribers page.
struct SubscriberCharts: Sendable {
    let metrics: SubscriberMetrics
    let view: SubscribersView
    let viewer: Viewer

    private var strings: Strings { viewer.strings }

    /// Monthly recurring revenue at the end of each period.
    var recurringRevenue: ChartFigure {
        let (currency, ends) = (metrics.currency, metrics.recurring.map(\.movement.end))
        return .lines(
            heading(
                "mrr",
                strings.analyticsTitleMrr(currency: currency.code),
                finding(of: ends.last ?? 0, in: .money(currency)),
                money(strings.analyticsDefinitionMrr)
            ),
            periods: periods { rows(.mrr, $0) },
            current: ChartSeries(strings.analyticsMrr.description, ends),
            unit: .money(currency),
            options: ChartOptions(csvHref: view.csvPath(.mrr), isSummed: false),
            strings
        )
    }

    private func finding(of amount: Int64, in money: ChartUnit) -> String {
        let (month, year) = (money.text(amount, strings), money.text(amount.times(12), strings))
        return past.map { strings.analyticsMrrFindingThen(amount: month, day: $0, year: year) }
            ?? strings.analyticsMrrFinding(amount: month, year: year)
    }

    /// The day at whose end the last of these metrics stood; nil when that is now.
    private var past: String? {
        guard let last = metrics.periods.last?.last else { return nil }
        let isNow = view.filter.asOf == nil && last >= metrics.today
        return isNow ? nil : PeriodText.day(min(last, metrics.today), strings)
    }

    /// The movements of monthly recurring revenue from one period to the next.
    var movements: ChartFigure {
        stack(
            "movements",
            strings.analyticsTitleMovements(currency: metrics.currency.code),
            money(strings.analyticsDefinitionMovements),
            metrics.recurring.map(\.movement),
            [.new, .reactivation, .expansion, .contraction, .churned, .moved],
            unit: .money(metrics.currency),
            csvHref: view.csvPath(.mrr)
        ) { rows(.movements, $1, movement: $0) }
    }

    /// Customers with paid access at the end of each period.
    var active: ChartFigure {
        let ends = metrics.subscribers.map(\.movement.end)
        return .lines(
            heading(
                "active",
                strings.analyticsTitleActive.description,
                past.map { strings.analyticsActiveFindingThen(count: Int(ends.last ?? 0), day: $0) }
                    ?? strings.analyticsActiveFinding(count: Int(ends.last ?? 0)),
                strings.analyticsDefinitionActive.description
            ),
            periods: periods { rows(.active, $0) },
            current: ChartSeries(strings.analyticsActive.description, ends),
            unit: .count,
            options: ChartOptions(csvHref: view.csvPath(.subscribers), isSummed: false),
            strings
        )
    }

    /// The subscribers who came and went.
    var changes: ChartFigure {
        stack(
            "changes",
            strings.analyticsTitleChanges.description,
            strings.analyticsDefinitionMovements.description,
            metrics.subscribers.map(\.movement),
            [.new, .reactivation, .churned, .moved],
            unit: .count,
            csvHref: view.csvPath(.subscribers)
        ) { rows(.changes, $1, movement: $0) }
    }

    /// The share of those at the start of each period who had nothing at its end.
    var churn: ChartFigure {
        let finished = metrics.subscribers.filter { !$0.period.isPartial(on: metrics.running) && !$0.period.isCut }
        let rates = finished.compactMap { row in row.churnRate.map { (row.period, Int64($0)) } }
        let finding = rates.last.map { period, rate in
            strings.analyticsChurnFinding(
                period: PeriodText(period, strings).name,
                rate: strings.percent(rate, places: 2)
            )
        }
        return .bars(
            heading(
                "churn",
                strings.analyticsTitleChurn.description,
                finding ?? strings.analyticsNoChurn.description,
                strings.analyticsDefinitionChurn.description
            ),
            periods: periods { $0.isPartial(on: metrics.running) || $0.isCut ? nil : rows(.lost, $0) },
            current: ChartSeries(
                strings.analyticsChurn.description,
                metrics.subscribers.map { row in
                    row.period.isPartial(on: metrics.running) ? nil : row.churnRate.map(Int64.init)
                }
            ),
            unit: .percent,
            options: ChartOptions(
                size: .half,
                csvHref: view.csvPath(.subscribers),
                meaning: .moreIsWorse,
                isSummed: false
            ),
            strings
        )
    }

    /// The outcome of the trials that began in these periods.
    var trials: ChartFigure {
        let rows = metrics.trials
        func sum(_ value: (TrialCount) -> Int64) -> Int64 { rows.map(value).boundedSum }
        return .steps(
            heading(
                "trials",
                strings.analyticsTitleTrials.description,
                strings.analyticsTrialsFinding.description,
                strings.analyticsDefinitionTrials(days: strings.analyticsDays(count: metrics.trialConversionDays))
            ),
            headings: (strings.analyticsTrialStep.description, strings.analyticsTrials.description, nil),
            steps: [
                SharePart(strings.analyticsTrialsStarted.description, sum(\.trials), href: trials(.trials)),
                SharePart(strings.analyticsTrialsConverted.description, sum(\.converted), href: trials(.converted)),
                SharePart(strings.analyticsTrialsPending.description, sum(\.pending), href: trials(.pending)),
                SharePart(strings.analyticsTrialsAbandoned.description, sum(\.abandoned), href: trials(.abandoned)),
            ],
            csvHref: view.csvPath(.trials),
            strings
        )
    }

    private func stack(
        _ id: String,
        _ title: String,
        _ definition: String,
        _ movements: [Movement],
        _ classes: [MovementClass],
        unit: ChartUnit,
        csvHref: String,
        href: (MovementClass?, ReportingPeriod) -> String
    ) -> ChartFigure {
        let net = movements.map { $0.end.minus($0.start) }.boundedSum
        return .stack(
            heading(
                id,
                title,
                strings.analyticsMovementFinding(
                    change: unit.number(net, strings, showsPlus: true),
                    days: PeriodText.days(of: metrics.periods, strings)
                ),
                definition
            ),
            periods: periods { href(nil, $0) },
            // Every kind has its own colour, the same in all stacks.
            // Without a filter nobody moves, and that is not worth a row of zeroes.
            series: classes.filter { kind in kind != .moved || movements.contains { $0[kind] != 0 } }.map { kind in
                ChartSeries(
                    MetricText.name(of: kind, strings).description,
                    movements.map { $0[kind] },
                    colour: kind.rawValue,
                    hrefs: metrics.periods.map { href(kind, $0) }
                )
            },
            total: strings.analyticsNetChange.description,
            unit: unit,
            options: ChartOptions(csvHref: csvHref),
            strings
        )
    }

    /// The definition of an amount of money.
    private func money(_ definition: StaticString) -> String {
        !metrics.isConverted
            ? definition.description
            : "\(definition) \(strings.analyticsDefinitionOneRate)"
    }

    /// The customers behind a period's metric.
    private func rows(
        _ metric: SubscriberRowsFilter.Metric,
        _ period: ReportingPeriod,
        movement: MovementClass? = nil
    ) -> String {
        SubscriberRowsFilter(
            metrics: view.filter,
            metric: metric,
            movement: movement,
            grain: period.grain,
            from: period.first,
            to: period.last
        ).path
    }

    /// The trials behind a step.
    private func trials(_ metric: SubscriberRowsFilter.Metric) -> String {
        SubscriberRowsFilter(
            metrics: view.filter,
            metric: metric,
            from: metrics.periods.first?.first,
            to: metrics.periods.last?.last
        ).path
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: String) -> ChartHeading {
        ChartHeading(
            id: id,
            title: title,
            finding: finding,
            definition: "\(definition) \(strings.analyticsDefinitionZone(zone: viewer.zone.label))",
            version: String(MetricDefinitions.version)
        )
    }

    private func periods(_ href: (ReportingPeriod) -> String?) -> ChartPeriods {
        ChartPeriods(metrics.periods, today: metrics.running, strings) { href($0) }
    }
}
