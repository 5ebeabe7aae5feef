package import Billing
package import Foundation
package import Storage

/// Who pays, and what that is a month: `/dashboard/subscribers`.
package struct SubscribersPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let basis: FigureBasis
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
        let standing: ChartFigure
        let movements: ChartFigure
    }

    package init(
        numbers: SubscriberNumbers,
        view: SubscribersView,
        choices: NumberChoices,
        reporting: Currency,
        viewer: Viewer,
        now: Date
    ) {
        let words = viewer.words
        frame = DashboardFrame(viewer, section: .subscribers, path: view.path, now: now)
        let applied = SubscribersPage.applied(view, words)
        title = words.list([words.numbersSubscribers.description] + applied.words)
        basis = FigureBasis(view.filter, viewer, now: now)
        tabs = [
            (ReportingPeriod.Grain.day, words.numbersByDay), (.week, words.numbersByWeek),
            (.month, words.numbersByMonth),
        ].map { grain, label in
            FilterTab(
                label: label.description,
                href: view.changed { ($0.grain, $0.from, $0.to) = (grain, nil, nil) }.path,
                isCurrent: view.grain == grain
            )
        }
        form = SubscribersPage.form(view, choices, reporting, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = SubscribersView().changed { $0.grain = view.grain }.path
        let span = SpanFilter(numbers: view.filter, from: numbers.periods.first?.first, to: numbers.periods.last?.last)
        monthlyRevenueHref = DashboardPath.monthlyRevenue + span.query.text
        accessChangesHref = DashboardPath.accessChanges + span.query.text
        missingRates =
            numbers.missingRates.isEmpty
            ? nil : words.numbersMissingRates(currencies: words.list(numbers.missingRates.map(\.code)))
        let charts = SubscriberCharts(numbers: numbers, view: view, viewer: viewer)
        recurring = numbers.currencies.prefix(4).map { currency in
            Recurring(standing: charts.standing(in: currency), movements: charts.movements(in: currency))
        }
        active = charts.active
        changes = charts.changes
        churn = charts.churn
        trials = charts.trials
    }

    private static func form(
        _ view: SubscribersView,
        _ choices: NumberChoices,
        _ reporting: Currency,
        _ words: Words
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.subscribers, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = view.grain == .month ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        form.selects = [
            .init(
                "in",
                words.numbersAmountsIn,
                all: words.numbersOwnCurrency,
                chosen: view.reporting?.code,
                [(reporting.code, reporting.code)]
            )
        ]
        form.selects += view.filter.selects(choices, words)
        form.dates = FilterForm.span(view.from, view.to, asOf: view.filter.asOf, words)
        return form
    }

    private static func applied(_ view: SubscribersView, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ day: BusinessDay?, _ change: @escaping (inout SubscribersView) -> Void) {
            guard let day else { return }
            let text = words.chartsNamed(name: name.description, value: PeriodText.day(day, words))
            applied.add(text, chip: text, without: view.changed(change).path)
        }
        add(words.numbersFrom, view.from) { $0.from = nil }
        add(words.numbersTo, view.to) { $0.to = nil }
        if let reporting = view.reporting {
            let text = words.numbersConverted(currency: reporting.code)
            applied.add(text, chip: text, without: view.changed { $0.reporting = nil }.path)
        }
        applied.add(view.filter, words) { change in view.changed { change(&$0.filter) }.path }
        return applied
    }
}
