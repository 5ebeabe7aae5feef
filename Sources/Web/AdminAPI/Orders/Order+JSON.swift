import APITypes
import Billing
import Foundation
import Storage

extension APITypes.Order {
    /// An order in the readmigo document's words: statuses in capitals, times in UTC, amounts as decimal numbers.
    init(_ record: OrderRecord, entries: [OrderRecord.Entry]? = nil) {
        let isApple = record.store == .apple
        self.init(
            id: record.id.uuid,
            orderNumber: record.number,
            userId: record.customer.uuid,
            productId: record.storeProductID,
            productName: record.productName,
            planType: record.planCode,
            amount: Amount(record.amount),
            currency: record.amount.currency.code,
            status: record.status.rawValue.uppercased(),
            source: record.store.source,
            appleOriginalTransactionId: isApple ? record.originalTransactionID : nil,
            appleTransactionId: isApple ? record.transactionID : nil,
            appleEnvironment: isApple ? record.environment.rawValue.uppercased() : nil,
            startedAt: record.periodStartsAt,
            expiresAt: record.periodEndsAt,
            refundedAmount: Amount(record.refunded),
            refundedAt: record.refundedAt,
            createdAt: record.purchasedAt,
            updatedAt: record.updatedAt,
            transactions: entries?.map { Transaction($0, of: record) }
        )
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id.uuidString.lowercased())
            json.field("orderNumber", orderNumber)
            json.field("userId", userId.uuidString.lowercased())
            json.field("productId", productId)
            json.field("productName", productName)
            json.field("planType", planType)
            json.field("amount", amount)
            json.field("currency", currency)
            json.field("status", status)
            json.field("source", source)
            json.field("appleOriginalTransactionId", appleOriginalTransactionId)
            json.field("appleTransactionId", appleTransactionId)
            json.field("appleEnvironment", appleEnvironment)
            json.field("startedAt", startedAt)
            json.field("expiresAt", expiresAt)
            json.field("refundedAmount", refundedAmount)
            json.field("refundedAt", refundedAt)
            json.field("createdAt", createdAt)
            json.field("updatedAt", updatedAt)
            guard let transactions else { return }
            json.name("transactions")
            json.array(transactions) { json, transaction in transaction.write(to: &json) }
        }
    }
}

extension OrderPage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("orders")
            json.array(orders) { json, order in order.write(to: &json) }
            json.field("next", next)
        }
    }
}

extension Transaction {
    init(_ entry: OrderRecord.Entry, of order: OrderRecord) {
        self.init(
            id: entry.id,
            orderId: order.id.uuid,
            type: entry.kind.rawValue.uppercased(),
            status: entry.status.uppercased(),
            amount: Amount(entry.amount),
            currency: entry.amount.currency.code,
            appleTransactionId: order.store == .apple ? entry.storeTransactionID : nil,
            failureReason: entry.failureReason,
            createdAt: entry.occurredAt
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id.uuidString.lowercased())
            json.field("orderId", orderId.uuidString.lowercased())
            json.field("type", type)
            json.field("status", status)
            json.field("amount", amount)
            json.field("currency", currency)
            json.field("appleTransactionId", appleTransactionId)
            json.field("failureReason", failureReason)
            json.field("createdAt", createdAt)
        }
    }
}

extension Store {
    /// The document's name of it.
    var source: String {
        switch self {
        case .apple: "APPLE_IAP"
        case .google: "GOOGLE_PLAY"
        case .wechat: "WECHAT_PAY"
        case .alipay: "ALIPAY"
        default: rawValue.uppercased()
        }
    }

    /// The store of that name.
    init?(source: String) {
        guard let store = Store.allCases.first(where: { $0.source == source.uppercased() }) else { return nil }
        self = store
    }
}
