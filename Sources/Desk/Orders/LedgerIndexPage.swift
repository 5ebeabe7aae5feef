import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The rows behind a metric: `/dashboard/ledger`.
package struct LedgerIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    /// nil when there is nothing to take.
    let export: ExportLink?
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The totals over the rows of all pages.
    let totals: [Total]
    let totalHeadings: [StaticString]
    let hasTotals: Bool
    /// The sentence on what the totals leave out for want of a rate, or of an amount; nil when nothing is.
    let missingRates: String?
    let caption: String
    let hasEntries: Bool
    let entries: [Row]
    let empty: EmptyState
    let pages: PageLinks

    /// The metrics of one currency.
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
        let store: String
        let isSandbox: Bool
        let country: String
        let amount: MoneyText
        /// In what the app reports in; nil for what is in it already.
        let converted: Converted?
        let recorded: DateText
    }

    struct Converted: Sendable {
        /// nil without a rate.
        let amount: MoneyText?
        /// "at 7.0312"
        let rate: String
    }

    package init(
        list: ListPage<ListedLedgerEntry>,
        filter: LedgerFilter,
        sums: LedgerSums,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, filter.path)
        frame = DashboardFrame(viewer, section: .ledger, path: path, now: now)
        let applied = LedgerIndexPage.applied(filter, strings)
        let heading = ListHeading(
            list,
            of: strings.analyticsLedger.description,
            filters: applied.strings,
            none: strings.analyticsNoEntries,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        export = ExportLink("ledger", filter.firstPage.query, list, strings)
        form = LedgerIndexPage.form(filter, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.ledger
        let metrics = LedgerIndexPage.metrics(filter, strings)
        totalHeadings = metrics.map(\.name)
        let own = sums.own.sorted { $0.key.code < $1.key.code }.map { currency, revenue in
            Total(
                currency: currency.code,
                href: filter.changed { $0.metrics.currency = currency }.path,
                amounts: metrics.map { MoneyText($0.value(revenue), currency, strings).amount }
            )
        }
        let all = Total(
            currency: strings.subscriberRowsConvertedSum(currency: sums.currency.code),
            href: filter.firstPage.path,
            amounts: metrics.map { MoneyText($0.value(sums.converted), sums.currency, strings).amount }
        )
        let isOneCurrency = sums.own.count == 1 && sums.own[sums.currency] != nil
        totals = own.isEmpty ? [] : isOneCurrency ? own : [all] + own
        missingRates = MetricText.leftOut(
            MetricText.unconverted(sums.unconverted, strings),
            sums.unpriced,
            strings
        )
        hasTotals = !totals.isEmpty
        caption = strings.analyticsLedgerCaption(zone: viewer.zone.label)
        hasEntries = !list.rows.isEmpty
        entries = list.rows.map { Row($0, from: path, viewer) }
        empty = EmptyState(
            headline: strings.analyticsNoEntriesHeadline.description,
            text: strings.analyticsNoEntriesText.description,
            linkText: strings.analyticsNoEntriesLink.description,
            href: DashboardPath.ledger
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    /// The metric that these rows add up to.
    private static func metrics(
        _ filter: LedgerFilter,
        _ strings: Strings
    ) -> [(name: StaticString, value: (Revenue) -> Int64)] {
        switch filter.kind {
        case .everything:
            [
                (strings.analyticsGross, { $0.gross }), (strings.analyticsRefunds, { $0.refunds }),
                (strings.analyticsUpgradeCredits, { $0.upgradeCredits }),
                (strings.analyticsNet, { $0.net }), (strings.analyticsProceeds, { $0.proceeds }),
            ]
        case .charges, .orders: [(strings.analyticsGross, { $0.gross })]
        case .refunds where filter.dating == .charge: [(strings.analyticsRefunds, { $0.refundsOfCharges })]
        case .refunds: [(strings.analyticsRefunds, { $0.refunds })]
        case .credits: [(strings.analyticsUpgradeCredits, { $0.upgradeCredits })]
        }
    }

    private static func form(_ filter: LedgerFilter, _ choices: MetricsOptions, _ strings: Strings) -> FilterForm {
        var form = FilterForm(action: DashboardPath.ledger, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = [
            ("dating", filter.dating == .own ? nil : filter.dating.rawValue)
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "kind",
                strings.analyticsRows,
                chosen: filter.kind.rawValue,
                LedgerFilter.Kind.allCases.map { ($0.rawValue, name(of: $0, strings).description) }
            )
        ]
        form.selects += filter.metrics.selects(choices, strings)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.metrics.asOf, strings)
        return form
    }

    private static func applied(_ filter: LedgerFilter, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ name: StaticString, _ value: String, _ change: @escaping (inout LedgerFilter) -> Void) {
            let text = strings.chartsNamed(name: name.description, value: value)
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if filter.kind != .everything {
            add(strings.analyticsRows, name(of: filter.kind, strings).description) { $0.kind = .everything }
        }
        if filter.dating == .charge {
            let text = strings.analyticsByChargeDay.description
            applied.add(text, chip: text, without: filter.changed { $0.dating = .own }.path)
        }
        if let from = filter.from { add(strings.analyticsFrom, PeriodText.day(from, strings)) { $0.from = nil } }
        if let to = filter.to { add(strings.analyticsTo, PeriodText.day(to, strings)) { $0.to = nil } }
        applied.add(filter.metrics, strings) { change in filter.changed { change(&$0.metrics) }.path }
        return applied
    }

    private static func name(of kind: LedgerFilter.Kind, _ strings: Strings) -> StaticString {
        switch kind {
        case .everything: strings.analyticsRowsEverything
        case .charges: strings.analyticsRowsCharges
        case .orders: strings.analyticsRowsOrders
        case .refunds: strings.analyticsRefunds
        case .credits: strings.analyticsUpgradeCredits
        }
    }
}

extension LedgerIndexPage.Row {
    fileprivate init(_ row: ListedLedgerEntry, from path: String, _ viewer: Viewer) {
        let strings = viewer.strings
        self.init(
            orderHref: DashboardPath.order(row.orderNumber, from: path),
            orderNumber: row.orderNumber,
            occurred: DateText(row.occurredAt, in: viewer.zone, strings),
            kind: StoreText.name(of: row.kind, strings),
            product: row.productName,
            plan: row.planCode,
            store: StoreText.name(of: row.store, strings),
            isSandbox: row.environment == .sandbox,
            country: row.country,
            amount: MoneyText(row.amount, strings),
            converted: LedgerIndexPage.Converted(row, strings),
            recorded: DateText(row.recordedAt, in: viewer.zone, strings)
        )
    }
}

extension LedgerIndexPage.Converted {
    fileprivate init?(_ row: ListedLedgerEntry, _ strings: Strings) {
        if let converted = row.converted, converted.currency == row.amount.currency { return nil }
        self.init(
            amount: row.converted.map { MoneyText($0, strings) },
            rate: row.rate.map { strings.analyticsAtRate(rate: $0) } ?? strings.analyticsNoRate.description
        )
    }
}
