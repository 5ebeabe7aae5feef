package import Billing
import Postgres

/// The amount that the unused part of one bought period paid of another's price: a row of `period_credits`.
package struct PeriodCredit: Sendable, Hashable {
    /// The order whose period ended.
    package var order: Order.ID
    package var amount: Money

    package init(order: Order.ID, amount: Money) {
        (self.order, self.amount) = (order, amount)
    }
}

extension CheckoutWrites {
    /// Keeps what earlier orders have paid of an order's period. The customer is locked.
    ///
    /// - Parameter transactionID: the store's number of the payment, whose order is booked.
    /// - Returns: false where there is no such order.
    package func keep(
        _ credits: [PeriodCredit],
        forPayment transactionID: String,
        at store: Store,
        _ environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> Bool {
        guard !credits.isEmpty else { return true }
        let found = try await transaction.query(
            """
            SELECT id
            FROM orders
            WHERE app_id = \(app) AND store = \(store) AND environment = \(environment) AND transaction_id = \(transactionID)
                AND joined_into IS NULL
            """
        ).first?.decode(0, as: Order.ID.self)
        guard let order = found else { return false }
        for credit in credits {
            try await transaction.query(
                """
                INSERT INTO period_credits (upgrade_id, order_id, amount, recorded_at)
                VALUES (\(order), \(credit.order), \(credit.amount.minorUnits), \(transaction.now))
                """
            )
        }
        return true
    }

    /// Gives what earlier orders had paid of an order back to them, once all of its own charge is given back: it is left of theirs again.
    /// The amount that the order has paid of a later period meanwhile stays there until that is given back, too; then it goes the same way.
    ///
    /// The customer is locked.
    package func releaseCredits(into order: Order.ID) async throws {
        var given = [order]
        while let next = given.popLast() {
            let rows = try await transaction.query(
                """
                SELECT c.order_id, c.amount - c.released, o.amount + credit_in(o.id) - credit_out(o.id) - o.refunded,
                    e.status = 'refunded'
                FROM period_credits c
                JOIN orders o ON o.id = c.upgrade_id
                JOIN orders e ON e.id = c.order_id
                WHERE c.upgrade_id = \(next) AND c.released < c.amount AND o.status = 'refunded'
                ORDER BY e.period_starts_at DESC, e.id
                """
            )
            var free = Int64.max
            for row in rows {
                let (earlier, held, left, isGivenBack) = try row.decode(
                    Order.ID.self,
                    Int64.self,
                    Int64.self,
                    Bool.self
                )
                free = min(free, max(0, left))
                let released = min(held, free)
                guard released > 0 else { continue }
                free = free.minus(released)
                try await transaction.query(
                    """
                    UPDATE period_credits
                    SET released = released + \(released)
                    WHERE upgrade_id = \(next) AND order_id = \(earlier)
                    """
                )
                if isGivenBack { given.append(earlier) }
            }
        }
    }
}
