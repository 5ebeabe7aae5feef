import APITypes
import Billing
import Foundation
import HTTP
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
            amount: record.amount.map(Amount.init),
            currency: record.amount?.currency.code,
            status: record.status.rawValue.uppercased(),
            source: record.store.source,
            appleOriginalTransactionId: isApple ? record.originalTransactionID : nil,
            appleTransactionId: isApple ? record.transactionID : nil,
            appleEnvironment: isApple ? record.environment.name : nil,
            storefront: record.storefront,
            quantity: record.quantity,
            refundedSeats: record.revokedSeats,
            isRefundEstimated: record.isRefundEstimated,
            offerType: record.offer?.kind?.name,
            offerIdentifier: record.offer?.identifier,
            isTrialPeriod: record.offer?.isFreeTrial ?? false,
            startedAt: record.periodStartsAt,
            expiresAt: record.periodEndsAt,
            refundedAmount: record.refunded.map(Amount.init),
            refundedAt: record.refundedAt,
            creditedAmount: record.credited.map(Amount.init),
            supersededAt: record.supersededAt,
            createdAt: record.purchasedAt,
            updatedAt: record.updatedAt,
            transactions: entries?.map { Transaction($0, of: record) },
            appleOtherTransactionIds: isApple && !record.otherTransactionIDs.isEmpty ? record.otherTransactionIDs : nil,
            joinedInto: record.joinedInto
        )
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
}

extension StoreTransaction.Offer.Kind {
    /// In capitals, as the API writes kinds.
    var name: String {
        switch self {
        case .introductory: "INTRODUCTORY"
        case .promotional: "PROMOTIONAL"
        case .code: "OFFER_CODE"
        case .winBack: "WIN_BACK"
        }
    }
}
