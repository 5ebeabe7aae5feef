package import Billing
package import Foundation

/// Everything that the page of one order shows.
package struct OrderDetails: Sendable {
    package var order: Order
    /// The one that it paid for.
    package var subscription: Subscription.ID?
    package var customer: Customer
    /// The order's own entries, oldest first.
    package var ledger: [Entry]
    /// The orders of the same subscription, this one included, newest first.
    package var subscriptionOrders: [SubscriptionOrder]
    /// The store's notifications about the subscription, newest first.
    package var notifications: [Notification]
    /// The customer's subscriptions, at this store and at others.
    package var subscriptions: [CustomerSubscription]
    /// The sources of the customer's access, with grants and without suspended subscriptions; nil where only subscriptions count.
    package var entitlementSources: EntitlementSources?
    /// nil where our server opened no order at the store.
    package var checkout: Checkout?
    /// The code of the plan that everybody of the app has; nil for an app without plans.
    package var basePlan: String?

    package init(
        order: Order,
        subscription: Subscription.ID? = nil,
        customer: Customer,
        ledger: [Entry],
        subscriptionOrders: [SubscriptionOrder],
        notifications: [Notification],
        subscriptions: [CustomerSubscription],
        entitlementSources: EntitlementSources? = nil,
        checkout: Checkout? = nil
    ) {
        self.order = order
        self.subscription = subscription
        self.customer = customer
        self.ledger = ledger
        self.subscriptionOrders = subscriptionOrders
        self.notifications = notifications
        self.subscriptions = subscriptions
        self.entitlementSources = entitlementSources
        self.checkout = checkout
    }

    /// Lists on the page end here; a weekly subscription fills it in four years.
    package static let listLimit = 200

    package struct Order: Sendable {
        package var id: UUID
        package var number: String
        package var kind: LedgerEntry.Kind
        package var status: OrderStatus
        package var store: Store
        package var environment: StoreEnvironment
        package var transactionID: String
        package var originalTransactionID: String
        package var productName: String
        package var storeProductID: String
        package var planCode: String
        /// nil, as its currency, while the store has not said what was charged.
        package var amount: Int64?
        package var refunded: Int64
        /// The credit of an upgrade; 0 for none.
        package var credited: Int64
        package var currency: Currency?
        package var storefront: String?
        package var quantity: Int
        /// The number of them that was given back, of an order that stands for the others.
        package var revokedSeats = 0
        /// True where the store has not said what they cost.
        package var isRefundEstimated = false
        /// The offer under which it was sold; the kind is nil where the store's is not known here.
        package var offer: StoreTransaction.Offer?
        package var purchasedAt: Date
        package var periodStartsAt: Date
        package var periodEndsAt: Date?
        /// The time at which an upgrade replaced it.
        package var supersededAt: Date?
        /// Other transaction ids of the purchase.
        package var otherTransactionIDs: [String] = []
        /// The number of the order that has the purchase, where this one is void.
        package var joinedInto: String?
        /// The time of the last refund; also of an order of unknown amount.
        package var refundedAt: Date?
        /// The amount that the unused parts of earlier periods have paid of its period, beside the charge; 0 for nothing.
        package var carriedIn: Int64 = 0
        /// The amount that the unused part of its period has paid of a later one; 0 for nothing.
        package var carriedOut: Int64 = 0
        /// The store's share of it; nil for what is free, or not known to be more.
        package var storeShare: StoreShare?

        package init(
            id: UUID,
            number: String,
            kind: LedgerEntry.Kind,
            status: OrderStatus,
            store: Store,
            environment: StoreEnvironment,
            transactionID: String,
            originalTransactionID: String,
            productName: String,
            storeProductID: String,
            planCode: String,
            amount: Int64?,
            refunded: Int64,
            credited: Int64 = 0,
            currency: Currency?,
            storefront: String?,
            quantity: Int = 1,
            offer: StoreTransaction.Offer? = nil,
            purchasedAt: Date,
            periodStartsAt: Date,
            periodEndsAt: Date?,
            supersededAt: Date? = nil,
            refundedAt: Date? = nil
        ) {
            self.id = id
            self.number = number
            self.kind = kind
            self.status = status
            self.store = store
            self.environment = environment
            self.transactionID = transactionID
            self.originalTransactionID = originalTransactionID
            self.productName = productName
            self.storeProductID = storeProductID
            self.planCode = planCode
            self.amount = amount
            self.refunded = refunded
            self.credited = credited
            self.currency = currency
            self.storefront = storefront
            self.quantity = quantity
            self.offer = offer
            self.purchasedAt = purchasedAt
            self.periodStartsAt = periodStartsAt
            self.periodEndsAt = periodEndsAt
            self.supersededAt = supersededAt
            self.refundedAt = refundedAt
        }
    }

    package struct Customer: Sendable {
        package var id: Billing.Customer.ID
        package var key: String
        package var externalID: String?
        package var name: Personal<String>?
        package var email: Personal<String>?

        package init(
            id: Billing.Customer.ID,
            key: String,
            externalID: String?,
            name: Personal<String>?,
            email: Personal<String>?
        ) {
            self.id = id
            self.key = key
            self.externalID = externalID
            self.name = name
            self.email = email
        }
    }
    /// The order at the store that our server opened, and that was paid.
    package struct Checkout: Sendable {
        /// Names it at the store.
        package var number: String
        package var method: CheckoutMethod
        package var state: Storage.Checkout.State
        /// The reason why it could not be paid any more, of one that was paid all the same.
        package var closeReason: Storage.Checkout.CloseReason?
        package var openedAt: Date
        package var paidAt: Date?
        /// The store's number of its payment.
        package var transactionID: String?
        /// The payer's id at the store, with most of it left out.
        package var payer: Personal<String>?
        /// The payer's bank or wallet, in the store's words.
        package var bank: String?
        /// The kind of payment, in the store's words.
        package var kind: String?
        /// Something that people have to look at, in English.
        package var problem: String?
        /// True if a person has.
        package var isSeenTo: Bool

        package init(
            number: String,
            method: CheckoutMethod,
            state: Storage.Checkout.State,
            closeReason: Storage.Checkout.CloseReason? = nil,
            openedAt: Date,
            paidAt: Date? = nil,
            transactionID: String? = nil,
            payer: Personal<String>? = nil,
            bank: String? = nil,
            kind: String? = nil,
            problem: String? = nil,
            isSeenTo: Bool = false
        ) {
            (self.number, self.method, self.state, self.closeReason) = (number, method, state, closeReason)
            (self.openedAt, self.paidAt, self.transactionID, self.payer) = (openedAt, paidAt, transactionID, payer)
            (self.bank, self.kind, self.problem, self.isSeenTo) = (bank, kind, problem, isSeenTo)
        }
    }
}
