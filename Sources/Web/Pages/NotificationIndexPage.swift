import Billing
package import Foundation
package import Storage

/// The inbox: `/dashboard/notifications`.
package struct NotificationIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let range: String
    let tabs: [FilterTab]
    let caption: String
    let hasNotifications: Bool
    let notifications: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        var href: String
        var received: DateText
        var store: StaticString
        var isSandbox: Bool
        var type: String
        var subtype: String?
        var uuid: String
        var status: StatusText
        var attempts: Int
        var lastError: String?
        var orderHref: String?
        var orderNumber: String
        /// The original transaction id of a chain without orders; empty otherwise.
        var chain: String
    }

    package init(list: NotificationList, filter: NotificationFilter, viewer: Viewer, now: Date) {
        let path = filter.path
        frame = DashboardFrame(viewer, section: .notifications, path: path, now: now)
        let shown = Phrase.range(before: list.rowsBefore, shown: list.rows.count, total: list.total)
        let words = ["Notifications"] + (filter.state.map { [StatusText($0).lowercased] } ?? [])
        title = words.joined(separator: ", ") + (list.rows.isEmpty ? "" : " (\(shown))")
        range = list.rows.isEmpty ? "No notifications" : "\(shown) · newest first"
        tabs = Self.tabs(for: filter)
        caption = "Notifications from the stores, newest first; times in \(viewer.zone.label)"
        let suffix = DashboardPath.suffix(from: path)
        hasNotifications = !list.rows.isEmpty
        notifications = list.rows.map { Self.row($0, zone: viewer.zone, linkSuffix: suffix) }
        empty = Self.empty(filter)
        pages = Self.links(list, filter)
    }

    private static func row(_ row: NotificationList.Row, zone: BusinessZone, linkSuffix: String) -> Row {
        Row(
            href: DashboardPath.notification(row.id) + linkSuffix,
            received: DateText(row.receivedAt, in: zone, showsSeconds: true),
            store: StoreText.name(of: row.store),
            isSandbox: row.environment == .sandbox,
            type: row.type,
            subtype: row.subtype,
            uuid: row.notificationUUID,
            status: StatusText(row.state),
            attempts: row.attempts,
            lastError: row.lastError,
            orderHref: row.orderNumber.map { "\(DashboardPath.orders)/\($0)\(linkSuffix)" },
            orderNumber: row.orderNumber ?? "",
            chain: row.originalTransactionID ?? ""
        )
    }

    private static func tabs(for filter: NotificationFilter) -> [FilterTab] {
        let all = FilterTab(label: "All", href: NotificationFilter().path, isCurrent: filter.state == nil)
        return [all]
            + NotificationState.allCases.map { state in
                FilterTab(
                    label: StatusText(state).word.description,
                    href: NotificationFilter(state: state).path,
                    isCurrent: filter.state == state
                )
            }
    }

    private static func empty(_ filter: NotificationFilter) -> EmptyState {
        switch filter.state {
        case nil:
            EmptyState(
                headline: "No notifications yet",
                text: "What a store sends appears here as soon as its signature has been verified.",
                linkText: "See the orders",
                href: DashboardPath.orders
            )
        case .failed:
            EmptyState(
                headline: "Nothing has failed",
                text: "Every notification was understood, or will be tried again.",
                linkText: "Show all notifications",
                href: DashboardPath.notifications
            )
        case .some(let state):
            EmptyState(
                headline: "No notification is \(StatusText(state).lowercased)",
                text: "The others are under All.",
                linkText: "Show all notifications",
                href: DashboardPath.notifications
            )
        }
    }

    private static func links(_ list: NotificationList, _ filter: NotificationFilter) -> PageLinks {
        guard let first = list.rows.first, let last = list.rows.last else { return PageLinks() }
        func path(_ row: NotificationList.Row, _ rowsBefore: Int, _ position: (PageCursor) -> PagePosition) -> String {
            let cursor = PageCursor(
                kind: .notificationReceived,
                date: row.receivedAt,
                id: row.id,
                rowsBefore: rowsBefore
            )
            return NotificationFilter(state: filter.state, position: position(cursor)).path
        }
        var links = PageLinks()
        if list.hasPrevious { links.previous = path(first, list.rowsBefore) { .before($0) } }
        if list.hasNext { links.next = path(last, list.rowsBefore + list.rows.count) { .after($0) } }
        return links
    }
}
