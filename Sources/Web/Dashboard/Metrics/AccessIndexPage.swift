package import Billing
package import Foundation
package import Storage

/// Who gained and lost access, and why: `/dashboard/access`.
package struct AccessIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    let chart: ChartFigure
    /// What the rows of all pages add up to; nothing for one cause alone, by which nothing is added up.
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
        list: AccessList,
        counts: [AccessCount],
        sums: [AccessMovement: Int64],
        filter: AccessFilter,
        choices: NumberChoices,
        viewer: Viewer,
        today: BusinessDay,
        now: Date
    ) {
        let (words, path) = (viewer.words, filter.path)
        frame = DashboardFrame(viewer, section: .access, path: path, now: now)
        let applied = AccessIndexPage.applied(filter, words)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total, words)
        let listed = words.list([words.numbersAccess.description] + applied.words)
        title = list.rows.isEmpty ? listed : words.partsTitled(range: shown, title: listed)
        range = list.rows.isEmpty ? words.numbersNoChanges.description : "\(shown) · \(words.partsNewestFirst)"
        form = AccessIndexPage.form(filter, choices, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.access
        chart = AccessIndexPage.chart(counts, filter, viewer, today)
        self.sums = filter.cause == nil && !list.rows.isEmpty ? AccessIndexPage.sums(sums, filter, words) : []
        hasSums = !self.sums.isEmpty
        caption = words.numbersAccessCaption(zone: viewer.zone.label)
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, from: path, viewer) }
        empty = EmptyState(
            headline: words.numbersNoChangesHeadline.description,
            text: words.numbersNoChangesText.description,
            linkText: words.numbersNoChangesLink.description,
            href: DashboardPath.access
        )
        pages = AccessIndexPage.links(list, filter)
    }

    private static func chart(
        _ counts: [AccessCount],
        _ filter: AccessFilter,
        _ viewer: Viewer,
        _ today: BusinessDay
    ) -> ChartFigure {
        let words = viewer.words
        let net = counts.reduce(0) { $0 + $1[.gained] + $1[.regained] - $1[.lost] }
        let series: [(StaticString, AccessFilter.Direction, (AccessCount) -> Int64)] = [
            (words.numbersAccessGained, .gained, { $0[.gained] }),
            (words.numbersAccessRegained, .gained, { $0[.regained] }),
            (words.numbersAccessLost, .lost, { -$0[.lost] }),
        ]
        func href(_ direction: AccessFilter.Direction?, _ period: ReportingPeriod) -> String {
            filter.changed {
                ($0.direction, $0.cause, $0.from, $0.to) = (direction, nil, period.first, period.last)
            }.path
        }
        return .stack(
            ChartHeading(
                id: "access-changes",
                title: words.numbersTitleAccess.description,
                finding: words.numbersMovementFinding(change: ChartUnit.count.number(net, words, showsPlus: true)),
                definition:
                    "\(words.numbersDefinitionAccess) \(words.numbersDefinitionZone(zone: viewer.zone.label))",
                version: String(NumberDefinitions.version)
            ),
            periods: ChartPeriods(counts.map(\.period), today: today, words) { href(nil, $0) },
            series: series.map { name, direction, value in
                ChartSeries(
                    name.description,
                    counts.map(value),
                    hrefs: counts.map { href(direction, $0.period) }
                )
            },
            total: words.numbersNetChange.description,
            unit: .count,
            options: ChartOptions(csvHref: filter.csvPath),
            words
        )
    }

    private static func sums(
        _ sums: [AccessMovement: Int64],
        _ filter: AccessFilter,
        _ words: Words
    ) -> [Sum] {
        func count(_ movement: AccessMovement) -> Int64 { sums[movement] ?? 0 }
        let parts: [(StaticString, AccessFilter.Direction, Int64)] = [
            (words.numbersAccessGained, .gained, count(.gained)),
            (words.numbersAccessRegained, .gained, count(.regained)),
            (words.numbersAccessLost, .lost, -count(.lost)),
            (words.numbersAccessMoved, .moved, count(.raised) + count(.lowered)),
        ]
        let shown = parts.filter { filter.direction == nil || filter.direction == $0.1 }
        let lines = shown.map { name, direction, value in
            Sum(
                name: name,
                href: filter.changed { $0.direction = direction }.path,
                value: ChartUnit.count.number(value, words)
            )
        }
        guard filter.direction == nil else { return lines }
        let net = count(.gained) + count(.regained) - count(.lost)
        return lines + [
            Sum(
                name: words.numbersNetChange,
                href: filter.firstPage.path,
                value: ChartUnit.count.number(net, words)
            )
        ]
    }

    private static func form(_ filter: AccessFilter, _ choices: NumberChoices, _ words: Words) -> FilterForm {
        var form = FilterForm(action: DashboardPath.access, search: "", searchLabel: "")
        form.hasSearch = false
        form.selects = [
            .init(
                "direction",
                words.numbersRowKind,
                all: words.listsAny,
                chosen: filter.direction?.rawValue,
                AccessFilter.Direction.allCases.map { ($0.rawValue, AccessText.name(of: $0, words).description) }
            ),
            .init(
                "cause",
                words.numbersCause,
                all: words.listsAny,
                chosen: filter.cause?.rawValue,
                EntitlementChange.Cause.allCases.map { ($0.rawValue, AccessText.name(of: $0, words).description) }
            ),
        ]
        form.selects += filter.numbers.selects(choices, words)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.numbers.asOf, words)
        return form
    }

    private static func applied(_ filter: AccessFilter, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ value: String, _ change: @escaping (inout AccessFilter) -> Void) {
            let text = words.chartsNamed(name: name.description, value: value)
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if let direction = filter.direction {
            add(words.numbersRowKind, AccessText.name(of: direction, words).description) { $0.direction = nil }
        }
        if let cause = filter.cause {
            add(words.numbersCause, AccessText.name(of: cause, words).description) { $0.cause = nil }
        }
        if let from = filter.from { add(words.numbersFrom, PeriodText.day(from, words)) { $0.from = nil } }
        if let to = filter.to { add(words.numbersTo, PeriodText.day(to, words)) { $0.to = nil } }
        applied.add(filter.numbers, words) { change in filter.changed { change(&$0.numbers) }.path }
        return applied
    }

    private static func links(_ list: AccessList, _ filter: AccessFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        func path(_ row: AccessList.Row, _ rowsBefore: Int, _ position: (PageCursor) -> PagePosition) -> String {
            let cursor = PageCursor(kind: .access, date: row.at, id: row.id, rowsBefore: rowsBefore)
            return filter.changed { $0.position = position(cursor) }.path
        }
        var links = PageLinks()
        if list.hasPrevious { links.previous = path(first, list.rowsBefore) { .before($0) } }
        if list.hasNext { links.next = path(last, list.rowsBefore + list.rows.count) { .after($0) } }
        return links
    }
}

extension AccessIndexPage.Row {
    fileprivate init(_ row: AccessList.Row, from path: String, _ viewer: Viewer) {
        let words = viewer.words
        self.init(
            customerHref: DashboardPath.customer(row.customer, from: path),
            customer: row.customer.description,
            at: DateText(row.at, in: viewer.zone, words),
            before: row.before ?? words.numbersNothing.description,
            after: row.after ?? words.numbersNothing.description,
            cause: AccessText.name(of: row.cause, words),
            doer: AccessText.doer(of: row, words)
        )
    }
}
