package import Foundation
import Gateways

/// An order at the simulated WeChat Pay.
package struct SimulatedWeChatOrder: Sendable {
    package let number: String
    /// NATIVE, JSAPI, APP, MWEB.
    package let kind: String
    /// As it was opened.
    let request: JSON
    let createdAt: Date
    /// The prepay id, the code or the address.
    let handle: String
    package internal(set) var total: Int64
    let notificationURL: String
    let expiresAt: Date?
    /// NOTPAY, SUCCESS, REFUND, CLOSED, USERPAYING, PAYERROR, REVOKED.
    package internal(set) var state = "NOTPAY"
    package internal(set) var transactionID: String?
    package internal(set) var paidAt: Date?
    var openID = ""

    var isPaid: Bool { state == "SUCCESS" || state == "REFUND" }
}

/// A refund at the simulated WeChat Pay.
package struct SimulatedWeChatRefund: Sendable {
    /// The merchant's number.
    package let number: String
    package let id: String
    package let orderNumber: String
    package let amount: Int64
    let request: JSON
    package let createdAt: Date
    let notificationURL: String?
    /// PROCESSING, SUCCESS, CLOSED, ABNORMAL.
    package internal(set) var state = "PROCESSING"
    package internal(set) var succeededAt: Date?
    /// When it becomes what it ends as; nil where it stays.
    var settlesAt: Date?
    var settlesAs = "SUCCESS"
    /// The account that an abnormal one was sent to, decrypted.
    package internal(set) var bankAccount: String?

    /// The same of another amount.
    func of(_ fen: Int64) -> SimulatedWeChatRefund {
        SimulatedWeChatRefund(
            number: number,
            id: id,
            orderNumber: orderNumber,
            amount: fen,
            request: request,
            createdAt: createdAt,
            notificationURL: notificationURL,
            state: state,
            succeededAt: succeededAt
        )
    }
}
