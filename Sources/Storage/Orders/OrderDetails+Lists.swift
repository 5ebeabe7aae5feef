package import Billing
package import Foundation

extension OrderDetails {
    /// A movement of money.
    package struct Entry: Sendable {
        package var kind: LedgerEntry.Kind
        package var status: EntryStatus
        /// Negative for refunds.
        package var amount: Int64
        package var storeTransactionID: String
        package var notification: UUID?
        package var failureReason: String?
        package var occurredAt: Date
        package var recordedAt: Date

        package init(
            kind: LedgerEntry.Kind,
            status: EntryStatus,
            amount: Int64,
            storeTransactionID: String,
            notification: UUID?,
            failureReason: String?,
            occurredAt: Date,
            recordedAt: Date
        ) {
            self.kind = kind
            self.status = status
            self.amount = amount
            self.storeTransactionID = storeTransactionID
            self.notification = notification
            self.failureReason = failureReason
            self.occurredAt = occurredAt
            self.recordedAt = recordedAt
        }
    }

    package enum EntryStatus: String, Sendable, CaseIterable {
        case pending
        case success
        case failed
        case cancelled
    }

    package struct SubscriptionOrder: Sendable {
        package var number: String
        package var kind: LedgerEntry.Kind
        package var status: OrderStatus
        /// nil, as its currency, while the store has not said what was charged.
        package var amount: Int64?
        package var currency: Currency?
        package var purchasedAt: Date
        package var periodStartsAt: Date
        package var periodEndsAt: Date?

        package init(
            number: String,
            kind: LedgerEntry.Kind,
            status: OrderStatus,
            amount: Int64?,
            currency: Currency?,
            purchasedAt: Date,
            periodStartsAt: Date,
            periodEndsAt: Date?
        ) {
            self.number = number
            self.kind = kind
            self.status = status
            self.amount = amount
            self.currency = currency
            self.purchasedAt = purchasedAt
            self.periodStartsAt = periodStartsAt
            self.periodEndsAt = periodEndsAt
        }
    }

    package struct Notification: Sendable {
        package var id: UUID
        package var type: String
        package var subtype: String?
        package var state: NotificationState
        /// The time at which the store signed it, by its own clock.
        package var signedAt: Date
        package var receivedAt: Date
        package var finishedAt: Date?
        package var lastError: String?
        /// The reason why the rules accepted its event without any change.
        package var rejectionReason: String?

        package init(
            id: UUID,
            type: String,
            subtype: String?,
            state: NotificationState,
            signedAt: Date,
            receivedAt: Date,
            finishedAt: Date?,
            lastError: String?,
            rejectionReason: String?
        ) {
            self.id = id
            self.type = type
            self.subtype = subtype
            self.state = state
            self.signedAt = signedAt
            self.receivedAt = receivedAt
            self.finishedAt = finishedAt
            self.lastError = lastError
            self.rejectionReason = rejectionReason
        }
    }

    /// One of the customer's subscriptions with what it gives, for `Entitlement.current`.
    package struct CustomerSubscription: Sendable {
        package var id: Subscription.ID
        package var subscription: Subscription
        package var plan: Plan
        /// The name of the product that the next period will be of.
        package var nextProductName: String?

        package init(id: Subscription.ID, subscription: Subscription, plan: Plan, nextProductName: String?) {
            self.id = id
            self.subscription = subscription
            self.plan = plan
            self.nextProductName = nextProductName
        }
    }
}
