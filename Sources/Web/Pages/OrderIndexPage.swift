import Billing
package import Foundation
package import Storage

/// The list of orders: `/dashboard/orders`.
package struct OrderIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    /// What the list shows, in words: "refunded, “lina”".
    let title: String
    /// "1–25 of 1,284 · newest first"
    let range: String
    let tabs: [FilterTab]
    let isFiltered: Bool
    let chips: [FilterChip]
    let clearHref: String
    /// What to type instead, when the search text is too short.
    let hint: String?
    let caption: String
    let amountHeading: SortHeading
    let createdHeading: SortHeading
    let hasOrders: Bool
    let orders: [OrderRow]
    let empty: EmptyState
    let pages: PageLinks

    package init(list: OrderList, filter: OrderFilter, viewer: Viewer, now: Date) {
        let path = filter.path
        let applied = AppliedOrderFilters(filter, customer: AppliedOrderFilters.name(of: list.rows.first, viewer))
        frame = DashboardFrame(viewer, section: .orders, path: path, search: filter.search, now: now)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total)
        let order = Self.words(for: filter)
        title = (["Orders"] + applied.words).joined(separator: ", ") + (list.rows.isEmpty ? "" : " (\(shown))")
        range = list.rows.isEmpty ? "No orders" : "\(shown) · \(order)"
        tabs = Self.tabs(for: filter)
        isFiltered = !applied.chips.isEmpty
        chips = applied.chips
        clearHref = DashboardPath.orders
        hint = Self.hint(for: filter.search, viewer: viewer)
        caption = "Orders, \(order); times in \(viewer.zone.label)"
        amountHeading = Self.heading(.amount, filter)
        createdHeading = Self.heading(.created, filter)
        let suffix = path == DashboardPath.orders ? "" : DashboardPath.suffix(from: path)
        hasOrders = !list.rows.isEmpty
        let (zone, showsPerson) = (viewer.zone, viewer.seesPersonalData)
        orders = list.rows.map { OrderRow($0, showsPerson: showsPerson, zone: zone, linkSuffix: suffix) }
        empty = Self.empty(filter, applied)
        pages = Self.links(list, filter)
    }

    private static func words(for filter: OrderFilter) -> String {
        switch (filter.sort, filter.direction) {
        case (.created, .descending): "newest first"
        case (.created, .ascending): "oldest first"
        case (.amount, .descending): "largest amount first"
        case (.amount, .ascending): "smallest amount first"
        }
    }

    private static func tabs(for filter: OrderFilter) -> [FilterTab] {
        let choices: [(String, OrderStatus?)] = [
            ("All", nil), ("Completed", .completed), ("Pending", .pending), ("Partly refunded", .partiallyRefunded),
            ("Refunded", .refunded), ("Failed", .failed), ("Cancelled", .cancelled),
        ]
        return choices.map { label, status in
            FilterTab(
                label: label,
                href: filter.changed { $0.status = status }.path,
                isCurrent: filter.status == status
            )
        }
    }

    private static func hint(for search: String, viewer: Viewer) -> String? {
        guard !search.isEmpty, search.count < 3 else { return nil }
        return viewer.seesPersonalData && search.count == 2
            ? "Two characters find a customer's whole name only. Type three or more to search within ids, names and e-mail addresses."
            : "Type three characters or more: shorter texts find only the order whose number or transaction id they are."
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

    private static func empty(_ filter: OrderFilter, _ applied: AppliedOrderFilters) -> EmptyState {
        guard applied.chips.isEmpty else {
            return EmptyState(
                headline: "No order matches",
                text: "Nothing found for \(applied.words.joined(separator: ", ")).",
                linkText: "Show all orders",
                href: DashboardPath.orders
            )
        }
        return EmptyState(
            headline: "No orders yet",
            text: "An order appears here with the first purchase that a store reports, usually within a second of it.",
            linkText: "See what the stores have sent",
            href: DashboardPath.notifications
        )
    }

    private static func links(_ list: OrderList, _ filter: OrderFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        func cursor(_ row: OrderList.Row, rowsBefore: Int) -> PageCursor {
            switch filter.sort {
            case .created:
                PageCursor(kind: .orderCreated, date: row.purchasedAt, id: row.id, rowsBefore: rowsBefore)
            case .amount: PageCursor(kind: .orderAmount, value: row.amount, id: row.id, rowsBefore: rowsBefore)
            }
        }
        var links = PageLinks()
        if list.hasPrevious {
            links.previous =
                filter.changed { $0.position = .before(cursor(first, rowsBefore: list.rowsBefore)) }.path
        }
        if list.hasNext {
            let rowsBefore = list.rowsBefore + list.rows.count
            links.next = filter.changed { $0.position = .after(cursor(last, rowsBefore: rowsBefore)) }.path
        }
        return links
    }
}
