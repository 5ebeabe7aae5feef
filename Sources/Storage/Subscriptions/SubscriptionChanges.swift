package import Billing
import Foundation

/// The writes that make the stored subscription the fold of its events.
package struct SubscriptionChanges: Sendable {
    package var id: Subscription.ID
    package var originalTransactionID: String
    package var subscription: Subscription
    /// The product of the subscription's current period.
    package var product: ProductRecord.ID?
    package var customer: Customer.ID
    /// The step of the event at hand.
    package var newStep: SubscriptionHistory.Step
    /// Steps of earlier events that come out otherwise now.
    package var changedSteps: [SubscriptionHistory.Step]
    package var newOrders: [NewOrder]
    package var changedOrders: [ChangedOrder]
    package var newEntries: [NewEntry]
    /// Orders that turned out to be the purchase of another.
    package var joinedOrders: [JoinedOrder] = []
    /// The event's transaction has its order in another subscription.
    package var isDisputed = false
    /// The store is to be asked for all transactions of the current period.
    package var needsRereading = false
    package var changedRefunds: [ChangedRefund]
    /// Cases that the store opened by asking; saved after the rest, for their orders may be new.
    package var openedRefunds: [RefundRequest]
    /// The stretches of access, and the metrics that follow from them.
    package var periods: PeriodChanges

    package struct NewOrder: Sendable {
        package var id: Order.ID
        package var number: String
        package var customer: Customer.ID
        package var product: ProductRecord
        package var booked: BookedOrder

        package init(
            id: Order.ID,
            number: String,
            customer: Customer.ID,
            product: ProductRecord,
            booked: BookedOrder
        ) {
            self.id = id
            self.number = number
            self.customer = customer
            self.product = product
            self.booked = booked
        }
    }

    package struct ChangedOrder: Sendable {
        package var id: Order.ID
        package var customer: Customer.ID
        package var booked: BookedOrder
        /// The word for its charge is another one now.
        package var isRelabelled: Bool
        /// The store has only now said what was charged.
        package var isPricedNow: Bool

        package init(
            id: Order.ID,
            customer: Customer.ID,
            booked: BookedOrder,
            isRelabelled: Bool,
            isPricedNow: Bool
        ) {
            self.id = id
            self.customer = customer
            self.booked = booked
            self.isRelabelled = isRelabelled
            self.isPricedNow = isPricedNow
        }
    }

    package struct NewEntry: Sendable {
        package var order: Order.ID
        package var transactionID: String
        package var entry: LedgerEntry

        package init(order: Order.ID, transactionID: String, entry: LedgerEntry) {
            self.order = order
            self.transactionID = transactionID
            self.entry = entry
        }
    }

    package struct JoinedOrder: Sendable {
        package var id: Order.ID
        package var into: Order.ID
        package var transactionID: String

        package init(id: Order.ID, into: Order.ID, transactionID: String) {
            self.id = id
            self.into = into
            self.transactionID = transactionID
        }
    }

    /// A refund request that the store's message answers.
    package struct ChangedRefund: Sendable {
        package var before: RefundRequest
        package var after: RefundRequest

        package init(before: RefundRequest, after: RefundRequest) {
            self.before = before
            self.after = after
        }
    }

    package init(
        id: Subscription.ID,
        originalTransactionID: String,
        subscription: Subscription,
        product: ProductRecord.ID?,
        customer: Customer.ID,
        newStep: SubscriptionHistory.Step,
        changedSteps: [SubscriptionHistory.Step],
        newOrders: [NewOrder],
        changedOrders: [ChangedOrder],
        newEntries: [NewEntry],
        changedRefunds: [ChangedRefund],
        openedRefunds: [RefundRequest] = [],
        periods: PeriodChanges
    ) {
        self.id = id
        self.originalTransactionID = originalTransactionID
        self.subscription = subscription
        self.product = product
        self.customer = customer
        self.newStep = newStep
        self.changedSteps = changedSteps
        self.newOrders = newOrders
        self.changedOrders = changedOrders
        self.newEntries = newEntries
        self.changedRefunds = changedRefunds
        self.openedRefunds = openedRefunds
        self.periods = periods
    }
}
