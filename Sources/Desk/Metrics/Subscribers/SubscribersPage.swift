import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// Subscribers and their monthly recurring revenue: `/dashboard/subscribers`.
package struct SubscribersPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let basis: MetricBasis
    let tabs: [FilterTab]
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// Files of what each customer pays a month, and of who gained and lost access.
    let monthlyRevenueHref: String
    let accessChangesHref: String
    /// The sentence on what is left out for want of a rate; nil when nothing is.
    let missingRates: String?
    /// That what is shown is not what was asked for; nil when it is.
    let spanProblem: String?
    let recurringRevenue: ChartFigure
    let movements: ChartFigure
    let active: ChartFigure
    let changes: ChartFigure
    let churn: ChartFigure
    let trials: ChartFigure

    package init(
        metrics: SubscriberMetrics,
        view: SubscribersView,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .subscribers, path: view.path, now: now)
        let applied = SubscribersPage.applied(view, strings)
        title = strings.list([strings.analyticsSubscribers.description] + applied.strings)
        basis = MetricBasis(view.filter, viewer, now: now)
        tabs = [
            (ReportingPeriod.Grain.day, strings.analyticsByDay), (.week, strings.analyticsByWeek),
            (.month, strings.analyticsByMonth),
        ].map { grain, label in
            FilterTab(
                label: label.description,
                href: view.changed { ($0.grain, $0.isTables) = (grain, false) }.path,
                isCurrent: metrics.span.grain == grain
            )
        }
        form = SubscribersPage.form(view, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = SubscribersView().changed { ($0.grain, $0.isTables) = (view.grain, view.isTables) }.path
        let span = SpanFilter(metrics: view.filter, from: metrics.periods.first?.first, to: metrics.periods.last?.last)
        monthlyRevenueHref = DashboardPath.monthlyRevenue + span.query.text
        accessChangesHref = DashboardPath.accessChanges + span.query.text
        missingRates = MetricText.leftOut(
            MetricText.unconverted(metrics.unconverted, strings),
            metrics.unpriced,
            strings
        )
        spanProblem = metrics.span.problem?.text(metrics.span, strings)
        let charts = SubscriberCharts(metrics: metrics, view: view, viewer: viewer)
        func shown(_ figure: ChartFigure) -> ChartFigure {
            figure.parted(isTable: view.isTables, other: view.changed { $0.isTables.toggle() }.path)
        }
        recurringRevenue = shown(charts.recurringRevenue)
        movements = shown(charts.movements)
        active = shown(charts.active)
        changes = shown(charts.changes)
        churn = shown(charts.churn)
        trials = charts.trials
    }

    private static func form(
        _ view: SubscribersView,
        _ choices: MetricsOptions,
        _ strings: Strings
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.subscribers, search: "", searchLabel: "")
        form.hasSearch = false
        form.saysReversed = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        if view.isTables { form.hidden.append(.init(name: "tables", value: "yes")) }
        form.selects = view.filter.selects(choices, strings)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, strings)
        return form
    }

    private static func applied(_ view: SubscribersView, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout SubscribersView) -> Void) {
            guard let day else { return }
            let text = strings.chartsNamed(name: name.description, value: PeriodText.day(day, strings))
            applied.add(text, chip: text, without: view.changed(change).path)
        }
        add(strings.analyticsFrom, view.from) { $0.from = nil }
        add(strings.analyticsTo, view.to) { $0.to = nil }
        applied.add(view.filter, strings) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
