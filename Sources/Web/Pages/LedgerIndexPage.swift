package import Billing
package import Foundation
package import Storage

/// The rows behind a figure: `/dashboard/ledger`.
package struct LedgerIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// What the rows of all pages add up to.
    let totals: [Total]
    let hasTotals: Bool
    let caption: String
    let hasEntries: Bool
    let entries: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Total: Sendable {
        let name: StaticString
        let amount: MoneyText
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
        sums: [Currency: Revenue],
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
        form = LedgerIndexPage.form(filter, choices, words)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.ledger
        totals = sums.keys.sorted { $0.code < $1.code }.flatMap { currency in
            LedgerIndexPage.totals(of: sums[currency] ?? Revenue(), filter, currency, words)
        }
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

    /// The figures that the rows are behind of.
    private static func totals(
        of revenue: Revenue,
        _ filter: LedgerFilter,
        _ currency: Currency,
        _ words: Words
    ) -> [Total] {
        func total(_ name: StaticString, _ amount: Int64) -> Total {
            Total(name: name, amount: MoneyText(amount, currency, words))
        }
        switch filter.kind {
        case .everything:
            return [
                total(words.numbersGross, revenue.gross), total(words.numbersRefunds, revenue.refunds),
                total(words.numbersNet, revenue.net), total(words.numbersProceeds, revenue.proceeds),
            ]
        case .charges, .orders: return [total(words.numbersGross, revenue.gross)]
        case .refunds:
            let amount = filter.dating == .own ? revenue.refunds : revenue.refundsOfCharges
            return [total(words.numbersRefunds, amount)]
        }
    }

    private static func form(_ filter: LedgerFilter, _ choices: NumberChoices, _ words: Words) -> FilterForm {
        var form = FilterForm(action: DashboardPath.ledger, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = filter.dating == .own ? [] : [.init(name: "dating", value: filter.dating.rawValue)]
        form.selects = [
            .init(
                "kind",
                words.numbersRows,
                chosen: filter.kind.rawValue,
                LedgerFilter.Kind.allCases.map { ($0.rawValue, name(of: $0, words).description) }
            )
        ]
        form.selects += filter.numbers.selects(choices, words)
        form.dates = [
            .init(name: "from", label: words.numbersFrom, value: filter.from?.description ?? ""),
            .init(name: "to", label: words.numbersTo, value: filter.to?.description ?? ""),
            .init(name: "as_of", label: words.numbersAsOf, value: filter.numbers.asOf?.description ?? ""),
        ]
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
