import Billing
package import Foundation
package import HTTP
import Storage
package import Words

/// The usage of each feature over time: `/dashboard/usage`.
package struct UsagePage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    /// "UTC+8"
    let zone: String
    /// "As of 22 Nov 2026 18:13 UTC+8"
    let until: String
    let made: DateText
    let tabs: [FilterTab]
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// That what is shown is not what was asked for; nil when it is.
    let spanProblem: String?
    let chart: ChartFigure
    let hasUsage: Bool
    let empty: EmptyState

    package init(metrics: UsageMetrics, viewer: Viewer, now: Date) {
        let (strings, view) = (viewer.strings, metrics.view)
        frame = DashboardFrame(viewer, section: .usage, path: view.path, now: now)
        let applied = UsagePage.applied(metrics, strings)
        title = strings.list([strings.usageTitle.description] + applied.strings)
        zone = viewer.zone.label
        until = strings.analyticsUntil(moment: DateText.full(now, in: viewer.zone, strings))
        made = DateText(now, in: viewer.zone, strings)
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
        form = UsagePage.form(metrics, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = view.changed { ($0.feature, $0.from, $0.to) = (nil, nil, nil) }.path
        spanProblem = metrics.span.problem?.text(metrics.span, strings)
        chart = ChartFigure.usage(metrics, viewer)
            .parted(isTable: view.isTables, other: view.changed { $0.isTables.toggle() }.path)
        hasUsage = !metrics.isEmpty
        empty = EmptyState(
            headline: strings.usageEmptyHeadline.description,
            text: strings.usageEmptyText.description,
            linkText: strings.analyticsEmptyLink.description,
            href: isFiltered ? clearHref : DashboardPath.customers
        )
    }

    private static func form(_ metrics: UsageMetrics, _ strings: Strings) -> FilterForm {
        let view = metrics.view
        var form = FilterForm(action: DashboardPath.usage, search: "", searchLabel: "")
        form.hasSearch = false
        form.saysReversed = false
        form.hidden = view.grain == .day ? [] : [.init(name: "grain", value: view.grain.rawValue)]
        if view.isTables { form.hidden.append(.init(name: "tables", value: "yes")) }
        form.selects = [
            .init(
                "feature",
                strings.usageFeature,
                all: strings.listsAny,
                chosen: view.feature,
                metrics.features.map { ($0.feature.code, $0.name(in: "\(strings.tag)")) }
            )
        ]
        form.dates = [
            FilterForm.Day(
                name: "from",
                label: strings.analyticsFrom,
                value: view.from?.description ?? ""
            ),
            FilterForm.Day(name: "to", label: strings.analyticsTo, value: view.to?.description ?? ""),
        ]
        return form
    }

    private static func applied(_ metrics: UsageMetrics, _ strings: Strings) -> AppliedFilters {
        let view = metrics.view
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ value: String?, _ change: @escaping (inout UsageView) -> Void) {
            guard let value else { return }
            let text = strings.chartsNamed(name: name.description, value: value)
            applied.add(text, chip: text, without: view.changed(change).path)
        }
        add(strings.usageFeature, view.feature.map { metrics.name(of: $0, strings) }) { $0.feature = nil }
        add(strings.analyticsFrom, view.from.map { PeriodText.day($0, strings) }) { $0.from = nil }
        add(strings.analyticsTo, view.to.map { PeriodText.day($0, strings) }) { $0.to = nil }
        return applied
    }
}
