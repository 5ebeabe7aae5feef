package import Billing
package import Foundation
package import Storage

/// Revenue over time: `/dashboard/revenue`.
package struct RevenuePage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let basis: MetricBasis
    let tabs: [FilterTab]
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// Currencies without a rate, whose amounts are left out; nil when none is missing.
    let missingRates: String?
    let sections: [Section]
    let hasMetrics: Bool
    let empty: EmptyState

    /// The charts of one currency.
    struct Section: Sendable {
        let main: ChartFigure
        let divided: ChartFigure
        let refundsMade: ChartFigure
        let refundsOfCharges: ChartFigure
    }

    package init(
        metrics: RevenueMetrics,
        view: RevenueView,
        choices: MetricsOptions,
        reporting: Currency,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .revenue, path: view.path, now: now)
        let applied = RevenuePage.applied(view, strings)
        title = strings.list([strings.analyticsRevenue.description] + applied.strings)
        basis = MetricBasis(view.filter, viewer, now: now)
        tabs = RevenuePage.tabs(view, strings)
        form = RevenuePage.form(view, choices, reporting, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref =
            RevenueView().changed { ($0.grain, $0.shown, $0.breakdown) = (view.grain, view.shown, view.breakdown) }.path
        missingRates =
            metrics.missingRates.isEmpty
            ? nil : strings.analyticsMissingRates(currencies: strings.list(metrics.missingRates.map(\.code)))
        sections = metrics.currencies.prefix(4).map { currency in
            let charts = RevenueCharts(
                metrics: metrics,
                view: view,
                currency: currency,
                choices: choices,
                viewer: viewer
            )
            return Section(
                main: charts.main,
                divided: charts.divided,
                refundsMade: charts.refundsMade,
                refundsOfCharges: charts.refundsOfCharges
            )
        }
        hasMetrics = !sections.isEmpty
        empty = EmptyState(
            headline: strings.analyticsEmptyHeadline.description,
            text: strings.analyticsEmptyText.description,
            linkText: strings.analyticsEmptyLink.description,
            href: isFiltered ? clearHref : DashboardPath.orders
        )
    }

    private static func tabs(_ view: RevenueView, _ strings: Strings) -> [FilterTab] {
        [
            (ReportingPeriod.Grain.day, strings.analyticsByDay), (.week, strings.analyticsByWeek),
            (.month, strings.analyticsByMonth),
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
        _ choices: MetricsOptions,
        _ reporting: Currency,
        _ strings: Strings
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.revenue, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        form.selects = [
            .init(
                "show",
                strings.analyticsShow,
                chosen: view.shown.rawValue,
                RevenueView.Shown.allCases.map { ($0.rawValue, RevenueCharts.name(of: $0, strings).description) }
            ),
            .init(
                "by",
                strings.analyticsDividedBy,
                chosen: view.breakdown.rawValue,
                RevenueCell.Breakdown.allCases.map { ($0.rawValue, RevenueCharts.name(of: $0, strings).description) }
            ),
            .init(
                "in",
                strings.analyticsAmountsIn,
                all: strings.analyticsOwnCurrency,
                chosen: view.reporting?.code,
                [(reporting.code, reporting.code)]
            ),
        ]
        form.selects += view.filter.selects(choices, strings)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, strings)
        return form
    }

    private static func applied(_ view: RevenueView, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout RevenueView) -> Void) {
            guard let day else { return }
            let text = PeriodText.day(day, strings)
            applied.add(
                strings.chartsNamed(name: name.description, value: text),
                chip: strings.chartsNamed(name: name.description, value: text),
                without: view.changed(change).path
            )
        }
        add(strings.analyticsFrom, view.from) { $0.from = nil }
        add(strings.analyticsTo, view.to) { $0.to = nil }
        if let reporting = view.reporting {
            applied.add(
                strings.analyticsConverted(currency: reporting.code),
                chip: strings.analyticsConverted(currency: reporting.code),
                without: view.changed { $0.reporting = nil }.path
            )
        }
        applied.add(view.filter, strings) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
