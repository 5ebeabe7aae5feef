package import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The customers who gained and lost access, and the causes: `/dashboard/access`.
package struct AccessIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let chart: ChartFigure
    /// The sums over the rows of all pages; empty for one cause alone, because nothing is added up by cause.
    let sums: [Sum]
    let hasSums: Bool
    let caption: String
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    /// A line of the sums: "First access", "12".
    struct Sum: Sendable {
        let name: StaticString
        /// The rows that it is a part of.
        let href: String
        let value: String
    }

    struct Row: Sendable {
        let customerHref: String
        let customer: String
        let at: DateText
        let before: String
        let after: String
        let cause: StaticString
        let doer: String
    }

    package init(
        list: ListPage<AccessRow>,
        counts: [AccessCount],
        sums: [AccessMovement: Int64],
        filter: AccessFilter,
        choices: MetricsOptions,
        viewer: Viewer,
        today: BusinessDay,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, filter.path)
        frame = DashboardFrame(viewer, section: .access, path: path, now: now)
        let applied = AccessIndexPage.applied(filter, strings)
        let heading = ListHeading(
            list,
            of: strings.analyticsAccess.description,
            filters: applied.strings,
            none: strings.analyticsNoChanges,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        form = AccessIndexPage.form(filter, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.access
        chart = AccessIndexPage.chart(counts, filter, viewer, today)
        self.sums = filter.cause == nil && !list.rows.isEmpty ? AccessIndexPage.sums(sums, filter, strings) : []
        hasSums = !self.sums.isEmpty
        caption = strings.analyticsAccessCaption(zone: viewer.zone.label)
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, from: path, viewer) }
        empty = EmptyState(
            headline: strings.analyticsNoChangesHeadline.description,
            text: strings.analyticsNoChangesText.description,
            linkText: strings.analyticsNoChangesLink.description,
            href: DashboardPath.access
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func chart(
        _ counts: [AccessCount],
        _ filter: AccessFilter,
        _ viewer: Viewer,
        _ today: BusinessDay
    ) -> ChartFigure {
        let strings = viewer.strings
        let net = counts.reduce(0) { $0 + $1[.gained] + $1[.regained] - $1[.lost] }
        let series: [(StaticString, AccessFilter.Direction, (AccessCount) -> Int64)] = [
            (strings.analyticsAccessGained, .gained, { $0[.gained] }),
            (strings.analyticsAccessRegained, .gained, { $0[.regained] }),
            (strings.analyticsAccessLost, .lost, { -$0[.lost] }),
        ]
        func href(_ direction: AccessFilter.Direction?, _ period: ReportingPeriod) -> String {
            filter.changed {
                ($0.direction, $0.cause, $0.from, $0.to) = (direction, nil, period.first, period.last)
            }.path
        }
        return .stack(
            ChartHeading(
                id: "access-changes",
                title: strings.analyticsTitleAccess.description,
                finding: strings.analyticsMovementFinding(
                    change: ChartUnit.count.number(net, strings, showsPlus: true),
                    days: PeriodText.days(of: counts.map(\.period), strings)
                ),
                definition:
                    "\(strings.analyticsDefinitionAccess) \(strings.analyticsDefinitionZone(zone: viewer.zone.label))",
                version: String(MetricDefinitions.version)
            ),
            periods: ChartPeriods(counts.map(\.period), today: today, strings) { href(nil, $0) },
            series: series.map { name, direction, value in
                ChartSeries(
                    name.description,
                    counts.map(value),
                    hrefs: counts.map { href(direction, $0.period) }
                )
            },
            total: strings.analyticsNetChange.description,
            unit: .count,
            options: ChartOptions(csvHref: filter.csvPath),
            strings
        )
    }

    private static func sums(
        _ sums: [AccessMovement: Int64],
        _ filter: AccessFilter,
        _ strings: Strings
    ) -> [Sum] {
        func count(_ movement: AccessMovement) -> Int64 { sums[movement] ?? 0 }
        let parts: [(StaticString, AccessFilter.Direction, Int64)] = [
            (strings.analyticsAccessGained, .gained, count(.gained)),
            (strings.analyticsAccessRegained, .gained, count(.regained)),
            (strings.analyticsAccessLost, .lost, -count(.lost)),
            (strings.analyticsAccessMoved, .moved, count(.raised) + count(.lowered)),
        ]
        let shown = parts.filter { filter.direction == nil || filter.direction == $0.1 }
        let lines = shown.map { name, direction, value in
            Sum(
                name: name,
                href: filter.changed { $0.direction = direction }.path,
                value: ChartUnit.count.number(value, strings)
            )
        }
        guard filter.direction == nil else { return lines }
        let net = count(.gained) + count(.regained) - count(.lost)
        return lines + [
            Sum(
                name: strings.analyticsNetChange,
                href: filter.firstPage.path,
                value: ChartUnit.count.number(net, strings)
            )
        ]
    }

    private static func form(_ filter: AccessFilter, _ choices: MetricsOptions, _ strings: Strings) -> FilterForm {
        var form = FilterForm(action: DashboardPath.access, search: "", searchLabel: "")
        form.hasSearch = false
        form.selects = [
            .init(
                "direction",
                strings.analyticsRowKind,
                all: strings.listsAny,
                chosen: filter.direction?.rawValue,
                AccessFilter.Direction.allCases.map { ($0.rawValue, AccessText.name(of: $0, strings).description) }
            ),
            .init(
                "cause",
                strings.analyticsCause,
                all: strings.listsAny,
                chosen: filter.cause?.rawValue,
                EntitlementChange.Cause.allCases.map { ($0.rawValue, AccessText.name(of: $0, strings).description) }
            ),
        ]
        form.selects += filter.metrics.selects(choices, strings)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.metrics.asOf, strings)
        return form
    }

    private static func applied(_ filter: AccessFilter, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ value: String, _ change: @escaping (inout AccessFilter) -> Void) {
            let text = strings.chartsNamed(name: name.description, value: value)
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if let direction = filter.direction {
            add(strings.analyticsRowKind, AccessText.name(of: direction, strings).description) { $0.direction = nil }
        }
        if let cause = filter.cause {
            add(strings.analyticsCause, AccessText.name(of: cause, strings).description) { $0.cause = nil }
        }
        if let from = filter.from { add(strings.analyticsFrom, PeriodText.day(from, strings)) { $0.from = nil } }
        if let to = filter.to { add(strings.analyticsTo, PeriodText.day(to, strings)) { $0.to = nil } }
        applied.add(filter.metrics, strings) { change in filter.changed { change(&$0.metrics) }.path }
        return applied
    }
}

extension AccessIndexPage.Row {
    fileprivate init(_ row: AccessRow, from path: String, _ viewer: Viewer) {
        let strings = viewer.strings
        self.init(
            customerHref: DashboardPath.customer(row.customer, from: path),
            customer: row.customer.description,
            at: DateText(row.at, in: viewer.zone, strings),
            before: row.before ?? strings.analyticsNothing.description,
            after: row.after ?? strings.analyticsNothing.description,
            cause: AccessText.name(of: row.cause, strings),
            doer: AccessText.doer(of: row, strings)
        )
    }
}
