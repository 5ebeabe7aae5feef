package import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// The reconciliations with stores, and what was missing: `/dashboard/sync`.
package struct SyncIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let range: String
    let caption: String
    /// "Apple is asked every hour."; that no store can be asked, otherwise.
    let schedule: String
    /// True if this person may have it done at once.
    let maySync: Bool
    /// Another person may.
    let isSyncForOthers: Bool
    let key: String
    let hasRows: Bool
    let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks
    /// A store makes bills, or made some.
    let hasBills: Bool
    let bills: [BillLine]
    let billsHref: String
    let hasDifferences: Bool
    let differences: [BillDifferenceLine]
    let differencesHref: String
    /// "3 payments to look at"; nil for none.
    let payments: String?
    let paymentsHref: String

    struct Row: Sendable {
        let href: String
        let started: DateText
        let store: String
        let isSandbox: Bool
        let status: StatusText
        let problem: String?
        let read: String
        let missed: String
        let checked: String
        let corrected: String
    }

    /// - Parameters:
    ///   - stores: those that can be asked.
    ///   - bills: the newest of them.
    ///   - differences: the open ones that were found last.
    ///   - payments: the number of those that wait for people; 100 stands for 100 or more.
    package init(
        list: ListPage<Reconciliation>,
        filter: ReconciliationFilter,
        stores: [Store],
        bills: ListPage<ListedBill>,
        differences: ListPage<ListedBillDifference>,
        payments: Int,
        key: String,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .sync, path: filter.path, now: now)
        let heading = ListHeading(
            list,
            of: strings.syncTitle.description,
            filters: [],
            none: strings.syncNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.syncCaption(zone: viewer.zone.label)
        let names = strings.list(stores.map { StoreText.name(of: $0, strings) })
        schedule = stores.isEmpty ? strings.syncNoKey.description : strings.syncSchedule(stores: names)
        maySync = !stores.isEmpty && viewer.may(.replayNotifications)
        isSyncForOthers = !stores.isEmpty && !viewer.may(.replayNotifications)
        self.key = key
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, viewer, now: now) }
        empty = EmptyState(
            headline: strings.syncNone.description,
            text: stores.isEmpty ? strings.syncNoKeyText.description : strings.syncNoneText.description,
            linkText: strings.queuesNoneFailedLink.description,
            href: DashboardPath.notifications
        )
        pages = PageLinks(list, by: filter, path: \.path)
        self.bills = bills.rows.map { BillLine($0, viewer) }
        hasBills = !bills.rows.isEmpty
        billsHref = DashboardPath.bills
        self.differences = differences.rows.map { BillDifferenceLine($0, from: filter.path, viewer) }
        hasDifferences = !differences.rows.isEmpty
        differencesHref = DashboardPath.billDifferences
        self.payments =
            switch payments {
            case ..<1: nil
            case ..<100: strings.analyticsTaskPayments(count: payments)
            case _: strings.analyticsTaskPaymentsMany(number: strings.number(payments))
            }
        paymentsHref = DashboardPath.checkouts
    }
}

extension SyncIndexPage.Row {
    fileprivate init(_ row: Reconciliation, _ viewer: Viewer, now: Date) {
        let strings = viewer.strings
        href = DashboardPath.reconciliation(row.id)
        started = DateText(row.startedAt, in: viewer.zone, strings, showsSeconds: true)
        store = StoreText.name(of: row.store, strings)
        isSandbox = row.environment == .sandbox
        status = SyncText.status(of: row, now: now, strings)
        problem = row.problem
        read = strings.number(row.counts.read)
        missed = strings.number(row.counts.missed)
        checked = strings.number(row.counts.checked)
        corrected = strings.number(row.counts.corrected)
    }
}

extension ReconciliationFilter {
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(position: try query.position(of: .reconciliationStarted))
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add(position)
        return DashboardPath.sync + query.text
    }
}
