package import Billing
package import Foundation
package import Gateways
import Synchronization

/// A payment that a simulated store took before it was started: its orders live as long as its process.
package struct SimulatedSale: Hashable, Sendable {
    /// Our number of the order.
    package var number: String
    package var method: CheckoutMethod
    package var description: String
    /// In fen.
    package var amount: Int64
    package var openedAt: Date
    /// The store's number of the payment.
    package var transactionID: String
    package var paidAt: Date
    package var refunds: [Refund]

    /// Money that the store gave back of it.
    package struct Refund: Hashable, Sendable {
        /// Our number of it.
        package var number: String
        /// The store's number of it; nil where it has none.
        package var storeID: String?
        package var amount: Int64
        package var at: Date

        package init(number: String, storeID: String?, amount: Int64, at: Date) {
            (self.number, self.storeID, self.amount, self.at) = (number, storeID, amount, at)
        }
    }

    package init(
        number: String,
        method: CheckoutMethod,
        description: String,
        amount: Int64,
        openedAt: Date,
        transactionID: String,
        paidAt: Date,
        refunds: [Refund] = []
    ) {
        (self.number, self.method, self.description, self.amount) = (number, method, description, amount)
        (self.openedAt, self.transactionID, self.paidAt, self.refunds) = (openedAt, transactionID, paidAt, refunds)
    }
}

/// Numbers that a store gives out after a start are none of those that it gave out before: they count on from the seconds since 2024.
private func firstNumber(at now: Date) -> Int {
    max(0, Int(clamping: Int64(bounding: now.timeIntervalSince1970 - 1_704_067_200)))
}

extension SimulatedWeChatPay {
    /// Has it know of payments and refunds of before.
    package func recall(_ sales: [SimulatedSale]) {
        let number = firstNumber(at: clock.now)
        state.withLock { state in
            state.books.last = max(state.books.last, number)
            for sale in sales {
                var order = SimulatedWeChatOrder(
                    number: sale.number,
                    kind: sale.method.wechatKind,
                    request: ["description": .string(sale.description)],
                    createdAt: sale.openedAt,
                    handle: "",
                    total: sale.amount,
                    notificationURL: "",
                    expiresAt: nil
                )
                (order.state, order.transactionID, order.paidAt) = ("SUCCESS", sale.transactionID, sale.paidAt)
                order.openID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"
                for refund in sale.refunds {
                    order.state = "REFUND"
                    state.books.refunds[refund.number] = SimulatedWeChatRefund(
                        number: refund.number,
                        id: refund.storeID ?? refund.number,
                        orderNumber: sale.number,
                        amount: refund.amount,
                        request: .object([]),
                        createdAt: refund.at,
                        notificationURL: nil,
                        state: "SUCCESS",
                        succeededAt: refund.at
                    )
                }
                state.books.orders[sale.number] = order
            }
        }
    }
}

extension SimulatedAlipay {
    /// Has it know of payments and refunds of before.
    package func recall(_ sales: [SimulatedSale]) {
        let number = firstNumber(at: now())
        state.withLock { state in
            state.books.count = max(state.books.count, number)
            for sale in sales {
                var trade = SimulatedAlipayTrade(
                    number: sale.number,
                    transactionID: sale.transactionID,
                    subject: sale.description,
                    total: sale.amount,
                    qr: "https://qr.alipay.com/bax\(sale.number)",
                    expiresAt: sale.openedAt.addingTimeInterval(900)
                )
                trade.paidAt = sale.paidAt
                trade.buyer = SimulatedAlipayAccount(openID: "open-wang", userID: "2088102104794936")
                trade.refunds = sale.refunds.map { .init(number: $0.number, amount: $0.amount, at: $0.at) }
                trade.status = trade.refunded == trade.total ? .closed : .success
                state.books.trades[sale.number] = trade
            }
        }
    }
}

extension SimulatedWeChatPay {
    /// Somebody pays an order that was never opened here.
    ///
    /// - Parameter url: where it is told.
    /// - Returns: the notification, as it would be sent.
    package func sell(_ number: String, for fen: Int64, telling url: String) throws -> StoreDelivery {
        let now = clock.now
        state.withLock { state in
            state.books.orders[number] = SimulatedWeChatOrder(
                number: number,
                kind: "NATIVE",
                request: .object([]),
                createdAt: now,
                handle: "",
                total: fen,
                notificationURL: url,
                expiresAt: nil
            )
        }
        try pay(number)
        return try delivery(of: state.withLock { $0.books.messages.count } - 1)  // safe: its own is among them
    }
}

extension SimulatedAlipay {
    /// Somebody pays an order that was never opened here.
    ///
    /// - Parameter url: where it is told.
    /// - Returns: the notification's form, as it would be sent; nil where it cannot be paid.
    package func sell(_ number: String, for fen: Int64, telling url: String) -> String? {
        let now = now()
        let notice = state.withLock { state in
            state.books.count += 1  // safe: a count
            var trade = SimulatedAlipayTrade(
                number: number,
                transactionID: "2026112122001400\(1_000_000_000 + state.books.count)",
                subject: number,
                total: fen,
                qr: "",
                expiresAt: now.addingTimeInterval(900)
            )
            trade.notifyURL = url
            state.books.trades[number] = trade
            try? state.books.pay(
                number,
                by: SimulatedAlipayAccount(openID: "open-wang", userID: "2088102104794936"),
                at: now
            )
            return state.books.notices.last
        }
        return notice.map { form($0) }
    }
}

extension CheckoutMethod {
    /// WeChat Pay's `trade_type`.
    var wechatKind: String {
        switch self {
        case .wechatJSAPI: "JSAPI"
        case .wechatApp: "APP"
        case .wechatH5: "MWEB"
        case .wechatNative, .alipayPage, .alipayWap, .alipayApp, .alipayQR: "NATIVE"
        }
    }
}
