import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

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
    /// The sentence on what is left out for want of a rate, or of an amount; nil when nothing is.
    let missingRates: String?
    /// That what is shown is not what was asked for; nil when it is.
    let spanProblem: String?
    let main: ChartFigure
    let divided: ChartFigure
    let refundsMade: ChartFigure
    let refundsOfCharges: ChartFigure
    let hasMetrics: Bool
    let empty: EmptyState

    package init(
        metrics: RevenueMetrics,
        view: RevenueView,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .revenue, path: view.path, now: now)
        let applied = RevenuePage.applied(view, strings)
        title = strings.list([strings.analyticsRevenue.description] + applied.strings)
        basis = MetricBasis(view.filter, viewer, now: now)
        tabs = RevenuePage.tabs(view, shown: metrics.span.grain, strings)
        form = RevenuePage.form(view, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref =
            RevenueView().changed {
                ($0.grain, $0.shown, $0.breakdown) = (view.grain, view.shown, view.breakdown)
                $0.isTables = view.isTables
            }.path
        missingRates = MetricText.leftOut(metrics, strings)
        spanProblem = metrics.span.problem?.text(metrics.span, strings)
        let charts = RevenueCharts(metrics: metrics, view: view, choices: choices, viewer: viewer)
        func shown(_ figure: ChartFigure) -> ChartFigure {
            figure.parted(isTable: view.isTables, other: view.changed { $0.isTables.toggle() }.path)
        }
        main = shown(charts.main)
        divided = shown(charts.divided)
        refundsMade = shown(charts.refundsMade)
        refundsOfCharges = shown(charts.refundsOfCharges)
        hasMetrics = !metrics.isEmpty
        empty = EmptyState(
            headline: strings.analyticsEmptyHeadline.description,
            text: strings.analyticsEmptyText.description,
            linkText: strings.analyticsEmptyLink.description,
            href: isFiltered ? clearHref : DashboardPath.orders
        )
    }

    /// - Parameter shown: by what the charts are divided, which is longer than what was asked for where that would not fit.
    private static func tabs(
        _ view: RevenueView,
        shown: ReportingPeriod.Grain,
        _ strings: Strings
    ) -> [FilterTab] {
        [
            (ReportingPeriod.Grain.day, strings.analyticsByDay), (.week, strings.analyticsByWeek),
            (.month, strings.analyticsByMonth),
        ].map { grain, label in
            FilterTab(
                label: label.description,
                href: view.changed { ($0.grain, $0.isTables) = (grain, false) }.path,
                isCurrent: shown == grain
            )
        }
    }

    private static func form(
        _ view: RevenueView,
        _ choices: MetricsOptions,
        _ strings: Strings
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.revenue, search: "", searchLabel: "")
        form.hasSearch = false
        form.saysReversed = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        if view.isTables { form.hidden.append(.init(name: "tables", value: "yes")) }
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
        applied.add(view.filter, strings) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
