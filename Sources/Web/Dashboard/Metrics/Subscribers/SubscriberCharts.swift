import Billing
import Storage

/// The charts of the subscribers page.
struct SubscriberCharts: Sendable {
    let numbers: SubscriberNumbers
    let view: SubscribersView
    let viewer: Viewer

    private var words: Words { viewer.words }

    /// Monthly recurring revenue at the end of each period.
    func standing(in currency: Currency) -> ChartFigure {
        let ends = numbers.movements(in: currency).map(\.end)
        return .lines(
            heading(
                "mrr-\(currency.code.lowercased())",
                words.numbersTitleMrr(currency: currency.code),
                finding(of: ends.last ?? 0, in: .money(currency)),
                money(words.numbersDefinitionMrr)
            ),
            periods: periods { rows(.mrr, $0, in: currency) },
            current: ChartSeries(words.numbersMrr.description, ends),
            unit: .money(currency),
            options: ChartOptions(csvHref: view.csvPath(.mrr), isSummed: false),
            words
        )
    }

    private func finding(of amount: Int64, in money: ChartUnit) -> String {
        let (month, year) = (money.text(amount, words), money.text(amount.times(12), words))
        return past.map { words.numbersMrrFindingThen(amount: month, day: $0, year: year) }
            ?? words.numbersMrrFinding(amount: month, year: year)
    }

    /// The day at whose end the last of these figures stood; nil when that is now.
    private var past: String? {
        guard let last = numbers.periods.last?.last else { return nil }
        let isNow = view.filter.asOf == nil && last >= numbers.today
        return isNow ? nil : PeriodText.day(min(last, numbers.today), words)
    }

    /// How it came from one period to the next.
    func movements(in currency: Currency) -> ChartFigure {
        stack(
            "movements-\(currency.code.lowercased())",
            words.numbersTitleMovements(currency: currency.code),
            money(words.numbersDefinitionMovements),
            numbers.movements(in: currency),
            [.new, .reactivation, .expansion, .contraction, .churned],
            unit: .money(currency),
            csvHref: view.csvPath(.mrr)
        ) { rows(.movements, $1, in: currency, movement: $0) }
    }

    /// Customers with paid access at the end of each period.
    var active: ChartFigure {
        let ends = numbers.subscribers.map(\.movement.end)
        return .lines(
            heading(
                "active",
                words.numbersTitleActive.description,
                past.map { words.numbersActiveFindingThen(count: Int(ends.last ?? 0), day: $0) }
                    ?? words.numbersActiveFinding(count: Int(ends.last ?? 0)),
                words.numbersDefinitionActive.description
            ),
            periods: periods { rows(.active, $0) },
            current: ChartSeries(words.numbersActive.description, ends),
            unit: .count,
            options: ChartOptions(csvHref: view.csvPath(.subscribers), isSummed: false),
            words
        )
    }

    /// Who came and who went.
    var changes: ChartFigure {
        stack(
            "changes",
            words.numbersTitleChanges.description,
            words.numbersDefinitionMovements.description,
            numbers.subscribers.map(\.movement),
            [.new, .reactivation, .expansion, .contraction, .churned],
            unit: .count,
            csvHref: view.csvPath(.subscribers)
        ) { rows(.changes, $1, movement: $0) }
    }

    /// The share of those at the start of each period who had nothing at its end.
    var churn: ChartFigure {
        let finished = numbers.subscribers.filter { !$0.period.isUnfinished(on: numbers.today) }
        let rates = finished.compactMap { row in row.churnRate.map { (row.period, Int64($0)) } }
        let finding = rates.last.map { period, rate in
            words.numbersChurnFinding(
                period: PeriodText(period, words).name,
                rate: words.percent(rate, places: 2)
            )
        }
        return .bars(
            heading(
                "churn",
                words.numbersTitleChurn.description,
                finding ?? words.numbersNoChurn.description,
                words.numbersDefinitionChurn.description
            ),
            periods: periods { $0.isUnfinished(on: numbers.today) ? nil : rows(.lost, $0) },
            current: ChartSeries(
                words.numbersChurn.description,
                numbers.subscribers.map { row in
                    row.period.isUnfinished(on: numbers.today) ? nil : row.churnRate.map(Int64.init)
                }
            ),
            unit: .percent,
            options: ChartOptions(
                size: .half,
                csvHref: view.csvPath(.subscribers),
                meaning: .moreIsWorse,
                isSummed: false
            ),
            words
        )
    }

    /// What became of the trials that began in these periods.
    var trials: ChartFigure {
        let rows = numbers.trials
        func sum(_ value: (TrialCount) -> Int64) -> Int64 { rows.map(value).boundedSum }
        return .steps(
            heading(
                "trials",
                words.numbersTitleTrials.description,
                words.numbersTrialsFinding.description,
                words.numbersDefinitionTrials.description
            ),
            headings: (words.numbersTrialStep.description, words.numbersTrials.description, nil),
            steps: [
                SharePart(words.numbersTrialsStarted.description, sum(\.trials), href: trials(.trials)),
                SharePart(words.numbersTrialsConverted.description, sum(\.converted), href: trials(.converted)),
                SharePart(words.numbersTrialsPending.description, sum(\.pending), href: trials(.pending)),
                SharePart(words.numbersTrialsAbandoned.description, sum(\.abandoned), href: trials(.abandoned)),
            ],
            csvHref: view.csvPath(.trials),
            words
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
                words.numbersMovementFinding(change: unit.number(net, words, showsPlus: true)),
                definition
            ),
            periods: periods { href(nil, $0) },
            // Every kind has its own colour, the same in all stacks.
            series: classes.map { kind in
                ChartSeries(
                    FigureText.name(of: kind, words).description,
                    movements.map { $0[kind] },
                    colour: kind.rawValue,
                    hrefs: numbers.periods.map { href(kind, $0) }
                )
            },
            total: words.numbersNetChange.description,
            unit: unit,
            options: ChartOptions(csvHref: csvHref),
            words
        )
    }

    /// The definition of an amount of money.
    private func money(_ definition: StaticString) -> String {
        view.reporting == nil
            ? definition.description
            : "\(definition) \(words.numbersDefinitionOneRate)"
    }

    /// The customers behind a period's figure.
    private func rows(
        _ figure: SubscriberRowsFilter.Figure,
        _ period: ReportingPeriod,
        in currency: Currency? = nil,
        movement: MovementClass? = nil
    ) -> String {
        var filter = SubscriberRowsFilter(
            numbers: view.filter,
            figure: figure,
            movement: movement,
            grain: period.grain,
            from: period.first,
            to: period.last,
            reporting: view.reporting
        )
        if view.reporting == nil, let currency { filter.numbers.currency = currency }
        return filter.path
    }

    /// The trials behind a step.
    private func trials(_ figure: SubscriberRowsFilter.Figure) -> String {
        SubscriberRowsFilter(
            numbers: view.filter,
            figure: figure,
            from: numbers.periods.first?.first,
            to: numbers.periods.last?.last
        ).path
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: String) -> ChartHeading {
        ChartHeading(
            id: id,
            title: title,
            finding: finding,
            definition: "\(definition) \(words.numbersDefinitionZone(zone: viewer.zone.label))",
            version: String(NumberDefinitions.version)
        )
    }

    private func periods(_ href: (ReportingPeriod) -> String?) -> ChartPeriods {
        ChartPeriods(numbers.periods, today: numbers.today, words) { href($0) }
    }
}
