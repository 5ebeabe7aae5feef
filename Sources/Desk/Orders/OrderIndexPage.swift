import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The list of orders: `/dashboard/orders`.
package struct OrderIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    /// The list's content in words: "refunded, “lina”".
    let title: String
    /// "1–25 of 1,284 · newest first"
    let range: String
    let tabs: [FilterTab]
    let form: FilterForm
    let tools: ListTools
    /// nil when there is nothing to take.
    let export: ExportLink?
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// The hint on what to type when the search text is too short, or finds too many customers.
    let hint: StaticString?
    let caption: String
    let amountHeading: SortHeading
    let createdHeading: SortHeading
    let hasOrders: Bool
    let orders: [OrderRow]
    let empty: EmptyState
    let pages: PageLinks

    /// - Parameters:
    ///   - customer: the name of the customer whose orders are listed.
    package init(
        list: ListPage<ListedOrder>,
        filter: OrderFilter,
        customer: String? = nil,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let path = filter.path
        let strings = viewer.strings
        let applied = AppliedOrderFilters(filter, customer: customer, strings)
        frame = DashboardFrame(viewer, section: .orders, path: path, now: now)
        let order = Self.order(of: filter, strings)
        let heading = ListHeading(
            list,
            of: strings.ordersTitle.description,
            filters: applied.strings,
            none: strings.ordersNone,
            order: order,
            strings
        )
        (title, range) = (heading.title, heading.range)
        tabs = Self.tabs(for: filter, strings)
        form = Self.form(filter, viewer)
        export = ExportLink("orders", filter.queryText(withPosition: false), list, strings)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.orders
        hint = list.isCut ? strings.listsCut : Self.hint(for: filter.search, viewer: viewer)
        caption = strings.ordersCaption(order: order.description, zone: viewer.zone.label)
        amountHeading = Self.heading(.amount, filter)
        createdHeading = Self.heading(.created, filter)
        tools = ListTools(
            filter,
            settings,
            viewer,
            headings: [(.amount, amountHeading), (.created, createdHeading)]
        )
        let suffix = path == DashboardPath.orders ? "" : DashboardPath.suffix(from: path)
        hasOrders = !list.rows.isEmpty
        orders = list.rows.map { OrderRow($0, for: viewer, linkSuffix: suffix) }
        empty = Self.empty(applied, strings)
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func order(of filter: OrderFilter, _ strings: Strings) -> StaticString {
        switch (filter.sort, filter.direction) {
        case (.created, .descending): strings.partsNewestFirst
        case (.created, .ascending): strings.partsOldestFirst
        case (.amount, .descending): strings.ordersLargestFirst
        case (.amount, .ascending): strings.ordersSmallestFirst
        }
    }

    private static func tabs(for filter: OrderFilter, _ strings: Strings) -> [FilterTab] {
        let choices: [OrderStatus?] = [
            nil, .completed, .pending, .partiallyRefunded, .refunded, .superseded, .failed, .cancelled,
        ]
        return choices.map { status in
            FilterTab(
                label: (status.map { StatusText($0, strings).word } ?? strings.partsAll).description,
                href: filter.changed { $0.status = status }.path,
                isCurrent: filter.status == status
            )
        }
    }

    private static func form(_ filter: OrderFilter, _ viewer: Viewer) -> FilterForm {
        var form = FilterForm(
            action: DashboardPath.orders,
            search: filter.search,
            searchLabel: viewer.seesPersonalData
                ? viewer.strings.listsOrdersSearch : viewer.strings.listsOrdersSearchIds
        )
        form.hidden = [
            ("status", filter.status?.rawValue), ("customer", filter.customer?.description),
            ("sort", filter.sort == .created ? nil : filter.sort.rawValue),
            ("dir", filter.direction == .descending ? nil : filter.direction.rawValue),
            ("columns", filter.columns?.text),
        ].compactMap { name, value in value.map { .init(name: name, value: $0) } }
        return form
    }

    private static func hint(for search: String, viewer: Viewer) -> StaticString? {
        guard !search.isEmpty, search.count < 3 else { return nil }
        return viewer.seesPersonalData && search.count == 2
            ? viewer.strings.ordersHintTwo : viewer.strings.ordersHintShort
    }

    private static func heading(_ sort: OrderFilter.Sort, _ filter: OrderFilter) -> SortHeading {
        guard filter.sort == sort else {
            let href = filter.changed { ($0.sort, $0.direction) = (sort, .descending) }.path
            return SortHeading(href: href, order: nil, arrow: "")
        }
        let isDescending = filter.direction == .descending
        return SortHeading(
            href: filter.changed { $0.direction = filter.direction.reversed }.path,
            order: isDescending ? "descending" : "ascending",
            arrow: isDescending ? "↓" : "↑"
        )
    }

    private static func empty(_ applied: AppliedOrderFilters, _ strings: Strings) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: strings.ordersNoMatchHeadline.description,
                text: strings.ordersNoMatchText(filters: strings.list(applied.strings)),
                linkText: strings.ordersNoMatchLink.description,
                href: DashboardPath.orders
            )
        }
        return EmptyState(
            headline: strings.ordersEmptyHeadline.description,
            text: strings.ordersEmptyText.description,
            linkText: strings.ordersEmptyLink.description,
            href: DashboardPath.notifications
        )
    }
}
