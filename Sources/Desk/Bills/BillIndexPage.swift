import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage
package import Words

/// Stores' bills of each day: `/dashboard/bills`.
package struct BillIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let backHref: String
    /// Sentences on the stores that cannot be asked for their bills.
    let problems: [String]
    let hasRows: Bool
    let rows: [BillLine]
    let empty: EmptyState
    let pages: PageLinks

    /// - Parameter stores: those that make bills of the app's orders, also those that cannot be asked.
    package init(
        list: ListPage<ListedBill>,
        filter: BillFilter,
        of stores: [StoreWithBills] = [],
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .sync, path: filter.path, now: now)
        let heading = ListHeading(
            list,
            of: strings.billsTitle.description,
            filters: [],
            none: strings.billsNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        backHref = DashboardPath.sync
        problems = stores.compactMap { account in
            account.problem.map {
                strings.billsNotAsked(problem: $0, store: StoreText.name(of: account.store, strings).description)
            }
        }
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { BillLine($0, viewer) }
        empty = EmptyState(
            headline: strings.billsNone.description,
            text: strings.billsNoneText.description,
            linkText: strings.syncTitle.description,
            href: DashboardPath.sync
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }
}

extension BillFilter {
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(position: try query.position(of: .billDay))
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add(position)
        return DashboardPath.bills + query.text
    }
}
