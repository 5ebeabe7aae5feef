import Billing
import Storage

/// The charts of the subscribers page.
struct SubscriberCharts: Sendable {
    let numbers: SubscriberNumbers
    let viewer: Viewer

    private var words: Words { viewer.words }

    /// Monthly recurring revenue at the end of each period.
    func standing(in currency: Currency) -> ChartFigure {
        let ends = numbers.movements(in: currency).map(\.end)
        return .lines(
            heading(
                "mrr-\(currency.code.lowercased())",
                words.numbersTitleMrr(currency: currency.code),
                words.numbersMrrFinding(
                    amount: ChartUnit.money(currency).text(ends.last ?? 0, words),
                    year: ChartUnit.money(currency).text((ends.last ?? 0) * 12, words)
                ),
                words.numbersDefinitionMrr
            ),
            periods: periods,
            current: ChartSeries(words.numbersMrr.description, ends),
            unit: .money(currency),
            options: ChartOptions(isSummed: false),
            words
        )
    }

    /// How it came from one period to the next.
    func movements(in currency: Currency) -> ChartFigure {
        stack(
            "movements-\(currency.code.lowercased())",
            words.numbersTitleMovements(currency: currency.code),
            words.numbersDefinitionMovements,
            numbers.movements(in: currency),
            [.new, .reactivation, .expansion, .contraction, .churned],
            unit: .money(currency)
        )
    }

    /// Customers with paid access at the end of each period.
    var active: ChartFigure {
        let ends = numbers.subscribers.map(\.movement.end)
        return .lines(
            heading(
                "active",
                words.numbersTitleActive.description,
                words.numbersActiveFinding(count: Int(ends.last ?? 0)),
                words.numbersDefinitionActive
            ),
            periods: periods,
            current: ChartSeries(words.numbersActive.description, ends),
            unit: .count,
            options: ChartOptions(isSummed: false),
            words
        )
    }

    /// Who came and who went.
    var changes: ChartFigure {
        stack(
            "changes",
            words.numbersTitleChanges.description,
            words.numbersDefinitionMovements,
            numbers.subscribers.map(\.movement),
            [.new, .reactivation, .expansion, .churned],
            unit: .count
        )
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
                words.numbersDefinitionChurn
            ),
            periods: periods,
            current: ChartSeries(
                words.numbersChurn.description,
                numbers.subscribers.map { row in
                    row.period.isUnfinished(on: numbers.today) ? nil : row.churnRate.map(Int64.init)
                }
            ),
            unit: .percent,
            options: ChartOptions(size: .half, meaning: .moreIsWorse, isSummed: false),
            words
        )
    }

    /// What became of the trials that began in these periods.
    var trials: ChartFigure {
        let rows = numbers.trials
        func sum(_ value: (TrialCount) -> Int64) -> Int64 { rows.reduce(0) { $0 + value($1) } }
        return .steps(
            heading(
                "trials",
                words.numbersTitleTrials.description,
                words.numbersTrialsFinding.description,
                words.numbersDefinitionTrials
            ),
            headings: (words.numbersTrialStep.description, words.numbersTrials.description, nil),
            steps: [
                SharePart(words.numbersTrialsStarted.description, sum(\.trials)),
                SharePart(words.numbersTrialsConverted.description, sum(\.converted)),
                SharePart(words.numbersTrialsPending.description, sum(\.pending)),
                SharePart(words.numbersTrialsAbandoned.description, sum(\.abandoned)),
            ],
            words
        )
    }

    private func stack(
        _ id: String,
        _ title: String,
        _ definition: StaticString,
        _ movements: [Movement],
        _ classes: [MovementClass],
        unit: ChartUnit
    ) -> ChartFigure {
        let net = movements.map { $0.end - $0.start }.reduce(0, +)
        return .stack(
            heading(
                id,
                title,
                words.numbersMovementFinding(change: unit.number(net, words, showsPlus: true)),
                definition
            ),
            periods: periods,
            series: classes.map { kind in ChartSeries(name(of: kind).description, movements.map { $0[kind] }) },
            total: words.numbersNetChange.description,
            unit: unit,
            words
        )
    }

    private func name(of kind: MovementClass) -> StaticString {
        switch kind {
        case .new: words.numbersMovementNew
        case .reactivation: words.numbersMovementReactivation
        case .expansion: words.numbersMovementExpansion
        case .contraction: words.numbersMovementContraction
        case .churned: words.numbersMovementChurned
        }
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: StaticString) -> ChartHeading {
        ChartHeading(
            id: id,
            title: title,
            finding: finding,
            definition: "\(definition) \(words.numbersDefinitionZone(zone: viewer.zone.label))",
            version: String(NumberDefinitions.version)
        )
    }

    private var periods: ChartPeriods {
        ChartPeriods(numbers.periods, today: numbers.today, words) { _ in nil }
    }
}
