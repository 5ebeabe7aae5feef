package import Billing
package import Foundation

/// Everything that the page of one notification shows.
package struct NotificationDetails: Sendable {
    package var row: ListedNotification
    package var signedAt: Date
    package var finishedAt: Date?
    /// The time of the next attempt; used only in the state `received`.
    package var nextAttemptAt: Date
    /// Exactly what the store sent.
    package var signedPayload: Personal<String>
    /// The effect of its event under the rules; nil while there is none.
    package var effect: Effect?
    /// Oldest first.
    package var attempts: [Attempt]
    /// The orders of its subscription, newest first.
    package var orders: [LinkedOrder]

    package init(
        row: ListedNotification,
        signedAt: Date,
        finishedAt: Date?,
        nextAttemptAt: Date,
        signedPayload: Personal<String>,
        effect: Effect?,
        attempts: [Attempt],
        orders: [LinkedOrder]
    ) {
        self.row = row
        self.signedAt = signedAt
        self.finishedAt = finishedAt
        self.nextAttemptAt = nextAttemptAt
        self.signedPayload = signedPayload
        self.effect = effect
        self.attempts = attempts
        self.orders = orders
    }

    package struct Effect: Sendable {
        package var before: Subscription.State
        package var after: Subscription.State
        package var rejectionReason: String?

        package init(before: Subscription.State, after: Subscription.State, rejectionReason: String?) {
            self.before = before
            self.after = after
            self.rejectionReason = rejectionReason
        }
    }

    package struct Attempt: Sendable {
        package var number: Int
        package var result: Result
        package var error: String?
        package var startedAt: Date
        package var finishedAt: Date

        package init(number: Int, result: Result, error: String?, startedAt: Date, finishedAt: Date) {
            self.number = number
            self.result = result
            self.error = error
            self.startedAt = startedAt
            self.finishedAt = finishedAt
        }

        package enum Result: String, Sendable, CaseIterable {
            case processed
            case ignored
            /// Put back, to be tried again.
            case retried
            case failed
        }
    }

    package struct LinkedOrder: Sendable {
        package var number: String
        package var kind: LedgerEntry.Kind
        package var status: OrderStatus
        package var amount: Int64?
        package var currency: Currency?
        package var purchasedAt: Date
        /// True if this notification created one of its ledger entries.
        package var isMadeByIt: Bool

        package init(
            number: String,
            kind: LedgerEntry.Kind,
            status: OrderStatus,
            amount: Int64?,
            currency: Currency?,
            purchasedAt: Date,
            isMadeByIt: Bool
        ) {
            self.number = number
            self.kind = kind
            self.status = status
            self.amount = amount
            self.currency = currency
            self.purchasedAt = purchasedAt
            self.isMadeByIt = isMadeByIt
        }
    }
}
