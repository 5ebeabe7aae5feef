import Billing
package import Foundation
package import Storage

/// What became of those who came in the same month: `/dashboard/cohorts`.
package struct CohortsPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let basis: FigureBasis
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// Currencies without a rate, whose amounts are left out; nil when none is missing.
    let missingRates: String?
    let retention: ChartFigure
    let conversion: ChartFigure
    let perCustomer: ChartFigure
    let perPayer: ChartFigure
    let cohortCustomers: ChartFigure
    let cohortPayers: ChartFigure

    package init(
        numbers: CohortNumbers,
        view: CohortsView,
        choices: NumberChoices,
        viewer: Viewer,
        now: Date
    ) {
        let words = viewer.words
        frame = DashboardFrame(viewer, section: .cohorts, path: view.path, now: now)
        let applied = CohortsPage.applied(view, words)
        title = words.list([words.numbersCohorts.description] + applied.words)
        basis = FigureBasis(view.filter, viewer, now: now)
        form = CohortsPage.form(view, choices, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = CohortsView().path
        let missing = Set(numbers.monthly.missingRates + numbers.lifetime.missingRates).map(\.code).sorted()
        missingRates = missing.isEmpty ? nil : words.numbersMissingRates(currencies: words.list(missing))
        let charts = CohortCharts(numbers: numbers, view: view, viewer: viewer)
        retention = charts.retention
        conversion = charts.conversion
        perCustomer = charts.perCustomer
        perPayer = charts.perPayer
        cohortCustomers = charts.cohortCustomers
        cohortPayers = charts.cohortPayers
    }

    private static func form(_ view: CohortsView, _ choices: NumberChoices, _ words: Words) -> FilterForm {
        var form = FilterForm(action: DashboardPath.cohorts, search: "", searchLabel: "")
        form.hasSearch = false
        form.selects = view.filter.selects(choices, words)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, words)
        return form
    }

    private static func applied(_ view: CohortsView, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout CohortsView) -> Void) {
            guard let day else { return }
            let text = words.chartsNamed(name: name.description, value: PeriodText.day(day, words))
            applied.add(text, chip: text, without: view.changed(change).path)
        }
        add(words.numbersFrom, view.from) { $0.from = nil }
        add(words.numbersTo, view.to) { $0.to = nil }
        applied.add(view.filter, words) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
