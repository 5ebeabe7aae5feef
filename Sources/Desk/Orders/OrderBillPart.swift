import Billing
import HTTP
import Operations
import Storage
import Words

/// The part of an order's page about the store's bills: each row about it, with the fee that the store took.
struct OrderBillPart: Sendable {
    let heading: String
    let rows: [Row]

    struct Row: Sendable {
        var name: StaticString
        /// "1 Jan 2026", and the bill of that day; nil for a role that may not see bills.
        var day: String
        var href: String?
        var money: MoneyText
        /// nil where the bill does not say.
        var fee: MoneyText?
        var at: DateText
    }

    /// - Returns: nil where no bill has the order.
    init?(_ rows: [OrderBillRow], at store: Store, viewer: Viewer) {
        guard !rows.isEmpty else { return nil }
        let strings = viewer.strings
        heading = strings.billsOfOrder(store: StoreText.name(of: store, strings).description)
        self.rows = rows.map { row in
            Row(
                name: row.movement.kind == .payment ? strings.billsRowPayment : strings.billsRowRefund,
                day: PeriodText.day(row.day, strings),
                href: viewer.may(.viewNotifications) ? DashboardPath.bill(row.bill) : nil,
                money: MoneyText(row.movement.amount, strings),
                fee: row.movement.fee.map { MoneyText($0, strings) },
                at: DateText(row.movement.at, in: viewer.zone, strings)
            )
        }
    }
}
