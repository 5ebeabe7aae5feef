package import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The customers behind a metric of subscriptions: `/dashboard/subscribers/rows`.
package struct SubscriberRowsPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    /// nil when there is nothing to take.
    let export: ExportLink?
    let back: String
    let form: FilterForm
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The sums over the rows of all pages.
    let sums: [Sum]
    let hasSums: Bool
    /// The sentence on what is left out for want of a rate; nil when nothing is.
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
        /// The customer's key, which does not tell who they are.
        let customer: String
        let day: String
        /// "Pro", "Pro → Premium"
        let product: String
        let plan: String
        let movement: StaticString?
        /// nil without a rate.
        let value: String?
        let currency: String?
        /// In the currencies that are charged, where they are others.
        let own: String?
        let price: String?
        let from: DateText?
        let until: DateText?
        let hasNoEnd: Bool
        let reason: StaticString?
    }

    /// - Parameter currency: that of what is of money.
    package init(
        list: ListPage<SubscriberRow>,
        filter: SubscriberRowsFilter,
        currency: Currency,
        sums: SubscriberSums,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, filter.path)
        frame = DashboardFrame(viewer, section: .subscribers, path: path, now: now)
        let applied = SubscriberRowsPage.applied(filter, strings)
        let heading = ListHeading(
            list,
            of: MetricText.name(of: filter.metric, strings).description,
            filters: applied.strings,
            none: strings.subscriberRowsEmptyHeadline,
            order: nil,
            strings
        )
        (title, range) = (heading.title, heading.range)
        export = ExportLink("subscribers", filter.firstPage.query, list, strings)
        back = SubscriberRowsPage.view(filter).path
        form = SubscriberRowsPage.form(filter, choices, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = SubscriberRowsFilter(metric: filter.metric).path
        self.sums = SubscriberRowsPage.sums(sums, filter, strings)
        hasSums = !self.sums.isEmpty
        missingRates = MetricText.leftOut(
            MetricText.unconverted(sums.unconverted, strings),
            sums.unpriced,
            strings
        )
        caption = strings.subscriberRowsCaption(zone: viewer.zone.label)
        valueHeading = filter.metric.isMoney ? strings.subscriberRowsMonthly : strings.subscriberRowsCount
        hasMovements = filter.metric.hasMovements
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, filter, in: currency, from: path, viewer) }
        empty = EmptyState(
            headline: strings.subscriberRowsEmptyHeadline.description,
            text: strings.subscriberRowsEmptyText.description,
            linkText: strings.subscriberRowsEmptyLink.description,
            href: DashboardPath.subscribers
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    /// The page that has the metric.
    private static func view(_ filter: SubscriberRowsFilter) -> SubscribersView {
        SubscribersView().changed { $0.filter = filter.metrics }
    }

    private static func sums(
        _ sums: SubscriberSums,
        _ filter: SubscriberRowsFilter,
        _ strings: Strings
    ) -> [Sum] {
        guard filter.metric.isMoney else {
            let path = filter.firstPage.path
            let count = ChartUnit.count.number(sums.count, strings)
            let sum = Sum(name: strings.subscriberRowsSum.description, href: path, value: count)
            guard let start = sums.start, let from = filter.from else { return [sum] }
            let before = filter.changed { ($0.metric, $0.to) = (.active, from.advanced(by: -1)) }.path
            let rate = Revenue.rate(sums.count, of: start).map { strings.percent(Int64($0), places: 2) }
            return [
                sum,
                Sum(name: strings.subscriberRowsStart.description, href: before, value: strings.number(Int(start))),
                Sum(name: strings.subscriberRowsRate.description, href: path, value: rate ?? "–"),
            ]
        }
        let own = sums.amounts.map { money in
            Sum(
                name: money.currency.code,
                href: filter.changed { $0.metrics.currency = money.currency }.path,
                value: MoneyText(money, strings).amount
            )
        }
        let all = sums.converted.map { money in
            Sum(
                name: strings.subscriberRowsConvertedSum(currency: money.currency.code),
                href: filter.firstPage.path,
                value: MoneyText(money, strings).amount
            )
        }
        let isOneCurrency = own.count == 1 && sums.amounts.first?.currency == sums.converted?.currency
        return isOneCurrency ? own : [all].compactMap(\.self) + own
    }

    private static func form(
        _ filter: SubscriberRowsFilter,
        _ choices: MetricsOptions,
        _ strings: Strings
    ) -> FilterForm {
        var form = FilterForm(action: DashboardPath.subscriberRows, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = [
            ("grain", filter.metric == .lost && filter.grain != .month ? filter.grain.rawValue : nil)
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        form.selects = [
            .init(
                "metric",
                strings.subscriberRowsMetric,
                chosen: filter.metric.rawValue,
                SubscriberRowsFilter.Metric.allCases.map { ($0.rawValue, MetricText.name(of: $0, strings).description) }
            )
        ]
        if filter.metric.hasMovements {
            form.selects.append(
                .init(
                    "movement",
                    strings.subscriberRowsMovement,
                    all: strings.listsAny,
                    chosen: filter.movement?.name,
                    MovementClass.allCases.map { ($0.name, MetricText.name(of: $0, strings).description) }
                )
            )
        }
        form.selects += filter.metrics.selects(choices, strings)
        form.dates = FilterForm.span(filter.from, filter.to, asOf: filter.metrics.asOf, strings)
        if filter.metric.isSnapshot { form.dates.removeFirst() }
        return form
    }

    private static func applied(_ filter: SubscriberRowsFilter, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        func add(_ text: String, _ change: @escaping (inout SubscriberRowsFilter) -> Void) {
            applied.add(text, chip: text, without: filter.changed(change).path)
        }
        if filter.metric.hasMovements, let movement = filter.movement {
            add(MetricText.name(of: movement, strings).description) { $0.movement = nil }
        }
        if let from = filter.from, !filter.metric.isSnapshot {
            let day = PeriodText.day(from, strings)
            add(strings.chartsNamed(name: strings.analyticsFrom.description, value: day)) { $0.from = nil }
        }
        if let to = filter.to {
            let day = PeriodText.day(to, strings)
            let text =
                filter.metric.isSnapshot
                ? strings.subscriberRowsAtEndOf(day: day)
                : strings.chartsNamed(name: strings.analyticsTo.description, value: day)
            add(text) { $0.to = nil }
        }
        applied.add(filter.metrics, strings) { change in filter.changed { change(&$0.metrics) }.path }
        return applied
    }
}

extension SubscriberRowsPage.Row {
    fileprivate init(
        _ row: SubscriberRow,
        _ filter: SubscriberRowsFilter,
        in currency: Currency,
        from path: String,
        _ viewer: Viewer
    ) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        func joined(_ name: (SubscriberRow.Product) -> String) -> String {
            [row.left, row.came].filter { !$0.isEmpty }.map { $0.map(name).joined(separator: " + ") }
                .joined(separator: " → ")
        }
        let unit: ChartUnit = filter.metric.isMoney ? .money(currency) : .count
        let isConverted = row.own.contains { $0.currency != currency }
        let price = row.stretch?.price.map { MoneyText($0, strings).withCurrency }
        let length = row.stretch?.length.map { PeriodLength.text($0, strings) }
        self.init(
            href: DashboardPath.customer(row.customer, from: path),
            customer: row.customerKey,
            day: PeriodText.day(row.day, strings),
            product: joined(\.name),
            plan: joined(\.plan),
            movement: row.movement.map { MetricText.name(of: $0, strings) },
            value: row.value.map { unit.number($0, strings) },
            currency: filter.metric.isMoney ? currency.code : nil,
            own: isConverted ? strings.list(row.own.map { MoneyText($0, strings).withCurrency }) : nil,
            price: price.map { price in
                length.map { strings.subscriberRowsPriceAndLength(length: $0, price: price) } ?? price
            },
            from: row.stretch.map { DateText($0.from, in: zone, strings) },
            until: row.stretch?.until.map { DateText($0, in: zone, strings) },
            hasNoEnd: row.stretch.map { $0.until == nil } ?? false,
            reason: row.end.map { MetricText.name(of: $0, strings) }
        )
    }
}
