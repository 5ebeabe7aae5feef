import Billing
import Foundation
import Gateways

/// An order at the simulated Alipay.
struct SimulatedAlipayTrade: Sendable {
    let number: String
    let transactionID: String
    let subject: String
    let total: Int64
    /// The link that opens it with Alipay's app.
    let qr: String
    var notifyURL: String?
    var returnURL: String?
    let expiresAt: Date
    var status = Status.unseen
    var paidAt: Date?
    var buyer: SimulatedAlipayAccount?
    var refunds: [Refund] = []

    enum Status: String, Sendable {
        /// Nobody has scanned it or signed in to pay it: Alipay does not know it. Can transition to `waiting`.
        case unseen = "UNSEEN"
        /// Can transition to `success` and `closed`.
        case waiting = "WAIT_BUYER_PAY"
        /// Can transition to `finished`, and to `closed` by a refund of the whole.
        case success = "TRADE_SUCCESS"
        /// Refunds are over.
        case finished = "TRADE_FINISHED"
        case closed = "TRADE_CLOSED"
    }

    struct Refund: Hashable, Sendable {
        let number: String
        let amount: Int64
        let at: Date
    }

    var refunded: Int64 { refunds.map(\.amount).boundedSum }
    var isPaid: Bool { paidAt != nil }

    func isSame(total: Int64, subject: String) -> Bool { self.total == total && self.subject == subject }

    /// As a query answers.
    var json: JSON {
        var json: JSON = [
            "code": "10000", "msg": "Success", "out_trade_no": .string(number), "trade_no": .string(transactionID),
            "trade_status": .string(status.rawValue), "total_amount": .string(Self.yuan(total)),
            "receipt_amount": .string(Self.yuan(isPaid ? total : 0)),
            "buyer_pay_amount": .string(Self.yuan(isPaid ? total : 0)),
            "invoice_amount": .string(Self.yuan(isPaid ? total : 0)), "point_amount": "0.00",
        ]
        if let openID = buyer?.openID { json["buyer_open_id"] = .string(openID) }
        if let userID = buyer?.userID { json["buyer_user_id"] = .string(userID) }
        if buyer != nil { json["buyer_logon_id"] = "王***@example.com" }
        if let paidAt {
            json["send_pay_date"] = .string(Self.time(paidAt))
            json["fund_bill_list"] = [["amount": .string(Self.yuan(total)), "fund_channel": "ALIPAYACCOUNT"]]
        }
        return json
    }

    static func yuan(_ minorUnits: Int64) -> String {
        Currency("CNY").map { Money(minorUnits: minorUnits, currency: $0).decimalText } ?? ""
    }

    /// nil for what is no amount.
    static func minorUnits(_ text: String?) -> Int64? {
        guard let text, let currency = Currency("CNY") else { return nil }
        return try? Money(decimalText: text, currency: currency).minorUnits
    }

    /// On Shanghai's clock.
    static func time(_ date: Date) -> String {
        date.addingTimeInterval(28_800)
            .formatted(
                .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.space)
                    .time(includingFractionalSeconds: false).timeSeparator(.colon)
            )
    }

    static func date(_ text: String) -> Date? {
        Date(rfc3339: "\(text.replacing(" ", with: "T"))+08:00")
    }
}
