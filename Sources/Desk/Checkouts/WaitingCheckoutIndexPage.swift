import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// Payments at stores that wait for people: `/dashboard/checkouts`.
package struct WaitingCheckoutIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let backHref: String
    /// The questions to the store that nobody asks any more.
    let queueHref: String
    /// The messages that could not be applied, also those of orders that nobody knows.
    let notificationsHref: String
    let hasRows: Bool
    let rows: [WaitingCheckoutLine]
    let zoneLabel: String
    let empty: EmptyState
    let pages: PageLinks

    package init(list: ListPage<WaitingCheckout>, filter: WaitingCheckoutFilter, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .sync, path: filter.path, now: now)
        let heading = ListHeading(
            list,
            of: strings.checkoutsTitle.description,
            filters: [],
            none: strings.checkoutsNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        backHref = DashboardPath.sync
        queueHref = DashboardPath.queue(.checkouts)
        notificationsHref = DashboardPath.notifications + "?state=failed"
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { WaitingCheckoutLine($0, from: filter.path, viewer) }
        zoneLabel = viewer.zone.label
        empty = EmptyState(
            headline: strings.checkoutsNone.description,
            text: strings.checkoutsNoneText.description,
            linkText: strings.syncTitle.description,
            href: DashboardPath.sync
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }
}

extension WaitingCheckoutFilter {
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(position: try query.position(of: .checkoutOpened))
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add(position)
        return DashboardPath.checkouts + query.text
    }
}
