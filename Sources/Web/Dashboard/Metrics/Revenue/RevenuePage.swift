package import Billing
package import Foundation
package import Storage

/// Revenue over time: `/dashboard/revenue`.
package struct RevenuePage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let basis: FigureBasis
    let tabs: [FilterTab]
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// Currencies without a rate, whose amounts are left out; nil when none is missing.
    let missingRates: String?
    let figures: [Figures]
    let hasFigures: Bool
    let empty: EmptyState

    /// The charts of one currency.
    struct Figures: Sendable {
        let main: ChartFigure
        let divided: ChartFigure
        let refundsMade: ChartFigure
        let refundsOfCharges: ChartFigure
    }

    package init(
        numbers: RevenueNumbers,
        view: RevenueView,
        choices: NumberChoices,
        reporting: Currency,
        viewer: Viewer,
        now: Date
    ) {
        let words = viewer.words
        frame = DashboardFrame(viewer, section: .revenue, path: view.path, now: now)
        let applied = RevenuePage.applied(view, words)
        title = words.list([words.numbersRevenue.description] + applied.words)
        basis = FigureBasis(view.filter, viewer, now: now)
        tabs = RevenuePage.tabs(view, words)
        form = RevenuePage.form(view, choices, reporting, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref =
            RevenueView().changed { ($0.grain, $0.shown, $0.breakdown) = (view.grain, view.shown, view.breakdown) }.path
        missingRates =
            numbers.missingRates.isEmpty
            ? nil : words.numbersMissingRates(currencies: words.list(numbers.missingRates.map(\.code)))
        figures = numbers.currencies.prefix(4).map { currency in
            let charts = RevenueCharts(
                numbers: numbers,
                view: view,
                currency: currency,
                choices: choices,
                viewer: viewer
            )
            return Figures(
                main: charts.main,
                divided: charts.divided,
                refundsMade: charts.refundsMade,
                refundsOfCharges: charts.refundsOfCharges
            )
        }
        hasFigures = !figures.isEmpty
        empty = EmptyState(
            headline: words.numbersEmptyHeadline.description,
            text: words.numbersEmptyText.description,
            linkText: words.numbersEmptyLink.description,
            href: isFiltered ? clearHref : DashboardPath.orders
        )
    }

    private static func tabs(_ view: RevenueView, _ words: Words) -> [FilterTab] {
        [
            (ReportingPeriod.Grain.day, words.numbersByDay), (.week, words.numbersByWeek),
            (.month, words.numbersByMonth),
        ].map { grain, label in
            FilterTab(
                label: label.description,
                href: view.changed { ($0.grain, $0.from, $0.to) = (grain, nil, nil) }.path,
                isCurrent: view.grain == grain
            )
        }
    }

    private static func form(
        _ view: RevenueView,
        _ choices: NumberChoices,
        _ reporting: Currency,
        _ words: Words
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.revenue, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        form.selects = [
            .init(
                "show",
                words.numbersShow,
                chosen: view.shown.rawValue,
                RevenueView.Shown.allCases.map { ($0.rawValue, RevenueCharts.name(of: $0, words).description) }
            ),
            .init(
                "by",
                words.numbersDividedBy,
                chosen: view.breakdown.rawValue,
                RevenueCell.Breakdown.allCases.map { ($0.rawValue, RevenueCharts.name(of: $0, words).description) }
            ),
            .init(
                "in",
                words.numbersAmountsIn,
                all: words.numbersOwnCurrency,
                chosen: view.reporting?.code,
                [(reporting.code, reporting.code)]
            ),
        ]
        form.selects += view.filter.selects(choices, words)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, words)
        return form
    }

    private static func applied(_ view: RevenueView, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout RevenueView) -> Void) {
            guard let day else { return }
            let text = PeriodText.day(day, words)
            applied.add(
                words.chartsNamed(name: name.description, value: text),
                chip: words.chartsNamed(name: name.description, value: text),
                without: view.changed(change).path
            )
        }
        add(words.numbersFrom, view.from) { $0.from = nil }
        add(words.numbersTo, view.to) { $0.to = nil }
        if let reporting = view.reporting {
            applied.add(
                words.numbersConverted(currency: reporting.code),
                chip: words.numbersConverted(currency: reporting.code),
                without: view.changed { $0.reporting = nil }.path
            )
        }
        applied.add(view.filter, words) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
