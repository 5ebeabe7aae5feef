import Billing
package import Foundation
package import Storage

/// The customers behind a figure of subscriptions: `/dashboard/subscribers/rows`.
package struct SubscriberRowsPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    let back: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// What the rows of all pages add up to.
    let sums: [Sum]
    let hasSums: Bool
    let missingRates: String?
    let caption: String
    let valueHeading: StaticString
    let hasMovements: Bool
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    /// A line of the sums: "CNY", "1,284.00".
    struct Sum: Sendable {
        let name: String
        /// The rows of this line alone.
        let href: String
        let value: String
    }

    struct Row: Sendable {
        let href: String
        /// What names the customer without saying who it is.
        let customer: String
        let day: String
        /// "Pro", "Pro → Premium"
        let product: String
        let plan: String
        let movement: StaticString?
        let value: String
        let currency: String?
        let price: String?
        let from: DateText?
        let until: DateText?
        let hasNoEnd: Bool
        let reason: StaticString?
    }

    /// - Parameters:
    ///   - filter: what the rows are of.
    ///   - asked: what the sums are of: all currencies, where none was asked for.
    package init(
        list: SubscriberRows,
        filter: SubscriberRowsFilter,
        asked: SubscriberRowsFilter,
        sums: SubscriberSums,
        choices: NumberChoices,
        viewer: Viewer,
        now: Date
    ) {
        let (words, path) = (viewer.words, asked.path)
        frame = DashboardFrame(viewer, section: .subscribers, path: path, now: now)
        let applied = SubscriberRowsPage.applied(asked, words)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total, words)
        let listed = words.list([FigureText.name(of: asked.figure, words).description] + applied.words)
        title = list.rows.isEmpty ? listed : words.partsTitled(range: shown, title: listed)
        range = list.rows.isEmpty ? words.subscriberRowsEmptyHeadline.description : shown
        back = SubscriberRowsPage.view(asked).path
        form = SubscriberRowsPage.form(asked, choices, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = SubscriberRowsFilter(figure: asked.figure).path
        self.sums = SubscriberRowsPage.sums(sums, asked, words)
        hasSums = !self.sums.isEmpty
        missingRates =
            sums.missingRates.isEmpty
            ? nil : words.numbersMissingRates(currencies: words.list(sums.missingRates.map(\.code)))
        caption = words.subscriberRowsCaption(zone: viewer.zone.label)
        valueHeading = filter.figure.isMoney ? words.subscriberRowsMonthly : words.subscriberRowsCount
        hasMovements = filter.figure.hasMovements
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, filter, from: path, viewer) }
        empty = EmptyState(
            headline: words.subscriberRowsEmptyHeadline.description,
            text: words.subscriberRowsEmptyText.description,
            linkText: words.subscriberRowsEmptyLink.description,
            href: DashboardPath.subscribers
        )
        pages = SubscriberRowsPage.links(list, asked)
    }

    /// The page that has the figure.
    private static func view(_ filter: SubscriberRowsFilter) -> SubscribersView {
        SubscribersView().changed { ($0.filter, $0.reporting) = (filter.numbers, filter.reporting) }
    }

    private static func sums(
        _ sums: SubscriberSums,
        _ filter: SubscriberRowsFilter,
        _ words: Words
    ) -> [Sum] {
        guard filter.figure.isMoney else {
            let path = filter.firstPage.path
            let count = ChartUnit.count.number(sums.count, words)
            let sum = Sum(name: words.subscriberRowsSum.description, href: path, value: count)
            guard let start = sums.start, let from = filter.from else { return [sum] }
            let before = filter.changed { ($0.figure, $0.to) = (.active, from.advanced(by: -1)) }.path
            let rate = Revenue.rate(sums.count, of: start).map { words.percent(Int64($0), places: 2) }
            return [
                sum,
                Sum(name: words.subscriberRowsStart.description, href: before, value: words.number(Int(start))),
                Sum(name: words.subscriberRowsRate.description, href: path, value: rate ?? "–"),
            ]
        }
        let own = sums.amounts.map { money in
            Sum(
                name: money.currency.code,
                href: filter.changed { $0.numbers.currency = money.currency }.path,
                value: MoneyText(money, words).amount
            )
        }
        let all = sums.converted.map { money in
            Sum(
                name: words.subscriberRowsConvertedSum(currency: money.currency.code),
                href: filter.firstPage.path,
                value: MoneyText(money, words).amount
            )
        }
        return own + [all].compactMap(\.self)
    }

    private static func form(
        _ filter: SubscriberRowsFilter,
        _ choices: NumberChoices,
        _ words: Words
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.subscriberRows, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = [
            ("grain", filter.figure == .lost && filter.grain != .month ? filter.grain.rawValue : nil),
            ("in", filter.reporting?.code),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "figure",
                words.subscriberRowsFigure,
                chosen: filter.figure.rawValue,
                SubscriberRowsFilter.Figure.allCases.map { ($0.rawValue, FigureText.name(of: $0, words).description) }
            )
        ]
        if filter.figure.hasMovements {
            form.selects.append(
                .init(
                    "movement",
                    words.subscriberRowsMovement,
                    all: words.listsAny,
                    chosen: filter.movement?.name,
                    MovementClass.allCases.map { ($0.name, FigureText.name(of: $0, words).description) }
                )
            )
        }
        form.selects += filter.numbers.selects(choices, words)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.numbers.asOf, words)
        if filter.figure.isStanding { form.dates.removeFirst() }
        return form
    }

    private static func applied(_ filter: SubscriberRowsFilter, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ text: String, _ change: @escaping (inout SubscriberRowsFilter) -> Void) {
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if filter.figure.hasMovements, let movement = filter.movement {
            add(FigureText.name(of: movement, words).description) { $0.movement = nil }
        }
        if let from = filter.from, !filter.figure.isStanding {
            let day = PeriodText.day(from, words)
            add(words.chartsNamed(name: words.numbersFrom.description, value: day)) { $0.from = nil }
        }
        if let to = filter.to {
            let day = PeriodText.day(to, words)
            let text =
                filter.figure.isStanding
                ? words.subscriberRowsAtEndOf(day: day)
                : words.chartsNamed(name: words.numbersTo.description, value: day)
            add(text) { $0.to = nil }
        }
        if filter.figure.isMoney, let reporting = filter.reporting {
            add(words.numbersConverted(currency: reporting.code)) { $0.reporting = nil }
        }
        applied.add(filter.numbers, words) { change in filter.changed { change(&$0.numbers) }.path }
        return applied
    }

    private static func links(_ list: SubscriberRows, _ filter: SubscriberRowsFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        func path(_ row: SubscriberRows.Row, _ before: Int, _ position: (PageCursor) -> PagePosition) -> String {
            let cursor = PageCursor(
                kind: .subscriberRows,
                value: Int64(row.day.number) * 86_400_000_000,
                id: row.customer.uuid,
                rowsBefore: before
            )
            return filter.changed { $0.position = position(cursor) }.path
        }
        var links = PageLinks()
        if list.hasPrevious { links.previous = path(first, list.rowsBefore) { .before($0) } }
        if list.hasNext { links.next = path(last, list.rowsBefore + list.rows.count) { .after($0) } }
        return links
    }
}

extension SubscriberRowsPage.Row {
    fileprivate init(_ row: SubscriberRows.Row, _ filter: SubscriberRowsFilter, from path: String, _ viewer: Viewer) {
        let (words, zone) = (viewer.words, viewer.zone)
        func joined(_ name: (SubscriberRows.Product) -> String) -> String {
            [row.left, row.came].filter { !$0.isEmpty }.map { $0.map(name).joined(separator: " + ") }
                .joined(separator: " → ")
        }
        let unit: ChartUnit = filter.figure.isMoney ? filter.numbers.currency.map { .money($0) } ?? .count : .count
        let price = row.stretch?.price.map { MoneyText($0, words).withCurrency }
        let length = row.stretch?.length.map { PeriodLength.text($0, words) }
        self.init(
            href: DashboardPath.customer(row.customer, from: path),
            customer: row.customerKey,
            day: PeriodText.day(row.day, words),
            product: joined(\.name),
            plan: joined(\.plan),
            movement: row.movement.map { FigureText.name(of: $0, words) },
            value: unit.number(row.value, words),
            currency: filter.figure.isMoney ? filter.numbers.currency?.code : nil,
            price: price.map { price in
                length.map { words.subscriberRowsPriceAndLength(length: $0, price: price) } ?? price
            },
            from: row.stretch.map { DateText($0.from, in: zone, words) },
            until: row.stretch?.until.map { DateText($0, in: zone, words) },
            hasNoEnd: row.stretch.map { $0.until == nil } ?? false,
            reason: row.end.map { FigureText.name(of: $0, words) }
        )
    }
}
