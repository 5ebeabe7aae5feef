import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The seats of groups, and those that only the store knows: `/dashboard/seats`.
package struct SeatIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let caption: String
    let tabs: [FilterTab]
    let hasRows: Bool
    let rows: [Row]
    let isUnknown: Bool
    let isClaimed: Bool
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        /// The member, or the store's id of a seat that nobody here claimed.
        let name: String
        /// The member's page; nil for what has none.
        let href: String?
        let product: String
        let productHref: String
        let purchaser: PersonText
        let purchaserHref: String
        let state: String
        /// The store's words where it gave none, and where it has not answered.
        let words: String?
        let moment: DateText
        /// The person or program that claimed it; nil where nobody did.
        let claimedBy: String?
        let endHref: String?
    }

    package init(list: ListPage<SeatListRow>, filter: SeatFilter, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .subscriptions, path: filter.path, now: now)
        let group = filter.group.map { _ in strings.seatsOfGroup.description }
        let heading = ListHeading(
            list,
            of: strings.seatsListTitle.description,
            filters: [Self.name(of: filter.shown, strings).description, group].compactMap(\.self),
            none: strings.seatsListNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.seatsListCaption(zone: viewer.zone.label)
        tabs = SeatFilter.Shown.allCases.map { shown in
            FilterTab(
                label: Self.name(of: shown, strings).description,
                href: SeatFilter(shown: shown, group: filter.group).path,
                isCurrent: shown == filter.shown
            )
        }
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, of: filter, viewer, now: now) }
        (isUnknown, isClaimed) = (filter.shown == .unknown, filter.shown == .claimed)
        empty = EmptyState(
            headline: strings.seatsListNone.description,
            text: strings.seatsListNoneText.description,
            linkText: strings.seatsListBack.description,
            href: DashboardPath.subscriptions
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func name(of shown: SeatFilter.Shown, _ strings: Strings) -> StaticString {
        switch shown {
        case .unknown: strings.seatsShownUnknown
        case .waiting: strings.seatsShownWaiting
        case .claimed: strings.seatsShownClaimed
        }
    }
}

extension SeatIndexPage.Row {
    fileprivate init(_ row: SeatListRow, of filter: SeatFilter, _ viewer: Viewer, now: Date) {
        let (strings, path) = (viewer.strings, filter.path)
        switch row {
        case .unknown(let seat):
            (name, href) = (seat.seat.storeClaimID, nil)
            (product, productHref) = (seat.productName, DashboardPath.subscription(seat.group, from: path))
            purchaser = PersonText(seat.purchaser, viewer)
            purchaserHref = DashboardPath.customer(seat.purchaser.id, from: path)
            (state, words) = (strings.seatsNotClaimed.description, nil)
            moment = DateText(seat.seat.firstSeenAt, in: viewer.zone, strings)
            (claimedBy, endHref) = (nil, nil)
        case .claim(let seat):
            let text = SeatRowText(seat, ofMember: false, from: path, viewer, now: now)
            (name, href) = (text.person.name, text.personHref)
            (product, productHref) = (text.product, text.productHref)
            purchaser = PersonText(seat.purchaser, viewer)
            purchaserHref = DashboardPath.customer(seat.purchaser.id, from: path)
            (state, words) = (text.state, text.refusal)
            let since = filter.shown == .waiting ? seat.claim.wait?.since : nil
            moment = since.map { DateText($0, in: viewer.zone, strings) } ?? text.claimed
            (claimedBy, endHref) = (text.claimedBy, text.endHref)
        }
    }
}

extension SeatFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        let shown = query.choice("show", Shown.self) ?? .unknown
        self.init(
            shown: shown,
            group: query.value("group") { Subscription.ID($0) },
            position: try query.position(of: shown.cursor)
        )
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add("show", shown == .unknown ? nil : shown.rawValue)
        query.add("group", group?.description)
        query.add(position)
        return DashboardPath.seats + query.text
    }
}
