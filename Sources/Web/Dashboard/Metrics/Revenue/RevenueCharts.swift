import Billing
import Storage

/// The charts of the revenue page in one currency.
struct RevenueCharts: Sendable {
    let numbers: RevenueNumbers
    var view: RevenueView
    let currency: Currency
    let choices: NumberChoices
    let viewer: Viewer

    private var words: Words { viewer.words }
    private var span: RevenueSpan { numbers.span }

    /// The chosen figure by period, beside the periods before.
    var main: ChartFigure {
        let shown = view.shown
        return .bars(
            heading(
                "main",
                words.numbersTitleShown(by: by, currency: currency.code, figure: name.description),
                finding,
                definition
            ),
            periods: periods { ledger($0, kind: RevenueCharts.kind(of: shown)) },
            current: ChartSeries(words.numbersThisTime.description, span.periods.map { shown.value(of: revenue($0)) }),
            previous: ChartSeries(
                previousName,
                span.periods.map { numbers.previous(of: $0, in: currency).map(shown.value) }
            ),
            unit: .money(currency),
            options: ChartOptions(
                csvHref: view.csvPath(.periods),
                meaning: shown == .refunds ? .moreIsWorse : .moreIsBetter
            ),
            words
        )
    }

    /// The same figure by product, plan, store or country.
    var divided: ChartFigure {
        .stack(
            heading(
                "divided",
                dividedTitle,
                words.numbersDividedFinding.description,
                definition
            ),
            periods: periods { ledger($0, kind: RevenueCharts.kind(of: view.shown)) },
            series: numbers.parts(in: currency, view.shown).map { part in
                ChartSeries(
                    part.name.map(partName) ?? words.numbersOthers.description,
                    part.values,
                    hrefs: part.name.map { name in span.periods.map { ledger($0, of: name) } } ?? []
                )
            },
            total: name.description,
            totals: span.periods.map { view.shown.value(of: revenue($0)) },
            unit: .money(currency),
            options: ChartOptions(csvHref: view.csvPath(.parts)),
            words
        )
    }

    /// Refunds by the day they were made.
    var refundsMade: ChartFigure {
        refunds(
            "refunds-made",
            words.numbersTitleRefundsMade(currency: currency.code),
            words.numbersDefinitionRefundsMade.description,
            rate: \.cashRefundRate,
            value: \.refunds,
            dating: .own
        )
    }

    /// Refunds by the day of the charge that they undo.
    var refundsOfCharges: ChartFigure {
        refunds(
            "refunds-of-charges",
            words.numbersTitleRefundsOfCharges(currency: currency.code),
            words.numbersDefinitionRefundsOfCharges.description,
            rate: \.cohortRefundRate,
            value: \.refundsOfCharges,
            dating: .charge
        )
    }

    private func refunds(
        _ id: String,
        _ title: String,
        _ definition: String,
        rate: (Revenue) -> Int?,
        value: (Revenue) -> Int64,
        dating: LedgerFilter.Dating
    ) -> ChartFigure {
        let sum = span.periods.map(revenue).reduce(Revenue(), +)
        let finding =
            rate(sum).map { words.numbersRefundRate(rate: words.percent(Int64($0), places: 2)) }
            ?? words.numbersNoCharges.description
        return .bars(
            heading(id, title, finding, definition),
            periods: periods { ledger($0, kind: .refunds, dating: dating) },
            current: ChartSeries(words.numbersRefunds.description, span.periods.map { value(revenue($0)) }),
            unit: .money(currency),
            options: ChartOptions(size: .half, meaning: .moreIsWorse),
            words
        )
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: String) -> ChartHeading {
        ChartHeading(
            id: "\(id)-\(currency.code.lowercased())",
            title: title,
            finding: finding,
            definition: definition,
            version: String(NumberDefinitions.version)
        )
    }

    private func periods(_ href: (ReportingPeriod) -> String) -> ChartPeriods {
        ChartPeriods(span.periods, today: span.today, words) { href($0) }
    }

    private func revenue(_ period: ReportingPeriod) -> Revenue { numbers.revenue(of: period, in: currency) }

    /// The rows that a period's figure is the sum of.
    private func ledger(
        _ period: ReportingPeriod,
        kind: LedgerFilter.Kind,
        dating: LedgerFilter.Dating = .own
    ) -> String {
        var filter = LedgerFilter(numbers: view.filter, kind: kind, dating: dating, from: period.first, to: period.last)
        if let reporting = view.reporting { filter.reporting = reporting } else { filter.numbers.currency = currency }
        return filter.path
    }

    /// "Dec 2025 – Oct 2026 is 14.4% more than the 11 periods before. Highest: Oct 2026. Nov 2026 is not finished."
    private var finding: String {
        let shown = view.shown
        let finished = span.periods.filter { !$0.isUnfinished(on: span.today) }
        var sentences: [String] = []
        let before = finished.compactMap { numbers.previous(of: $0, in: currency) }
        if let first = finished.first, let last = finished.last, before.count == finished.count {
            let change = ChangeText(
                from: before.map(shown.value).boundedSum,
                to: finished.map { shown.value(of: revenue($0)) }.boundedSum,
                words
            )
            let (from, to) = (PeriodText(first, words).name, PeriodText(last, words).name)
            if let change, change.percent != nil {
                sentences.append(words.numbersFindingChange(change: change.text, from: from, to: to))
            }
        }
        if finished.count > 1,
            let highest = finished.max(by: { shown.value(of: revenue($0)) < shown.value(of: revenue($1)) })
        {
            sentences.append(words.numbersFindingHighest(period: PeriodText(highest, words).name))
        }
        if let open = span.periods.first(where: { $0.isUnfinished(on: span.today) }) {
            sentences.append(words.numbersFindingUnfinished(period: PeriodText(open, words).name))
        }
        return sentences.joined(separator: words.language == .chinese ? "" : " ")
    }

    private var previousName: String {
        span.grain == .month && span.periods.count == 12
            ? words.numbersYearBefore.description : words.numbersTimeBefore.description
    }

    private var name: StaticString { RevenueCharts.name(of: view.shown, words) }

    private var dividedTitle: String {
        let (code, figure) = (currency.code, name.description)
        return switch view.breakdown {
        case .product: words.numbersTitleByProduct(currency: code, figure: figure)
        case .plan: words.numbersTitleByPlan(currency: code, figure: figure)
        case .store: words.numbersTitleByStore(currency: code, figure: figure)
        case .country: words.numbersTitleByCountry(currency: code, figure: figure)
        }
    }

    private var by: String {
        switch span.grain {
        case .day: words.numbersWithinDay.description
        case .week: words.numbersWithinWeek.description
        case .month: words.numbersWithinMonth.description
        }
    }

    private var definition: String {
        let text =
            switch view.shown {
            case .net: words.numbersDefinitionNet
            case .gross: words.numbersDefinitionGross
            case .refunds: words.numbersDefinitionRefundsMade
            case .proceeds: words.numbersDefinitionProceeds
            }
        let converted = view.reporting == nil ? "" : " \(words.numbersDefinitionConverted)"
        return "\(text)\(converted) \(words.numbersDefinitionZone(zone: viewer.zone.label))"
    }

    /// The rows of one part of a period's figure.
    private func ledger(_ period: ReportingPeriod, of part: String) -> String {
        var charts = self
        switch view.breakdown {
        case .plan: charts.view.filter.plan = part
        case .product: charts.view.filter.product = part
        case .store: charts.view.filter.store = Store(rawValue: part)
        case .country: charts.view.filter.country = part
        }
        return charts.ledger(period, kind: RevenueCharts.kind(of: view.shown))
    }

    private func partName(_ part: String) -> String {
        switch view.breakdown {
        case .plan: part
        case .product: choices.products.first { $0.id == part }?.name ?? part
        case .store: Store(rawValue: part).map { StoreText.name(of: $0, words).description } ?? part
        case .country: part.isEmpty ? words.numbersNoCountry.description : part
        }
    }

    static func kind(of shown: RevenueView.Shown) -> LedgerFilter.Kind {
        switch shown {
        case .net, .proceeds: .everything
        case .gross: .charges
        case .refunds: .refunds
        }
    }

    static func name(of shown: RevenueView.Shown, _ words: Words) -> StaticString {
        switch shown {
        case .net: words.numbersNet
        case .gross: words.numbersGross
        case .refunds: words.numbersRefunds
        case .proceeds: words.numbersProceeds
        }
    }

    static func name(of breakdown: RevenueCell.Breakdown, _ words: Words) -> StaticString {
        switch breakdown {
        case .product: words.numbersProduct
        case .plan: words.numbersPlan
        case .store: words.partsStore
        case .country: words.numbersCountry
        }
    }
}
