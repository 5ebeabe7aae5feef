import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// Retention, conversion and lifetime value of customers who came in the same month: `/dashboard/cohorts`.
package struct CohortsPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let basis: MetricBasis
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The sentence on what the months leave out for want of a rate; nil for nothing.
    let missingRates: String?
    /// The same of lifetime value.
    let missingLifetime: String?
    /// That what is shown is not what was asked for; nil when it is.
    let spanProblem: String?
    let retention: ChartFigure
    let conversion: ChartFigure
    let perCustomer: ChartFigure
    let perPayer: ChartFigure
    let cohortCustomers: ChartFigure
    let cohortPayers: ChartFigure

    package init(
        metrics: CohortMetrics,
        view: CohortsView,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .cohorts, path: view.path, now: now)
        let applied = CohortsPage.applied(view, strings)
        title = strings.list([strings.analyticsCohorts.description] + applied.strings)
        basis = MetricBasis(view.filter, viewer, now: now)
        form = CohortsPage.form(view, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = CohortsView().path
        let missingMonthly = CohortsPage.missing(metrics.monthly.unconverted, strings) {
            strings.analyticsMissingMonthly(amounts: $0)
        }
        missingRates = MetricText.leftOut(missingMonthly, metrics.monthly.unpriced, strings)
        let missing = CohortsPage.missing(metrics.lifetime.unconverted, strings) {
            strings.analyticsMissingLifetime(amounts: $0)
        }
        missingLifetime = MetricText.leftOut(missing, metrics.lifetime.unpriced, strings)
        spanProblem = metrics.span.flatMap { span in span.problem?.text(span, strings) }
        let charts = CohortCharts(metrics: metrics, view: view, viewer: viewer)
        retention = charts.retention
        conversion = charts.conversion
        perCustomer = charts.perCustomer
        perPayer = charts.perPayer
        cohortCustomers = charts.cohortCustomers
        cohortPayers = charts.cohortPayers
    }

    private static func missing(
        _ amounts: [Money],
        _ strings: Strings,
        _ sentence: (String) -> String
    ) -> String? {
        amounts.isEmpty ? nil : sentence(strings.list(amounts.map { MoneyText($0, strings).withCurrency }))
    }

    private static func form(_ view: CohortsView, _ choices: MetricsOptions, _ strings: Strings) -> FilterForm {
        var form = FilterForm(action: DashboardPath.cohorts, search: "", searchLabel: "")
        form.hasSearch = false
        form.saysReversed = false
        form.selects = view.filter.selects(choices, strings)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, strings)
        return form
    }

    private static func applied(_ view: CohortsView, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout CohortsView) -> Void) {
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
