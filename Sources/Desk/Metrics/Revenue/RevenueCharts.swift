import Billing
import HTTP
import Storage
import Words

/// The charts of the revenue page.
struct RevenueCharts: Sendable {
    let metrics: RevenueMetrics
    var view: RevenueView
    let choices: MetricsOptions
    let viewer: Viewer

    private var strings: Strings { viewer.strings }
    private var span: RevenueSpan { metrics.span }
    private var currency: Currency { metrics.currency }

    /// The chosen metric by period, next to the periods before.
    var main: ChartFigure {
        let shown = view.shown
        return .bars(
            heading(
                "revenue",
                strings.analyticsTitleShown(by: by, currency: currency.code, metric: name.description),
                finding,
                definition
            ),
            periods: periods { ledger($0, kind: RevenueCharts.kind(of: shown)) },
            current: ChartSeries(
                strings.analyticsThisTime.description,
                span.periods.map { shown.value(of: revenue($0)) },
                sums: { shown.value(of: all($0)) }
            ),
            previous: ChartSeries(
                previousName,
                span.periods.map { metrics.previous(of: $0).map(shown.value) },
                sums: { places in
                    shown.value(of: places.compactMap { metrics.previous(of: span.periods[$0]) }.reduce(Revenue(), +))
                }
            ),
            unit: .money(currency),
            options: ChartOptions(
                csvHref: view.csvPath(.periods),
                meaning: shown == .refunds ? .moreIsWorse : .moreIsBetter
            ),
            strings
        )
    }

    /// The same metric by product, plan, store or country.
    var divided: ChartFigure {
        .stack(
            heading(
                "divided",
                dividedTitle,
                strings.analyticsDividedFinding.description,
                definition
            ),
            periods: periods { ledger($0, kind: RevenueCharts.kind(of: view.shown)) },
            series: metrics.parts(view.shown).map { part in
                ChartSeries(
                    part.name.map(partName) ?? strings.analyticsOthers.description,
                    part.values,
                    sums: { _ in part.total },
                    hrefs: part.name.map { name in span.periods.map { ledger($0, of: name) } } ?? []
                )
            },
            total: name.description,
            totals: span.periods.map { view.shown.value(of: revenue($0)) },
            sum: view.shown.value(of: all(Array(span.periods.indices))),
            unit: .money(currency),
            options: ChartOptions(csvHref: view.csvPath(.parts)),
            strings
        )
    }

    /// Refunds by the day they were made.
    var refundsMade: ChartFigure {
        refunds(
            "refunds-made",
            strings.analyticsTitleRefundsMade(currency: currency.code),
            strings.analyticsDefinitionRefundsMade.description,
            rate: \.cashRefundRate,
            value: \.refunds,
            dating: .own
        )
    }

    /// Refunds by the day of the charge that they undo.
    var refundsOfCharges: ChartFigure {
        refunds(
            "refunds-of-charges",
            strings.analyticsTitleRefundsOfCharges(currency: currency.code),
            strings.analyticsDefinitionRefundsOfCharges.description,
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
        value: @escaping @Sendable (Revenue) -> Int64,
        dating: LedgerFilter.Dating
    ) -> ChartFigure {
        let sum = span.periods.map(revenue).reduce(Revenue(), +)
        let finding =
            rate(sum).map { strings.analyticsRefundRate(rate: strings.percent(Int64($0), places: 2)) }
            ?? strings.analyticsNoCharges.description
        return .bars(
            heading(id, title, finding, definition),
            periods: periods { ledger($0, kind: .refunds, dating: dating) },
            current: ChartSeries(
                strings.analyticsRefunds.description,
                span.periods.map { value(revenue($0)) },
                sums: { value(all($0)) }
            ),
            unit: .money(currency),
            options: ChartOptions(size: .half, meaning: .moreIsWorse),
            strings
        )
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: String) -> ChartHeading {
        ChartHeading(
            id: id,
            title: title,
            finding: finding,
            definition: definition,
            version: String(MetricDefinitions.version)
        )
    }

    private func periods(_ href: (ReportingPeriod) -> String) -> ChartPeriods {
        ChartPeriods(span.periods, today: span.running, strings) { href($0) }
    }

    /// Some of the periods as one.
    private func all(_ periods: [Int]) -> Revenue { periods.map { revenue(span.periods[$0]) }.reduce(Revenue(), +) }

    private func revenue(_ period: ReportingPeriod) -> Revenue { metrics.revenue(of: period) }

    /// The rows that a period's metric is the sum of.
    private func ledger(
        _ period: ReportingPeriod,
        kind: LedgerFilter.Kind,
        dating: LedgerFilter.Dating = .own
    ) -> String {
        LedgerFilter(metrics: view.filter, kind: kind, dating: dating, from: period.first, to: period.last).path
    }

    /// "Dec 2025 to Oct 2026: 14.4% more compared with the previous period. Highest: Oct 2026. Nov 2026 is in
    /// progress."
    private var finding: String {
        let shown = view.shown
        // Of nothing there is nothing to say.
        guard span.periods.contains(where: { shown.value(of: revenue($0)) != 0 }) else { return "" }
        let finished = span.periods.filter { !$0.isPartial(on: span.running) }
        var sentences: [String] = []
        let before = finished.compactMap { metrics.previous(of: $0) }
        if let first = finished.first, let last = finished.last, before.count == finished.count {
            let change = ChangeText(
                from: shown.value(of: before.reduce(Revenue(), +)),
                to: shown.value(of: finished.map(revenue).reduce(Revenue(), +)),
                strings
            )
            let (from, to) = (PeriodText(first, strings).name, PeriodText(last, strings).name)
            if let change, change.percent != nil {
                sentences.append(strings.analyticsFindingChange(change: change.text, from: from, to: to))
            }
        }
        if finished.count > 1,
            let highest = finished.max(by: { shown.value(of: revenue($0)) < shown.value(of: revenue($1)) }),
            shown.value(of: revenue(highest)) > 0
        {
            sentences.append(strings.analyticsFindingHighest(period: PeriodText(highest, strings).name))
        }
        if let open = span.periods.first(where: { $0.isPartial(on: span.running) }) {
            sentences.append(strings.analyticsFindingUnfinished(period: PeriodText(open, strings).name))
        }
        return sentences.joined(separator: strings.language == .chinese ? "" : " ")
    }

    private var previousName: String {
        span.grain == .month && span.periods.count == 12
            ? strings.analyticsYearBefore.description : strings.analyticsTimeBefore.description
    }

    private var name: StaticString { RevenueCharts.name(of: view.shown, strings) }

    private var dividedTitle: String {
        let (code, metric) = (currency.code, name.description)
        return switch view.breakdown {
        case .product: strings.analyticsTitleByProduct(currency: code, metric: metric)
        case .plan: strings.analyticsTitleByPlan(currency: code, metric: metric)
        case .store: strings.analyticsTitleByStore(currency: code, metric: metric)
        case .country: strings.analyticsTitleByCountry(currency: code, metric: metric)
        }
    }

    private var by: String {
        switch span.grain {
        case .day: strings.analyticsWithinDay.description
        case .week: strings.analyticsWithinWeek.description
        case .month: strings.analyticsWithinMonth.description
        }
    }

    private var definition: String {
        let text =
            switch view.shown {
            case .net: strings.analyticsDefinitionNet
            case .gross: strings.analyticsDefinitionGross
            case .refunds: strings.analyticsDefinitionRefundsMade
            case .proceeds: strings.analyticsDefinitionProceeds
            }
        let converted = metrics.isConverted ? " \(strings.analyticsDefinitionConverted)" : ""
        return "\(text)\(converted) \(strings.analyticsDefinitionZone(zone: viewer.zone.label))"
    }

    /// The rows of one part of a period's metric.
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
        case .store: Store(rawValue: part).map { StoreText.name(of: $0, strings).description } ?? part
        case .country: part.isEmpty ? strings.analyticsNoCountry.description : part
        }
    }

    static func kind(of shown: RevenueView.Shown) -> LedgerFilter.Kind {
        switch shown {
        case .net, .proceeds: .everything
        case .gross: .charges
        case .refunds: .refunds
        }
    }

    static func name(of shown: RevenueView.Shown, _ strings: Strings) -> StaticString {
        switch shown {
        case .net: strings.analyticsNet
        case .gross: strings.analyticsGross
        case .refunds: strings.analyticsRefunds
        case .proceeds: strings.analyticsProceeds
        }
    }

    static func name(of breakdown: RevenueCell.Breakdown, _ strings: Strings) -> StaticString {
        switch breakdown {
        case .product: strings.analyticsProduct
        case .plan: strings.analyticsPlan
        case .store: strings.partsStore
        case .country: strings.analyticsCountry
        }
    }
}
