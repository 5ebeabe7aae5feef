import Billing
import Storage

/// The charts of the page of cohorts.
struct CohortCharts: Sendable {
    let numbers: CohortNumbers
    let view: CohortsView
    let viewer: Viewer

    private var words: Words { viewer.words }
    /// More periods than a page has room for are in the file.
    private static let mostColumns = 24

    /// How many of those first paid for in a month paid for each period since.
    var retention: ChartFigure {
        let length = view.length
        return .heat(
            heading(
                "retention",
                words.numbersTitleRetention.description,
                words.numbersRetentionFinding(period: PeriodLength.text(length, words)),
                words.numbersDefinitionRetention
            ),
            rowHeading: words.numbersFirstPaid.description,
            sizeHeading: words.numbersSubscriptionsStarted.description,
            columns: (1...Self.mostColumns).map { words.number($0) },
            rows: numbers.retention.filter { $0.subscriptions > 0 }.map { cohort in
                let begun = cohort.begun(on: numbers.day, every: length)
                let shown = min(begun, Self.mostColumns)
                let finished = begun - cohort.unfinished(on: numbers.day, every: length)
                return HeatRow(
                    name: PeriodText(cohort.month, words).name,
                    href: behind(.retention, cohort.month),
                    size: cohort.subscriptions,
                    kept: (0..<shown).map { $0 < cohort.paid.count ? cohort.paid[$0] : 0 },
                    hrefs: (0..<shown).compactMap { behind(.retention, cohort.month, step: $0) },
                    unfinished: max(0, shown - finished)
                )
            },
            csvHref: view.csvPath(.retention),
            words
        )
    }

    /// How soon those first seen in a month paid.
    var conversion: ChartFigure {
        .heat(
            heading(
                "conversion",
                words.numbersTitleConversion.description,
                words.numbersConversionFinding.description,
                words.numbersDefinitionConversion
            ),
            rowHeading: words.numbersFirstSeen.description,
            sizeHeading: words.numbersCustomers.description,
            columns: ConversionCohort.limits.map { words.numbersWithinDays(count: $0) } + [
                words.numbersEver.description
            ],
            rows: numbers.conversion.filter { $0.customers > 0 }.map { cohort in
                let unfinished = cohort.unfinished(on: numbers.day)
                return HeatRow(
                    name: PeriodText(cohort.month, words).name,
                    href: behind(.conversion, cohort.month),
                    size: cohort.customers,
                    kept: cohort.paid,
                    hrefs: cohort.paid.indices.compactMap { behind(.conversion, cohort.month, step: $0) },
                    unfinished: unfinished == 0 ? 0 : unfinished + 1
                )
            },
            csvHref: view.csvPath(.conversion),
            words
        )
    }

    /// Net revenue of each month, for each customer there was.
    var perCustomer: ChartFigure {
        monthly(
            "arpu",
            { words.numbersTitleArpu(currency: $0) },
            words.numbersDefinitionArpu,
            words.numbersArpu,
            .customers,
            \.perCustomer
        )
    }

    /// Net revenue of each month, for each who paid in it.
    var perPayer: ChartFigure {
        monthly(
            "arppu",
            { words.numbersTitleArppu(currency: $0) },
            words.numbersDefinitionArppu,
            words.numbersArppu,
            .payers,
            \.perPayer
        )
    }

    /// What each cohort has brought, for each of its customers.
    var cohortCustomers: ChartFigure {
        lifetime(
            "ltv",
            { words.numbersTitleLtv(currency: $0) },
            words.numbersLtvFinding.description,
            words.numbersLtv,
            .lifetime,
            \.perCustomer
        )
    }

    /// The same for each who paid, and what one may bring in all.
    var cohortPayers: ChartFigure {
        lifetime(
            "ltv-payers",
            { words.numbersTitleLtvPayers(currency: $0) },
            prediction,
            words.numbersLtvPayers,
            .lifetimePayers,
            \.perPayer
        )
    }

    private var prediction: String {
        guard let predicted = numbers.predicted, let amount = predicted.amount, let churn = predicted.churnRate else {
            return words.numbersNoPrediction.description
        }
        let money = ChartUnit.money(numbers.lifetime.currency)
        return words.numbersPrediction(
            amount: money.text(amount, words),
            churn: words.percent(Int64(churn), places: 2),
            month: PeriodText(predicted.month, words).name,
            revenue: money.text(predicted.perPayer, words)
        )
    }

    private func monthly(
        _ id: String,
        _ title: (String) -> String,
        _ definition: StaticString,
        _ name: StaticString,
        _ figure: CohortRowsFilter.Figure,
        _ value: (MonthlyValue) -> Int64?
    ) -> ChartFigure {
        let (rows, currency) = (numbers.monthly.rows, numbers.monthly.currency)
        let latest = rows.last { !$0.month.isUnfinished(on: numbers.day) && value($0) != nil }
        let finding = latest.map { row in
            words.chartsNamed(
                name: PeriodText(row.month, words).name,
                value: ChartUnit.money(currency).text(value(row) ?? 0, words)
            )
        }
        return .bars(
            heading(id, title(currency.code), finding ?? words.numbersNoCharges.description, definition),
            periods: ChartPeriods(rows.map(\.month), today: numbers.day, words) { behind(figure, $0) },
            current: ChartSeries(name.description, rows.map(value)),
            unit: .money(currency),
            options: ChartOptions(size: .half, csvHref: view.csvPath(.arpu), isSummed: false),
            words
        )
    }

    private func lifetime(
        _ id: String,
        _ title: (String) -> String,
        _ finding: String,
        _ name: StaticString,
        _ figure: CohortRowsFilter.Figure,
        _ value: (LifetimeValue) -> Int64?
    ) -> ChartFigure {
        let (rows, currency) = (numbers.lifetime.rows, numbers.lifetime.currency)
        return .bars(
            heading(id, title(currency.code), finding, words.numbersDefinitionLtv),
            periods: ChartPeriods(rows.map(\.month), today: numbers.day, words) { behind(figure, $0) },
            current: ChartSeries(name.description, rows.map(value)),
            unit: .money(currency),
            options: ChartOptions(size: .half, csvHref: view.csvPath(.ltv), isSummed: false),
            words
        )
    }

    /// The customers behind a figure; nil in the sandbox, of which none are kept.
    private func behind(_ figure: CohortRowsFilter.Figure, _ month: ReportingPeriod, step: Int? = nil) -> String? {
        guard view.filter.environment == .production else { return nil }
        var filter = CohortRowsFilter(numbers: view.filter, figure: figure, month: month, step: step)
        if figure == .retention { filter.numbers.period = view.length }
        return filter.path
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
}
