package import Billing
package import Foundation
package import Storage

/// Who pays, and what that is a month: `/dashboard/subscribers`.
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
    /// Currencies without a rate, whose amounts are left out; nil when none is missing.
    let missingRates: String?
    /// Monthly revenue and its movements, for each currency.
    let recurring: [Recurring]
    let active: ChartFigure
    let changes: ChartFigure
    let churn: ChartFigure
    let trials: ChartFigure

    /// The charts of one currency.
    struct Recurring: Sendable {
        let revenue: ChartFigure
        let movements: ChartFigure
    }

    package init(
        metrics: SubscriberMetrics,
        view: SubscribersView,
        choices: MetricsOptions,
        reporting: Currency,
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
                href: view.changed { ($0.grain, $0.from, $0.to) = (grain, nil, nil) }.path,
                isCurrent: view.grain == grain
            )
        }
        form = SubscribersPage.form(view, choices, reporting, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = SubscribersView().changed { $0.grain = view.grain }.path
        let span = SpanFilter(metrics: view.filter, from: metrics.periods.first?.first, to: metrics.periods.last?.last)
        monthlyRevenueHref = DashboardPath.monthlyRevenue + span.query.text
        accessChangesHref = DashboardPath.accessChanges + span.query.text
        missingRates =
            metrics.missingRates.isEmpty
            ? nil : strings.analyticsMissingRates(currencies: strings.list(metrics.missingRates.map(\.code)))
        let charts = SubscriberCharts(metrics: metrics, view: view, viewer: viewer)
        recurring = metrics.currencies.prefix(4).map { currency in
            Recurring(revenue: charts.recurringRevenue(in: currency), movements: charts.movements(in: currency))
        }
        active = charts.active
        changes = charts.changes
        churn = charts.churn
        trials = charts.trials
    }

    private static func form(
        _ view: SubscribersView,
        _ choices: MetricsOptions,
        _ reporting: Currency,
        _ strings: Strings
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.subscribers, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        form.selects = [
            .init(
                "in",
                strings.analyticsAmountsIn,
                all: strings.analyticsOwnCurrency,
                chosen: view.reporting?.code,
                [(reporting.code, reporting.code)]
            )
        ]
        form.selects += view.filter.selects(choices, strings)
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
        if let reporting = view.reporting {
            let text = strings.analyticsConverted(currency: reporting.code)
            applied.add(text, chip: text, without: view.changed { $0.reporting = nil }.path)
        }
        applied.add(view.filter, strings) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
