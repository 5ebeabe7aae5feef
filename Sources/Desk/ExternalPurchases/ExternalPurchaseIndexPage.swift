import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// Purchases outside of a store: `/dashboard/external-purchases`.
package struct ExternalPurchaseIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let caption: String
    let tabs: [FilterTab]
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    struct Row: Sendable {
        let id: String
        let store: String
        let isSandbox: Bool
        let status: StatusText
        let tokenType: String?
        let created: DateText?
        let told: DateText
        let reported: DateText?
        /// The page that asks; nil for what is not due, and for who may not report.
        let reportHref: String?
    }

    package init(
        list: ListPage<ExternalPurchaseToken>,
        filter: ExternalPurchaseFilter,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .externalPurchases, path: filter.path, now: now)
        let name = filter.shown == .all ? nil : Self.name(of: filter.shown, strings).description
        let heading = ListHeading(
            list,
            of: strings.externalPurchasesTitle.description,
            filters: [name].compactMap(\.self),
            none: strings.externalPurchasesNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.externalPurchasesCaption(zone: viewer.zone.label)
        tabs = ExternalPurchaseFilter.Shown.allCases.map { shown in
            FilterTab(
                label: Self.name(of: shown, strings).description,
                href: ExternalPurchaseFilter(shown: shown).path,
                isCurrent: shown == filter.shown
            )
        }
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, from: filter.path, viewer) }
        empty = EmptyState(
            headline: strings.externalPurchasesNone.description,
            text: strings.externalPurchasesNoneText.description,
            linkText: strings.queuesNoneFailedLink.description,
            href: DashboardPath.notifications
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }

    private static func name(of shown: ExternalPurchaseFilter.Shown, _ strings: Strings) -> StaticString {
        switch shown {
        case .all: strings.partsAll
        case .due: strings.externalPurchasesDue
        case .created: strings.externalPurchasesCreated
        case .reminded: strings.externalPurchasesReminded
        case .unreported: strings.externalPurchasesUnreported
        }
    }
}

extension ExternalPurchaseIndexPage.Row {
    fileprivate init(_ token: ExternalPurchaseToken, from path: String, _ viewer: Viewer) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        id = token.externalPurchaseID
        store = StoreText.name(of: token.store, strings).description
        isSandbox = token.environment == .sandbox
        status = ExternalPurchaseText.status(of: token.state, strings)
        tokenType = token.tokenType
        created = token.createdAt.map { DateText($0, in: zone, strings) }
        told = DateText(token.toldAt, in: zone, strings)
        reported = token.reportedAt.map { DateText($0, in: zone, strings) }
        let mayReport = token.isDue && viewer.may(.replayNotifications)
        reportHref = mayReport ? DashboardPath.newReport(of: token.id) + DashboardPath.suffix(from: path) : nil
    }
}

/// External purchases in words.
enum ExternalPurchaseText {
    static func status(of state: ExternalPurchaseState, _ strings: Strings) -> StatusText {
        switch state {
        case .created: StatusText(strings.externalPurchasesCreated, strings.externalPurchasesCreated, "pending")
        case .reminded: StatusText(strings.externalPurchasesReminded, strings.externalPurchasesReminded, "partial")
        case .unreported: StatusText(strings.externalPurchasesUnreported, strings.externalPurchasesUnreported, "failed")
        }
    }
}

extension ExternalPurchaseFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            shown: query.choice("show", Shown.self) ?? .all,
            position: try query.position(of: .externalPurchaseToken)
        )
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add("show", shown == .all ? nil : shown.rawValue)
        query.add(position)
        return DashboardPath.externalPurchases + query.text
    }
}
