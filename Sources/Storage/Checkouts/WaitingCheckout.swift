package import Billing
package import Foundation
import Postgres

/// An order at a store with a payment that people have to look at.
package struct WaitingCheckout: Sendable, Hashable, Identifiable {
    package var id: Checkout.ID
    package var number: String
    package var store: Store
    package var environment: StoreEnvironment
    package var method: CheckoutMethod
    package var state: Checkout.State
    /// The customer, or the one that they were merged into.
    package var customer: Customer.ID
    /// As the customer read it.
    package var product: String
    package var amount: Money
    package var createdAt: Date
    /// The store's number of its payment; nil of one that is not settled.
    package var transactionID: String?
    /// The number of the order in the books; nil where there is none.
    package var order: String?
    /// For staff, in English.
    package var problem: String
    /// The time at which a person had seen to it; nil while it waits.
    package var seenAt: Date?
    /// Some of the payment is back, and nobody knows how much.
    package var hasUnknownRefund: Bool

    package var isWaiting: Bool { seenAt == nil }
}

/// Something about an order's payment that people have to look at.
package struct CheckoutProblem: Sendable, Hashable {
    package var store: Store
    /// Names the order at the store.
    package var number: String
    /// In English.
    package var problem: String
    package var isSeenTo: Bool
}

/// The page of a list of payments that wait for people, the newest first.
package struct WaitingCheckoutFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: WaitingCheckout, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .checkoutOpened, date: row.createdAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension WaitingCheckout {
    static let selection: Query = """
        SELECT k.id, k.number, k.store, k.environment, k.method, k.state, coalesce(c.merged_into, c.id), k.description, k.amount,
            k.currency, k.created_at, k.transaction_id, (
                SELECT o.number
                FROM orders o
                WHERE o.app_id = k.app_id AND o.store = k.store AND o.transaction_id = k.transaction_id AND o.joined_into IS NULL),
            k.problem, k.problem_seen_at, k.has_unknown_refund
        FROM checkouts k
        JOIN customers c ON c.id = k.customer_id
        """

    init(row: Row) throws {
        var columns = try row.columns(16)
        id = try columns.next()
        number = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        method = try columns.next()
        state = try columns.next()
        customer = try columns.next()
        product = try columns.next()
        let units: Int64 = try columns.next()
        amount = Money(minorUnits: units, currency: try columns.next())
        createdAt = try columns.next()
        transactionID = try columns.next()
        order = try columns.next()
        problem = try columns.next()
        seenAt = try columns.next()
        hasUnknownRefund = try columns.next()
    }
}
