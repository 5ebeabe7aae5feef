package import Billing
package import Foundation
import Postgres

/// An order that we opened at a store, for a customer to pay: a row of `checkouts`.
package struct Checkout: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<Checkout>

    package var id: ID
    package var app: App.ID
    /// The customer, or the one that they were merged into.
    package var customer: Customer.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var method: CheckoutMethod
    /// Names it at the store.
    package var number: String
    package var description: String
    /// The store's identifier of the product.
    package var productID: String
    /// As it was sold, whatever the catalogue says today; how plans rank is today's, as for all that the customer holds.
    package var offer: PeriodPurchase.Offer
    /// SHA-256 of what was agreed on.
    package var basis: [UInt8]
    /// The part of the price that was taken off.
    package var credit: Money
    package var amount: Money
    /// As planned when it was opened.
    package var startsAt: Date
    package var endsAt: Date
    package var state: State
    package var closeReason: CloseReason?
    package var createdAt: Date
    package var expiresAt: Date
    /// The time of the last question to the store; nil before the first.
    package var askedAt: Date?
    package var lastFailure: String?
    /// The store's number of its payment.
    package var transactionID: String?
    package var paidAt: Date?
    /// Something that a store says of a payment that cannot be of this order; people have to look at it.
    package var problem: String?
    /// The page that the customer comes from, and goes back to.
    package var returnURL: String?
    /// The address for the store's messages that the store is told; nil of an order that an earlier version of the server opened.
    package var notificationURL: String?
    /// The address of the customer's device that the store is told, for as long as it may have to be told again.
    package var clientAddress: Personal<String>?
    /// The end of the address that the store gave for the payment; nil where it works as long as the order.
    package var linkEndsAt: Date?

    /// The database keeps the raw values.
    package enum State: String, Sendable, CaseIterable {
        /// Kept, and the store has not answered yet: it may know of it or not. Can transition to: `open`, `paid`, `closing`, `closed`.
        case opening
        /// It can be paid. Can transition to: `paid`, `closing`, `closed`.
        case open
        /// Paid and settled; final, also where it was paid after we had given it up.
        case paid
        /// The store is to be told that it cannot be paid any more. Can transition to: `closed`, `paid`.
        case closing
        /// It cannot be paid any more. Can transition to: `paid`, if the payment had been quicker.
        case closed

        package var isOpen: Bool { self == .opening || self == .open }
    }

    /// The reason why it cannot be paid any more. The database keeps the raw values.
    package enum CloseReason: String, Sendable, CaseIterable {
        /// Its time was over.
        case expired
        /// The price, or what the customer holds, changed: another one was opened.
        case replaced
        /// The store refused to open it.
        case refused
        /// The store closed it by itself.
        case closedByStore = "closed_by_store"
        /// The customer's account was deleted.
        case accountDeleted = "account_deleted"
    }
}

extension Checkout.State: PostgresEncodable, PostgresDecodable {}
extension Checkout.CloseReason: PostgresEncodable, PostgresDecodable {}
extension CheckoutMethod: PostgresEncodable, PostgresDecodable {}

extension Checkout {
    /// Of `selection`.
    init(row: Row) throws {
        var columns = try row.columns(33)
        id = try columns.next()
        app = try columns.next()
        customer = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        method = try columns.next()
        number = try columns.next()
        description = try columns.next()
        productID = try columns.next()
        let plan = Plan(code: try columns.next(), rank: try columns.next())
        let period = BillingPeriod(stored: try columns.next(), try columns.next())
        basis = try columns.next()
        let (price, credit, amount): (Int64, Int64, Int64) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        let currency: Currency = try columns.next()
        guard let period else { throw PostgresError(.decoding, "a checkout has no period") }
        offer = PeriodPurchase.Offer(plan: plan, period: period, price: Money(minorUnits: price, currency: currency))
        self.credit = Money(minorUnits: credit, currency: currency)
        self.amount = Money(minorUnits: amount, currency: currency)
        startsAt = try columns.next()
        endsAt = try columns.next()
        state = try columns.next()
        closeReason = try columns.next()
        createdAt = try columns.next()
        expiresAt = try columns.next()
        askedAt = try columns.next()
        lastFailure = try columns.next()
        transactionID = try columns.next()
        paidAt = try columns.next()
        problem = try columns.next()
        returnURL = try columns.next()
        notificationURL = try columns.next()
        clientAddress = try columns.next()
        linkEndsAt = try columns.next()
    }

    static var selection: Query {
        """
        SELECT k.id, k.app_id, coalesce(c.merged_into, c.id), k.store, k.environment, k.method, k.number, k.description,
            p.store_product_id, k.plan_code, coalesce((SELECT b.rank FROM plans b WHERE b.app_id = k.app_id AND b.code = k.plan_code),
                l.rank), k.period_count, k.period_unit, k.basis, k.price, k.credit, k.amount, k.currency,
            k.starts_at, k.ends_at, k.state, k.close_reason, k.created_at, k.expires_at, k.asked_at, k.last_failure,
            k.transaction_id, k.paid_at, k.problem, k.return_url, k.notification_url, k.client_address, k.link_ends_at
        FROM checkouts k
        JOIN customers c ON c.id = k.customer_id
        JOIN products p ON p.id = k.product_id
        JOIN plans l ON l.id = p.plan_id
        """
    }
}
