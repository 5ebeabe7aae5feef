package import Foundation

/// The orders and ledger entries that a history of store events amounts to. Pure: the same events give the same books.
package struct Ledger: Hashable, Sendable {
    /// One order per charge, in the order of the charges.
    package var orders: [BookedOrder] = []

    package init(orders: [BookedOrder] = []) {
        self.orders = orders
    }

    /// The ledger with all the ids that lead to each order.
    func known(by identities: PurchaseIdentities) -> Ledger {
        guard !identities.isTrivial else { return self }
        var ledger = self
        for index in ledger.orders.indices {
            ledger.orders[index].otherTransactionIDs = identities.others[ledger.orders[index].transactionID] ?? []
        }
        return ledger
    }
}

/// One charge and what was given back of it (product.md, decision 5).
package struct BookedOrder: Hashable, Sendable {
    /// The store's transaction id; one order each.
    package var transactionID: String
    /// Other transaction ids of the same purchase.
    package var otherTransactionIDs: [String] = []
    package var productID: String
    /// 0 for a free trial's first period; without meaning while the order is not priced.
    package var amount: Money
    /// The time of the full or partial refund of an order without a price; the amount becomes known with the price.
    package var takenBackAt: Date?
    /// The kind of its charge once it has a price.
    var awaitedKind = LedgerEntry.Kind.initialPurchase
    package var purchasedAt: Date
    package var periodStartsAt: Date
    package var periodEndsAt: Date?
    /// The end of the paid period, as it was sold; an extension does not move it.
    var paidUntil: Date?
    /// The store charged for it late.
    var isRecovered = false
    /// Whole days of paid service before it: what the store's share goes by (`PaidService`).
    package var paidDays = 0
    package var storefront: String?
    package var quantity: Int
    /// The seats that refunds have taken of it, while it stands for others or has been given back with them.
    package var revokedSeats = 0
    /// True where the store has not said what refunded seats cost: they are counted at the average.
    package var isRefundEstimated = false
    /// The offer under which it was sold.
    package var offer: StoreTransaction.Offer?
    /// The account token of whoever bought it, as the store has it now; nil where the purchase names nobody.
    package var customerToken: UUID?
    /// The upgrade that replaced it before its period was over; nil without one.
    package var supersession: Supersession?
    /// The charge first, then refunds and reversals in signed order, then the credit of an upgrade. Their sum is what is kept.
    /// None while the store has not named the price.
    package var entries: [LedgerEntry]

    package init(
        transactionID: String,
        productID: String,
        amount: Money,
        purchasedAt: Date,
        periodStartsAt: Date,
        periodEndsAt: Date?,
        storefront: String?,
        quantity: Int = 1,
        offer: StoreTransaction.Offer? = nil,
        customerToken: UUID? = nil,
        entries: [LedgerEntry]
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.amount = amount
        self.purchasedAt = purchasedAt
        self.periodStartsAt = periodStartsAt
        self.periodEndsAt = periodEndsAt
        paidUntil = periodEndsAt
        self.storefront = storefront
        self.quantity = quantity
        self.offer = offer
        self.customerToken = customerToken
        self.entries = entries
    }
}

extension BookedOrder {
    /// True where the store has called its purchase so.
    package func isCalled(_ transactionID: String) -> Bool {
        self.transactionID == transactionID || otherTransactionIDs.contains(transactionID)
    }
}

/// A row of the ledger: money that moved, never changed afterwards.
package struct LedgerEntry: Hashable, Sendable {
    package var kind: Kind
    /// Positive for charges and reversals, negative for refunds and credits.
    package var amount: Money
    /// The time of the entry by the store's clock.
    package var occurredAt: Date
    /// Names the entry within its order, the same on every replay: `charge`, `refund:<ms>`, `reversal:<ms>`,
    /// `upgrade_credit:<ms>`.
    package var reference: String
    /// The event that brought it.
    package var eventID: String

    package init(kind: Kind, amount: Money, occurredAt: Date, reference: String, eventID: String) {
        self.kind = kind
        self.amount = amount
        self.occurredAt = occurredAt
        self.reference = reference
        self.eventID = eventID
    }

    /// The readmigo document's transaction types, and those it lacks.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case initialPurchase = "initial_purchase"
        case renewal
        case upgrade
        case downgrade
        case refund
        case revoke
        case refundReversal = "refund_reversal"
        /// The unused part of a period that the customer upgraded from; the store gives it back without a word.
        case upgradeCredit = "upgrade_credit"
        case upgradeCreditReversal = "upgrade_credit_reversal"
    }
}

/// The status of an order (readmigo, part 4). The database keeps the raw values.
package enum OrderStatus: String, Sendable, Codable, CaseIterable {
    case pending
    case completed
    case partiallyRefunded = "partially_refunded"
    case refunded
    /// An upgrade replaced it before its period was over; the unused part was credited.
    case superseded
    case failed
    case cancelled
}

/// Names orders in keys; the row itself belongs to Storage.
package enum Order {
    package typealias ID = Identifier<Order>
}
