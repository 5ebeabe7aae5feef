package import Billing
package import Foundation
import Postgres

/// A refund that a store pays for us: a row of `refund_payouts`.
package struct StoredPayout: Sendable, Hashable {
    /// The request that it pays.
    package var refund: Refund.ID
    package var app: App.ID
    package var store: Store
    /// Names it at the store, for ever: the same whenever the store is asked.
    package var number: String
    /// Our number of the order, where the store knows one.
    package var orderNumber: String
    /// The store's number of the payment.
    package var transactionID: String
    package var amount: Money
    /// The amount of the whole payment.
    package var total: Money
    /// Access ends with it, where the store decides about access.
    package var revokes: Bool
    /// False of one that nobody asked for through us: the store told of it.
    package var isRequested: Bool
    package var payout: RefundPayout
    /// The reason why the store was not asked.
    package var obstacle: RefundLimits.Obstacle?
    /// The store's number of it; nil until it has said so, and where it has none.
    package var storeID: String?
    /// The store's last words about it.
    package var words: String?
    package var createdAt: Date
    /// The first time that the store was asked.
    package var sentAt: Date?
    /// The last time.
    package var askedAt: Date?
    /// By the store's clock where it says so, else by ours.
    package var paidAt: Date?
    /// The first of the store's answers in a row that know of no refund under the number; nil where the last one knew of it.
    package var unpaidSince: Date?
    /// The last time that the store was asked to pay it to another account than the customer's.
    package var settledAt: Date?

    package init(
        refund: Refund.ID,
        app: App.ID,
        store: Store,
        number: String,
        orderNumber: String,
        transactionID: String,
        amount: Money,
        total: Money,
        revokes: Bool,
        isRequested: Bool = true,
        payout: RefundPayout = RefundPayout(),
        storeID: String? = nil,
        createdAt: Date,
        paidAt: Date? = nil
    ) {
        (self.refund, self.app, self.store, self.number) = (refund, app, store, number)
        (self.orderNumber, self.transactionID) = (orderNumber, transactionID)
        (self.amount, self.total) = (amount, total)
        (self.revokes, self.isRequested, self.payout) = (revokes, isRequested, payout)
        (self.storeID, self.createdAt, self.paidAt) = (storeID, createdAt, paidAt)
    }

    /// One step of it, as pages show it.
    package struct Step: Sendable, Hashable {
        package var at: Date
        package var state: RefundPayout.State
        /// In the store's words.
        package var words: String?

        package init(at: Date, state: RefundPayout.State, words: String?) {
            (self.at, self.state, self.words) = (at, state, words)
        }
    }

    /// The longest text of a store that is kept, in characters.
    package static let longestWords = 500
}

/// The names of an order at its store.
package struct OrderNames: Sendable, Hashable {
    /// Our own, of an order that we opened; else the store's.
    package var number: String
    package var purchasedAt: Date
    /// It was opened and paid at our own checkout.
    package var isOurs: Bool

    package init(number: String, purchasedAt: Date, isOurs: Bool) {
        (self.number, self.purchasedAt, self.isOurs) = (number, purchasedAt, isOurs)
    }
}

extension RefundPayout.State: PostgresEncodable, PostgresDecodable {}
extension RefundLimits.Obstacle: PostgresEncodable, PostgresDecodable {}

extension StoredPayout {
    /// The columns that `init(_:)` reads, of `refund_payouts y`.
    static let columns: Query = """
        y.currency, y.refund_id, y.app_id, y.store, y.number, y.order_number, y.transaction_id, y.amount, y.total, y.revokes,
        y.is_requested, y.state, y.obstacle, y.store_id, y.words, y.created_at, y.sent_at, y.asked_at, y.paid_at,
        y.unpaid_since, y.settled_at
        """
    static let columnCount = 21

    /// - Parameter row: of these columns alone.
    init(row: Row) throws {
        var columns = try row.columns(Self.columnCount)
        let currency: Currency = try columns.next()
        self.init(
            refund: try columns.next(),
            app: try columns.next(),
            store: try columns.next(),
            number: try columns.next(),
            orderNumber: try columns.next(),
            transactionID: try columns.next(),
            amount: Money(minorUnits: try columns.next(), currency: currency),
            total: Money(minorUnits: try columns.next(), currency: currency),
            revokes: try columns.next(),
            isRequested: try columns.next(),
            payout: RefundPayout(try columns.next()),
            createdAt: .distantPast
        )
        obstacle = try columns.next()
        storeID = try columns.next()
        words = try columns.next()
        createdAt = try columns.next()
        sentAt = try columns.next()
        askedAt = try columns.next()
        paidAt = try columns.next()
        unpaidSince = try columns.next()
        settledAt = try columns.next()
    }
}
