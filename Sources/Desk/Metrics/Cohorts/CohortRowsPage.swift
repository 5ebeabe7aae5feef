import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The customers behind a metric of customers: `/dashboard/cohorts/rows`.
package struct CohortRowsPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    /// The customers in the rows: "Customers first seen in Mar 2026, paid within 7 days".
    let subject: String
    let range: String
    /// nil when there is nothing to take.
    let export: ExportLink?
    let back: String
    let backText: StaticString
    let form: FilterForm
    let hasForm: Bool
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The sums over the rows of all pages.
    let sums: [Sum]
    let missingRates: String?
    let caption: String
    let countHeading: StaticString
    /// "Net revenue, CNY"; nil where the metric is not of money.
    let netHeading: String?
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    /// A line of the sums: "Customers", "1,284".
    struct Sum: Sendable {
        let name: String
        /// The rows of this line alone; nil for what is worked out from the others.
        let href: String?
        let value: String
    }

    struct Row: Sendable {
        let href: String
        /// The customer's key, which does not tell who they are.
        let customer: String
        let seen: DateText
        let product: String
        let plan: String
        let count: String
        let net: String?
    }

    package init(
        list: ListPage<CohortRow>,
        filter: CohortRowsFilter,
        sums: CohortSums,
        choices: MetricsOptions,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, filter.path)
        let isSnapshot = filter.metric.isSnapshot
        frame = DashboardFrame(viewer, section: isSnapshot ? .overview : .cohorts, path: path, now: now)
        let applied = CohortRowsPage.applied(filter, strings)
        subject = CohortRowsText(strings).subject(of: filter)
        let heading = ListHeading(
            list,
            of: subject,
            filters: applied.strings,
            none: strings.subscriberRowsEmptyHeadline,
            order: nil,
            strings
        )
        (title, range) = (heading.title, heading.range)
        export = ExportLink("cohorts", filter.firstPage.query, list, strings)
        back = isSnapshot ? DashboardPath.home : CohortsView().changed { $0.filter = filter.metrics }.path
        backText = isSnapshot ? strings.analyticsOverview : strings.analyticsCohorts
        form = CohortRowsPage.form(filter, choices, strings)
        hasForm = !isSnapshot
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref =
            filter.changed { $0.metrics = MetricsFilter(period: $0.metric == .retention ? $0.metrics.period : nil) }
            .path
        self.sums = CohortRowsPage.sums(sums, filter, strings)
        missingRates = MetricText.leftOut(
            MetricText.unconverted(sums.unconverted, strings),
            sums.unpriced,
            strings
        )
        caption = strings.cohortRowsCaption(zone: viewer.zone.label)
        countHeading = filter.metric == .retention ? strings.analyticsSubscriptionsStarted : strings.analyticsCustomers
        netHeading = sums.net.map { strings.list([strings.analyticsNet.description, $0.currency.code]) }
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, in: sums.net?.currency, from: path, viewer) }
        empty = EmptyState(
            headline: strings.subscriberRowsEmptyHeadline.description,
            text: strings.cohortRowsEmptyText.description,
            linkText: strings.cohortRowsEmptyLink.description,
            href: DashboardPath.cohorts
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func sums(_ sums: CohortSums, _ filter: CohortRowsFilter, _ strings: Strings) -> [Sum] {
        let count = Sum(
            name: strings.subscriberRowsSum.description,
            href: filter.firstPage.path,
            value: ChartUnit.count.number(sums.count, strings)
        )
        if let net = sums.net {
            // All ledger rows of the time or the cohort belong to some customer of the wider list.
            let brought = filter.changed { filter in
                switch filter.metric {
                case .payers: filter.metric = .customers
                case .lifetimePayers: filter.metric = .lifetime
                case .customers, .lifetime, .retention, .conversion, .holders, .free, .trials: break
                }
            }
            let unit = ChartUnit.money(net.currency)
            let isOfPayers = filter.metric == .payers || filter.metric == .lifetimePayers
            let each = isOfPayers ? strings.analyticsArppu : strings.analyticsArpu
            return [
                count,
                Sum(
                    name: strings.analyticsNet.description,
                    href: brought.path,
                    value: unit.text(net.minorUnits, strings)
                ),
                Sum(name: each.description, href: nil, value: sums.share.map { unit.text($0, strings) } ?? "–"),
            ]
        }
        guard let whole = sums.whole else { return [count] }
        let rate = Revenue.rate(sums.count, of: whole).map { strings.percent(Int64($0), places: 2) }
        return [
            count,
            Sum(
                name: strings.cohortRowsWhole.description,
                href: filter.metric.hasSteps ? filter.changed { ($0.step, $0.paid) = (nil, true) }.path : nil,
                value: ChartUnit.count.number(whole, strings)
            ),
            Sum(name: strings.cohortRowsPart.description, href: nil, value: rate ?? "–"),
        ]
    }

    private static func form(_ filter: CohortRowsFilter, _ choices: MetricsOptions, _ strings: Strings) -> FilterForm {
        var form = FilterForm(action: DashboardPath.cohortRows, search: "", searchLabel: "")
        form.hasSearch = false
        form.hidden = [
            ("metric", filter.metric.rawValue), ("month", filter.monthText), ("paid_period", filter.periodText),
            ("within", filter.limitText),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        if filter.metric.hasSteps, filter.step != nil {
            form.selects = [
                .init(
                    "paid",
                    strings.cohortRowsPaid,
                    chosen: filter.paid ? "yes" : "no",
                    [("yes", strings.cohortRowsWhoPaid.description), ("no", strings.cohortRowsWhoDidNot.description)]
                )
            ]
        }
        form.selects += filter.metrics.selects(choices, strings)
        form.dates = FilterForm.span(nil, nil, asOf: filter.metrics.asOf, strings).suffix(1)
        return form
    }

    private static func applied(_ filter: CohortRowsFilter, _ strings: Strings) -> AppliedFilters {
        var applied = AppliedFilters()
        guard !filter.metric.isSnapshot else { return applied }
        applied.add(filter.metrics, strings) { change in filter.changed { change(&$0.metrics) }.path }
        return applied
    }
}

extension CohortRowsPage.Row {
    fileprivate init(_ row: CohortRow, in currency: Currency?, from path: String, _ viewer: Viewer) {
        let strings = viewer.strings
        let net = row.net.flatMap { net in currency.map { ChartUnit.money($0).number(net, strings) } }
        self.init(
            href: DashboardPath.customer(row.customer, from: path),
            customer: row.customerKey,
            seen: DateText(row.seen, in: viewer.zone, strings),
            product: row.products.joined(separator: " + "),
            plan: row.plans.joined(separator: " + "),
            count: ChartUnit.count.number(row.count, strings),
            net: net
        )
    }
}
