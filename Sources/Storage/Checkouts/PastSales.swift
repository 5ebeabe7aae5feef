package import Billing
package import Foundation
import Postgres

/// A payment of one of our orders, with what its store gave back of it.
package struct PastSale: Sendable, Hashable {
    /// Our number of the order.
    package var number: String
    package var method: CheckoutMethod
    package var description: String
    package var amount: Money
    package var openedAt: Date
    /// The store's number of the payment.
    package var transactionID: String
    package var paidAt: Date
    package var refunds: [Refund]

    package struct Refund: Sendable, Hashable {
        /// Our number of it.
        package var number: String
        /// The store's number of it; nil where it has none.
        package var storeID: String?
        package var amount: Money
        package var paidAt: Date
    }
}

/// An order that was charged, of which nothing was given back.
package struct RecentCharge: Sendable, Hashable {
    package var number: String
    package var amount: Money
    /// Our number of it at the store; nil where the store opened it.
    package var checkout: String?
}

extension Reader {
    /// The payments of an app's orders at a store since a moment, the oldest first.
    package func pastSales(of app: App.ID, at store: Store, since moment: Date) async throws -> [PastSale] {
        let refunds = try await query(
            """
            SELECT transaction_id, number, store_id, amount, currency, paid_at FROM refund_payouts
            WHERE app_id = \(app) AND store = \(store) AND state = 'paid'
            ORDER BY paid_at, number
            """
        ).map { row in
            let (transaction, number, storeID, amount, currency, paidAt) = try row.decode(
                String.self,
                String.self,
                String?.self,
                Int64.self,
                Currency.self,
                Date.self
            )
            return (
                transaction,
                PastSale.Refund(
                    number: number,
                    storeID: storeID,
                    amount: Money(minorUnits: amount, currency: currency),
                    paidAt: paidAt
                )
            )
        }
        let byPayment = Dictionary(grouping: refunds, by: \.0)
        return try await query(
            """
            SELECT number, method, description, amount, currency, created_at, transaction_id, paid_at FROM checkouts
            WHERE app_id = \(app) AND store = \(store) AND state = 'paid' AND paid_at >= \(moment)
            ORDER BY paid_at, number
            """
        ).map { row in
            var columns = try row.columns(8)
            let (number, method, description): (String, CheckoutMethod, String) = (
                try columns.next(), try columns.next(), try columns.next()
            )
            let (amount, currency): (Int64, Currency) = (try columns.next(), try columns.next())
            let (openedAt, transaction, paidAt): (Date, String, Date) = (
                try columns.next(), try columns.next(), try columns.next()
            )
            return PastSale(
                number: number,
                method: method,
                description: description,
                amount: Money(minorUnits: amount, currency: currency),
                openedAt: openedAt,
                transactionID: transaction,
                paidAt: paidAt,
                refunds: byPayment[transaction, default: []].map(\.1)
            )
        }
    }

    /// The newest charged orders of an app at a store of which nothing was given back, the newest first; no tester's.
    ///
    /// - Parameter amount: in minor units; cheaper ones are left out.
    package func newestCharges(
        of app: App.ID,
        at store: Store,
        from amount: Int64,
        limit: Int
    ) async throws -> [RecentCharge] {
        try await query(
            """
            SELECT o.number, o.amount, o.currency,
                (SELECT k.number FROM checkouts k
                 WHERE k.app_id = o.app_id AND k.store = o.store AND k.transaction_id = o.transaction_id)
            FROM orders o
            WHERE o.app_id = \(app) AND o.store = \(store) AND o.environment = 'production' AND o.status = 'completed'
                AND o.amount >= \(amount) AND o.joined_into IS NULL
            ORDER BY o.purchased_at DESC, o.id DESC
            LIMIT \(limit)
            """
        ).map { row in
            let (number, amount, currency, checkout) = try row.decode(
                String.self,
                Int64.self,
                Currency.self,
                String?.self
            )
            return RecentCharge(
                number: number,
                amount: Money(minorUnits: amount, currency: currency),
                checkout: checkout
            )
        }
    }

    /// The customer of an app with an account token, as they are called now; nil where nobody has it.
    package func customer(withToken token: UUID, of app: App.ID) async throws -> Customer.ID? {
        try await query(
            """
            SELECT coalesce(merged_into, id) FROM customers
            WHERE app_id = \(app) AND key = \(token.uuidString.lowercased()) AND deleted_at IS NULL
            """
        ).first?.decode(0, as: Customer.ID.self)
    }
}
