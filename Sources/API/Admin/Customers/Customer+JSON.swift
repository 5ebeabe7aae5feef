import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension CustomerSummary {
    init(_ row: ListedCustomer, for reader: some PersonalDataReader, at now: Date) {
        let standing = row.standing(at: now)
        self.init(
            id: row.customer.id.uuid,
            key: row.customer.key,
            externalId: row.customer.externalID,
            name: row.customer.name?.shown(to: reader),
            email: row.customer.email?.shown(to: reader),
            createdAt: row.createdAt,
            planType: standing.plan,
            status: standing.state.documentStatus,
            expiresAt: standing.until,
            lastOrderNumber: row.lastOrder?.number,
            lastOrderAt: row.lastOrder?.purchasedAt,
            hasRefunds: row.hasRefunds
        )
    }

    init(_ details: CustomerDetails, for reader: some PersonalDataReader, at now: Date) {
        let standing = details.standing(at: now)
        self.init(
            id: details.customer.id.uuid,
            key: details.customer.key,
            externalId: details.customer.externalID,
            name: details.customer.name?.shown(to: reader),
            email: details.customer.email?.shown(to: reader),
            createdAt: details.createdAt,
            planType: standing.plan,
            status: standing.state.documentStatus,
            expiresAt: standing.until,
            lastOrderNumber: details.orders.first?.number,
            lastOrderAt: details.orders.first?.purchasedAt,
            hasRefunds: details.fraud.refundedOrders > 0,
            signals: details.fraud.signals.map(\.apiName),
            consentRescindedAt: details.consentRescindedAt,
            testerSince: details.testerSince,
            lastSeenAt: details.activity?.lastSeenAt,
            locale: details.activity?.locale,
            platform: details.activity?.platform?.rawValue,
            appVersion: details.activity?.appVersion
        )
    }
}

extension FraudSignal {
    fileprivate var apiName: String {
        switch self {
        case .paidBackTwice: "PAID_BACK_TWICE"
        case .disputedTransaction: "DISPUTED_TRANSACTION"
        case .refusedClaim: "REFUSED_CLAIM"
        case .transferredPurchase: "TRANSFERRED_PURCHASE"
        case .refusedIdentity: "REFUSED_IDENTITY"
        case .severalAccounts: "SEVERAL_ACCOUNTS"
        case .foreignAccount: "FOREIGN_ACCOUNT"
        case .manyRefunds: "MANY_REFUNDS"
        case .rapidChanges: "RAPID_CHANGES"
        }
    }
}
