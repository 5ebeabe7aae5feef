import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The inbox: `/dashboard/notifications`.
package struct NotificationIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    /// The sync that the list is of; nil for the whole inbox.
    let syncHref: String?
    let tabs: [FilterTab]
    let tools: ListTools
    let caption: String
    let hasNotifications: Bool
    let notifications: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        var href: String
        var received: DateText
        var store: String
        var isSandbox: Bool
        var type: String
        var subtype: String?
        var uuid: String
        var status: StatusText
        var attempts: Int
        var lastError: String?
        var orderHref: String?
        var orderNumber: String
        /// The original transaction id of a subscription without orders; empty otherwise.
        var originalTransactionID: String
    }

    package init(
        list: ListPage<ListedNotification>,
        filter: NotificationFilter,
        settings: ListSettings = ListSettings(),
        viewer: Viewer,
        now: Date
    ) {
        let path = filter.path
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .notifications, path: path, now: now)
        let state = filter.state.map { [StatusText($0, strings).within.description] } ?? []
        let found = filter.reconciliation == nil ? [] : [strings.syncFoundWithin.description]
        let heading = ListHeading(
            list,
            of: strings.notificationsTitle.description,
            filters: state + found,
            none: strings.notificationsNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        syncHref = filter.reconciliation.map { DashboardPath.reconciliation($0) }
        tabs = Self.tabs(for: filter, strings)
        tools = ListTools(filter, settings, viewer)
        caption = strings.notificationsCaption(zone: viewer.zone.label)
        let suffix = DashboardPath.suffix(from: path)
        hasNotifications = !list.rows.isEmpty
        notifications = list.rows.map { Self.row($0, zone: viewer.zone, strings, linkSuffix: suffix) }
        empty = Self.empty(filter, strings)
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func row(
        _ row: ListedNotification,
        zone: BusinessZone,
        _ strings: Strings,
        linkSuffix: String
    ) -> Row {
        Row(
            href: DashboardPath.notification(row.id) + linkSuffix,
            received: DateText(row.receivedAt, in: zone, strings, showsSeconds: true),
            store: StoreText.name(of: row.store, strings),
            isSandbox: row.environment == .sandbox,
            type: row.type,
            subtype: row.subtype,
            uuid: row.notificationUUID,
            status: StatusText(row.state, strings),
            attempts: row.attempts,
            lastError: row.lastError,
            orderHref: row.orderNumber.map { "\(DashboardPath.orders)/\($0)\(linkSuffix)" },
            orderNumber: row.orderNumber ?? "",
            originalTransactionID: row.originalTransactionID ?? ""
        )
    }

    private static func tabs(for filter: NotificationFilter, _ strings: Strings) -> [FilterTab] {
        let all = FilterTab(
            label: strings.partsAll.description,
            href: filter.changed { $0.state = nil }.path,
            isCurrent: filter.state == nil
        )
        return [all]
            + NotificationState.allCases.map { state in
                FilterTab(
                    label: StatusText(state, strings).word.description,
                    href: filter.changed { $0.state = state }.path,
                    isCurrent: filter.state == state
                )
            }
    }

    private static func empty(_ filter: NotificationFilter, _ strings: Strings) -> EmptyState {
        switch filter.state {
        case nil:
            EmptyState(
                headline: strings.notificationsEmptyHeadline.description,
                text: strings.notificationsEmptyText.description,
                linkText: strings.notificationsEmptyLink.description,
                href: DashboardPath.orders
            )
        case .failed:
            EmptyState(
                headline: strings.notificationsNoneFailedHeadline.description,
                text: strings.notificationsNoneFailedText.description,
                linkText: strings.notificationsShowAll.description,
                href: DashboardPath.notifications
            )
        case .some(let state):
            EmptyState(
                headline: strings.notificationsNoneInStateHeadline(
                    status: StatusText(state, strings).within.description
                ),
                text: strings.notificationsNoneInStateText.description,
                linkText: strings.notificationsShowAll.description,
                href: DashboardPath.notifications
            )
        }
    }
}
