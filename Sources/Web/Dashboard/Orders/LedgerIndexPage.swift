import Billing
package import Foundation
package import Storage

/// The rows behind a figure: `/dashboard/ledger`.
package struct LedgerIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    /// nil when there is nothing to take.
    let export: ExportLink?
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// What the rows of all pages add up to.
    let totals: [Total]
    let totalHeadings: [StaticString]
    let hasTotals: Bool
    /// Currencies without a rate, whose amounts are left out of what all are in one; nil when none is missing.
    let missingRates: String?
    let caption: String
    let hasEntries: Bool
    let entries: [Row]
    let empty: EmptyState
    let pages: PageLinks

    /// The figures of one currency.
    struct Total: Sendable {
        let currency: String
        /// The rows of this currency alone.
        let href: String
        let amounts: [String]
    }

    struct Row: Sendable {
        let orderHref: String
        let orderNumber: String
        let occurred: DateText
        let kind: StaticString
        let product: String
        let plan: String
        let store: StaticString
        let isSandbox: Bool
        let country: String
        let amount: MoneyText
        let recorded: DateText
    }

    package init(
        list: LedgerList,
        filter: LedgerFilter,
        sums: LedgerSums,
        choices: NumberChoices,
        viewer: Viewer,
        now: Date
    ) {
        let (words, path) = (viewer.words, filter.path)
        frame = DashboardFrame(viewer, section: .ledger, path: path, now: now)
        let applied = LedgerIndexPage.applied(filter, words)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total, words)
        let listed = words.list([words.numbersLedger.description] + applied.words)
        title = list.rows.isEmpty ? listed : words.partsTitled(range: shown, title: listed)
        range = list.rows.isEmpty ? words.numbersNoEntries.description : "\(shown) · \(words.partsNewestFirst)"
        export =
            list.rows.isEmpty ? nil : ExportLink("ledger", filter.firstPage.query, total: list.total, words)
        form = LedgerIndexPage.form(filter, choices, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.ledger
        let figures = LedgerIndexPage.figures(filter, words)
        totalHeadings = figures.map(\.name)
        let own = sums.own.sorted { $0.key.code < $1.key.code }.map { currency, revenue in
            Total(
                currency: currency.code,
                href: filter.changed { ($0.numbers.currency, $0.reporting) = (currency, nil) }.path,
                amounts: figures.map { MoneyText($0.value(revenue), currency, words).amount }
            )
        }
        let all = filter.reporting.map { currency in
            Total(
                currency: words.subscriberRowsConvertedSum(currency: currency.code),
                href: filter.firstPage.path,
                amounts: figures.map { MoneyText($0.value(sums.converted), currency, words).amount }
            )
        }
        totals = own.isEmpty ? [] : own + [all].compactMap(\.self)
        missingRates =
            sums.missingRates.isEmpty
            ? nil : words.numbersMissingRates(currencies: words.list(sums.missingRates.map(\.code)))
        hasTotals = !totals.isEmpty
        caption = words.numbersLedgerCaption(zone: viewer.zone.label)
        hasEntries = !list.rows.isEmpty
        entries = list.rows.map { Row($0, from: path, viewer) }
        empty = EmptyState(
            headline: words.numbersNoEntriesHeadline.description,
            text: words.numbersNoEntriesText.description,
            linkText: words.numbersNoEntriesLink.description,
            href: DashboardPath.ledger
        )
        pages = LedgerIndexPage.links(list, filter)
    }

    /// The metric that these rows add up to.
    private static func figures(
        _ filter: LedgerFilter,
        _ words: Words
    ) -> [(name: StaticString, value: (Revenue) -> Int64)] {
        switch filter.kind {
        case .everything:
            [
                (words.numbersGross, { $0.gross }), (words.numbersRefunds, { $0.refunds }),
                (words.numbersNet, { $0.net }), (words.numbersProceeds, { $0.proceeds }),
            ]
        case .charges, .orders: [(words.numbersGross, { $0.gross })]
        case .refunds where filter.dating == .charge: [(words.numbersRefunds, { $0.refundsOfCharges })]
        case .refunds: [(words.numbersRefunds, { $0.refunds })]
        }
    }

    private static func form(_ filter: LedgerFilter, _ choices: NumberChoices, _ words: Words) -> FilterForm {
        var form = FilterForm(action: DashboardPath.ledger, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = [
            ("dating", filter.dating == .own ? nil : filter.dating.rawValue), ("in", filter.reporting?.code),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "kind",
                words.numbersRows,
                chosen: filter.kind.rawValue,
                LedgerFilter.Kind.allCases.map { ($0.rawValue, name(of: $0, words).description) }
            )
        ]
        form.selects += filter.numbers.selects(choices, words)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.numbers.asOf, words)
        return form
    }

    private static func applied(_ filter: LedgerFilter, _ words: Words) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ value: String, _ change: @escaping (inout LedgerFilter) -> Void) {
            let text = words.chartsNamed(name: name.description, value: value)
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if filter.kind != .everything {
            add(words.numbersRows, name(of: filter.kind, words).description) { $0.kind = .everything }
        }
        if filter.dating == .charge {
            let text = words.numbersByChargeDay.description
            applied.add(text, chip: text, without: filter.changed { $0.dating = .own }.path)
        }
        if let reporting = filter.reporting {
            let text = words.numbersConverted(currency: reporting.code)
            applied.add(text, chip: text, without: filter.changed { $0.reporting = nil }.path)
        }
        if let from = filter.from { add(words.numbersFrom, PeriodText.day(from, words)) { $0.from = nil } }
        if let to = filter.to { add(words.numbersTo, PeriodText.day(to, words)) { $0.to = nil } }
        applied.add(filter.numbers, words) { change in filter.changed { change(&$0.numbers) }.path }
        return applied
    }

    private static func name(of kind: LedgerFilter.Kind, _ words: Words) -> StaticString {
        switch kind {
        case .everything: words.numbersRowsEverything
        case .charges: words.numbersRowsCharges
        case .orders: words.numbersRowsOrders
        case .refunds: words.numbersRefunds
        }
    }

    private static func links(_ list: LedgerList, _ filter: LedgerFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        func path(_ row: LedgerList.Row, _ rowsBefore: Int, _ position: (PageCursor) -> PagePosition) -> String {
            let cursor = PageCursor(kind: .ledger, date: row.occurredAt, id: row.id, rowsBefore: rowsBefore)
            return filter.changed { $0.position = position(cursor) }.path
        }
        var links = PageLinks()
        if list.hasPrevious { links.previous = path(first, list.rowsBefore) { .before($0) } }
        if list.hasNext { links.next = path(last, list.rowsBefore + list.rows.count) { .after($0) } }
        return links
    }
}

extension LedgerIndexPage.Row {
    fileprivate init(_ row: LedgerList.Row, from path: String, _ viewer: Viewer) {
        let words = viewer.words
        self.init(
            orderHref: DashboardPath.order(row.orderNumber, from: path),
            orderNumber: row.orderNumber,
            occurred: DateText(row.occurredAt, in: viewer.zone, words),
            kind: StoreText.name(of: row.kind, words),
            product: row.productName,
            plan: row.planCode,
            store: StoreText.name(of: row.store, words),
            isSandbox: row.environment == .sandbox,
            country: row.country,
            amount: MoneyText(row.amount, words),
            recorded: DateText(row.recordedAt, in: viewer.zone, words)
        )
    }
}
