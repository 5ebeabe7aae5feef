import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// Bills and their differences in words.
enum BillText {
    static func status(of bill: DailyBill, _ strings: Strings) -> StatusText {
        switch bill.state {
        case .awaited where bill.failures > 0: StatusText(strings.billsFailed, strings.billsFailed, "failed")
        case .awaited: StatusText(strings.billsAwaited, strings.billsAwaited, "pending")
        case .incomplete: StatusText(strings.billsIncomplete, strings.billsIncomplete, "failed")
        case .compared: StatusText(strings.billsCompared, strings.billsCompared, "completed")
        case .missing: StatusText(strings.billsMissing, strings.billsMissing, "failed")
        }
    }

    static func name(of kind: BillDifference.Kind, _ strings: Strings) -> StaticString {
        switch kind {
        case .paidThere: strings.billsPaidThere
        case .paidHere: strings.billsPaidHere
        case .paymentAmount: strings.billsPaymentAmount
        case .refundedThere: strings.billsRefundedThere
        case .refundedHere: strings.billsRefundedHere
        case .refundAmount: strings.billsRefundAmount
        }
    }

    /// The advice to staff.
    static func advice(on kind: BillDifference.Kind, _ strings: Strings) -> StaticString {
        switch kind {
        case .paidThere: strings.billsAdvicePaidThere
        case .paidHere: strings.billsAdvicePaidHere
        case .paymentAmount, .refundAmount: strings.billsAdviceAmount
        case .refundedThere: strings.billsAdviceRefundedThere
        case .refundedHere: strings.billsAdviceRefundedHere
        }
    }

    static func status(of difference: ListedBillDifference, _ strings: Strings) -> StatusText {
        switch difference.closeReason {
        case nil: StatusText(strings.billsOpen, strings.billsOpen, "pending")
        case .explained: StatusText(strings.billsExplained, strings.billsExplained, "completed")
        case .staff: StatusText(strings.billsClosed, strings.billsClosed, "completed")
        }
    }

    static func name(of shown: BillDifferenceFilter.Shown, _ strings: Strings) -> StaticString {
        switch shown {
        case .open: strings.billsOpen
        case .closed: strings.billsClosed
        case .all: strings.partsAll
        }
    }
}

/// A bill in a table.
struct BillLine: Sendable {
    let href: String
    let day: String
    let store: String
    let isSandbox: Bool
    let status: StatusText
    let problem: String?
    let rows: String
    let differences: String
    let open: String

    init(_ row: ListedBill, _ viewer: Viewer) {
        let strings = viewer.strings
        href = DashboardPath.bill(row.id)
        day = PeriodText.day(row.bill.day, strings)
        store = StoreText.name(of: row.bill.store, strings)
        isSandbox = row.bill.environment == .sandbox
        status = BillText.status(of: row.bill, strings)
        problem = row.bill.problem
        rows = strings.number(row.bill.rows)
        differences = strings.number(row.differences)
        open = strings.number(row.open)
    }
}

/// A difference in a table.
struct BillDifferenceLine: Sendable {
    let kind: StaticString
    let status: StatusText
    let advice: StaticString?
    let store: String
    let isSandbox: Bool
    let billHref: String
    let day: String
    let order: String
    let orderHref: String?
    let transaction: String
    let billed: MoneyText?
    let booked: MoneyText?
    let note: String?
    let noteHref: String?
    let closeHref: String?

    /// - Parameter path: the page that it stands on.
    init(_ row: ListedBillDifference, from path: String, _ viewer: Viewer) {
        let strings = viewer.strings
        kind = BillText.name(of: row.difference.kind, strings)
        status = BillText.status(of: row, strings)
        advice = row.isOpen ? BillText.advice(on: row.difference.kind, strings) : nil
        store = StoreText.name(of: row.store, strings)
        isSandbox = row.environment == .sandbox
        billHref = DashboardPath.bill(row.bill)
        day = PeriodText.day(row.day, strings)
        order = row.order ?? row.difference.orderNumber ?? row.difference.transactionID
        orderHref = row.order.map { DashboardPath.order($0, from: path) }
        transaction = row.difference.transactionID
        billed = row.difference.billed.map { MoneyText($0, strings) }
        booked = row.difference.booked.map { MoneyText($0, strings) }
        note = row.note?.shown(to: viewer)
        let mayNote = row.isOpen && viewer.may(.replayNotifications)
        noteHref = mayNote ? DashboardPath.newNote(on: row.id, closes: false, from: path) : nil
        closeHref = mayNote ? DashboardPath.newNote(on: row.id, closes: true, from: path) : nil
    }
}
