import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// Orders to pay at stores, in words.
enum CheckoutText {
    static func name(of method: CheckoutMethod, _ strings: Strings) -> StaticString {
        switch method {
        case .wechatNative: strings.checkoutsWechatNative
        case .wechatJSAPI: strings.checkoutsWechatJsapi
        case .wechatApp: strings.checkoutsWechatApp
        case .wechatH5: strings.checkoutsWechatH5
        case .alipayPage: strings.checkoutsAlipayPage
        case .alipayWap: strings.checkoutsAlipayWap
        case .alipayApp: strings.checkoutsAlipayApp
        case .alipayQR: strings.checkoutsAlipayQr
        }
    }

    static func status(of state: Checkout.State, _ strings: Strings) -> StatusText {
        switch state {
        case .opening: StatusText(strings.checkoutsOpening, strings.checkoutsOpening, "pending")
        case .open: StatusText(strings.checkoutsOpen, strings.checkoutsOpen, "pending")
        case .paid: StatusText(strings.checkoutsPaid, strings.checkoutsPaid, "completed")
        case .closing: StatusText(strings.checkoutsClosing, strings.checkoutsClosing, "pending")
        case .closed: StatusText(strings.checkoutsClosed, strings.checkoutsClosed, "cancelled")
        }
    }

    static func name(of reason: Checkout.CloseReason, _ strings: Strings) -> StaticString {
        switch reason {
        case .expired: strings.checkoutsExpired
        case .replaced: strings.checkoutsReplaced
        case .refused: strings.checkoutsRefused
        case .closedByStore: strings.checkoutsClosedByStore
        case .accountDeleted: strings.customersAccountDeleted
        }
    }

    /// The advice to staff.
    static func advice(on row: WaitingCheckout, _ strings: Strings) -> StaticString {
        if row.hasUnknownRefund { return strings.checkoutsAdviceUnknownRefund }
        return row.state == .paid ? strings.checkoutsAdvicePaid : strings.checkoutsAdviceUnsettled
    }
}

/// A payment that waits for people, in a table.
struct WaitingCheckoutLine: Sendable {
    let number: String
    let status: StatusText
    let store: String
    let isSandbox: Bool
    let method: StaticString
    let opened: DateText
    let money: MoneyText
    /// In English, as it is kept.
    let problem: String
    let advice: StaticString
    let customerHref: String
    let product: String
    let transaction: String?
    /// nil where the books have no order of it.
    let order: String?
    let orderHref: String?
    /// nil for whoever may only look.
    let closeHref: String?

    /// - Parameter path: the page that it stands on.
    init(_ row: WaitingCheckout, from path: String, _ viewer: Viewer) {
        let strings = viewer.strings
        number = row.number
        status = CheckoutText.status(of: row.state, strings)
        store = StoreText.name(of: row.store, strings)
        isSandbox = row.environment == .sandbox
        method = CheckoutText.name(of: row.method, strings)
        opened = DateText(row.createdAt, in: viewer.zone, strings, showsSeconds: true)
        money = MoneyText(row.amount, strings)
        problem = row.problem
        advice = CheckoutText.advice(on: row, strings)
        customerHref = DashboardPath.customer(row.customer, from: path)
        product = row.product
        transaction = row.transactionID
        order = row.order
        orderHref = row.order.map { DashboardPath.order($0, from: path) }
        closeHref = viewer.may(.replayNotifications) ? DashboardPath.newClosing(of: row.id, from: path) : nil
    }
}
