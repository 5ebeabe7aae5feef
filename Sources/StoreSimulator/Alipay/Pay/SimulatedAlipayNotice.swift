package import Foundation
import Gateways

/// A notification of the simulated Alipay with its attempts: at once, and then after 4 and 10 minutes, 10 minutes, 1, 2, 6 and 15 hours,
/// until the answer is exactly `success`.
package struct SimulatedAlipayNotice: Sendable {
    package let id: String
    /// Our number of the order.
    package let number: String
    /// Unsigned, without what each attempt adds.
    package let fields: [(name: String, value: String)]
    let url: String
    package internal(set) var attempts: [Date] = []
    package internal(set) var isDelivered = false
    /// nil when there are no more.
    var nextAttempt: Date?

    static let pauses: [TimeInterval] = [240, 600, 600, 3_600, 7_200, 21_600, 54_000]

    init(id: String, url: String, trade: SimulatedAlipayTrade, appID: String, sellerID: String, at now: Date) {
        (self.id, self.url, number, nextAttempt) = (id, url, trade.number, now)
        var fields: [(name: String, value: String)] = [
            ("notify_time", SimulatedAlipayTrade.time(now)), ("notify_type", "trade_status_sync"), ("notify_id", id),
            ("charset", "utf-8"), ("version", "1.0"), ("app_id", appID), ("auth_app_id", appID),
            ("trade_no", trade.transactionID), ("out_trade_no", trade.number), ("seller_id", sellerID),
            ("seller_email", "shop@example.com"), ("trade_status", trade.status.rawValue),
            ("total_amount", SimulatedAlipayTrade.yuan(trade.total)), ("subject", trade.subject),
        ]
        if let openID = trade.buyer?.openID { fields.append(("buyer_open_id", openID)) }
        if let userID = trade.buyer?.userID { fields.append(("buyer_id", userID)) }
        if trade.buyer != nil { fields.append(("buyer_logon_id", "王***@example.com")) }
        if let paidAt = trade.paidAt {
            let total = SimulatedAlipayTrade.yuan(trade.total)
            fields += [
                ("gmt_payment", SimulatedAlipayTrade.time(paidAt)), ("receipt_amount", total),
                ("invoice_amount", total), ("buyer_pay_amount", total), ("point_amount", "0.00"),
                ("fund_bill_list", #"[{"amount":"\#(total)","fundChannel":"ALIPAYACCOUNT"}]"#),
            ]
        }
        if let last = trade.refunds.last {
            fields += [
                ("refund_fee", SimulatedAlipayTrade.yuan(trade.refunded)),
                ("gmt_refund", SimulatedAlipayTrade.time(last.at) + ".000"), ("out_biz_no", last.number),
            ]
        } else if trade.status == .closed {
            fields.append(("gmt_close", SimulatedAlipayTrade.time(now)))
        }
        self.fields = fields
    }

    mutating func record(at now: Date, isDelivered: Bool) {
        attempts.append(now)
        self.isDelivered = isDelivered
        let index = attempts.count - 1
        nextAttempt =
            isDelivered || !Self.pauses.indices.contains(index) ? nil : now.addingTimeInterval(Self.pauses[index])
    }
}

/// The faults of the simulated Alipay's notifications on their way.
package struct SimulatedAlipayKnobs: Hashable, Sendable {
    /// The number of times that each is sent at once.
    package var copies = 1
    /// None leaves; each attempt counts as one that was not answered.
    package var isDropping = false
    /// The newest first.
    package var isReversed = false
    /// In GBK, which is named within.
    package var isGBK = false
    /// With a member that is empty, and signed as empty ones are by some of Alipay's servers.
    package var signsEmpty: Bool?
    /// Signed with a key that is not Alipay's.
    package var isForged = false
    /// With a member that nobody knows yet.
    package var hasUnknown = false

    package init() {}
}
