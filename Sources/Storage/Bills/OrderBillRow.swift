package import Billing
import Postgres

/// A row of a store's bill about an order: its payment, or a refund of it.
package struct OrderBillRow: Sendable, Hashable {
    package var bill: DailyBill.ID
    /// Of the bill, by the store's calendar.
    package var day: BusinessDay
    package var movement: BilledMovement

    package init(bill: DailyBill.ID, day: BusinessDay, movement: BilledMovement) {
        (self.bill, self.day, self.movement) = (bill, day, movement)
    }

    /// The largest number of rows that a page shows: more than a store pays refunds of one order.
    fileprivate static let most = 60
}

extension Queries {
    /// The rows of bills about an order, oldest first; none of a store that makes no bills.
    package func billRows(of order: OrderDetails.Order, app: App.ID) async throws -> [OrderBillRow] {
        try await reader.query(
            """
            SELECT r.bill_id, b.day, \(BilledMovement.columns)
            FROM bill_rows r
            JOIN daily_bills b ON b.id = r.bill_id
            WHERE r.app_id = \(app) AND r.store = \(order.store) AND r.environment = \(order.environment)
                AND r.transaction_id = \(order.transactionID)
            ORDER BY r.at, r.bill_id, r.place
            LIMIT \(OrderBillRow.most)
            """
        ).map { row in
            var columns = try row.columns(10)
            return OrderBillRow(
                bill: try columns.next(),
                day: try columns.next(),
                movement: try BilledMovement(&columns)
            )
        }
    }
}
