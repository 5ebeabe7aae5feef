import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// Rows in which stores' bills and the books differ: `/dashboard/bill-differences`.
package struct BillDifferenceIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let backHref: String
    let tabs: [FilterTab]
    let hasRows: Bool
    let rows: [BillDifferenceLine]
    let empty: EmptyState
    let pages: PageLinks

    package init(
        list: ListPage<ListedBillDifference>,
        filter: BillDifferenceFilter,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .sync, path: filter.path, now: now)
        let name = filter.shown == .all ? nil : BillText.name(of: filter.shown, strings).description
        let heading = ListHeading(
            list,
            of: strings.billsDifferences.description,
            filters: [name].compactMap(\.self),
            none: strings.billsNoDifferences,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        backHref = DashboardPath.sync
        tabs = BillDifferenceFilter.Shown.allCases.map { shown in
            FilterTab(
                label: BillText.name(of: shown, strings).description,
                href: BillDifferenceFilter(shown: shown).path,
                isCurrent: shown == filter.shown
            )
        }
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { BillDifferenceLine($0, from: filter.path, viewer) }
        empty = EmptyState(
            headline: strings.billsNoDifferences.description,
            text: strings.billsNoDifferencesText.description,
            linkText: strings.billsTitle.description,
            href: DashboardPath.bills
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }
}

extension BillDifferenceFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            shown: query.choice("show", Shown.self) ?? .open,
            position: try query.position(of: .billDifferenceFound)
        )
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add("show", shown == .open ? nil : shown.rawValue)
        query.add(position)
        return DashboardPath.billDifferences + query.text
    }
}
