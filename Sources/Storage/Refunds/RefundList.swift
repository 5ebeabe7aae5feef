package import Billing
package import Foundation

/// A page of the refund queue.
package struct RefundList: Sendable {
    package var rows: [Row]
    package var total: RowCount
    package var rowsBefore: Int
    package var hasPrevious: Bool
    package var hasNext: Bool
    /// The cursor led nowhere: the list's first page is what to show.
    package var startsOver: Bool

    package init(
        rows: [Row],
        total: RowCount,
        rowsBefore: Int,
        hasPrevious: Bool,
        hasNext: Bool,
        startsOver: Bool = false
    ) {
        self.rows = rows
        self.total = total
        self.rowsBefore = rowsBefore
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
        self.startsOver = startsOver
    }

    package struct Row: Sendable {
        package var request: RefundRequest
        /// The moment that the list is sorted by: the store's deadline, else the end by itself.
        package var dueAt: Date
        package var orderNumber: String
        package var store: Store
        package var environment: StoreEnvironment
        package var productName: String
        package var customerKey: String
        /// Never there without the right to see personal data.
        package var customerName: Personal<String>?
        package var requesterName: String?

        package init(
            request: RefundRequest,
            dueAt: Date,
            orderNumber: String,
            store: Store,
            environment: StoreEnvironment,
            productName: String,
            customerKey: String,
            customerName: Personal<String>?,
            requesterName: String?
        ) {
            self.request = request
            self.dueAt = dueAt
            self.orderNumber = orderNumber
            self.store = store
            self.environment = environment
            self.productName = productName
            self.customerKey = customerKey
            self.customerName = customerName
            self.requesterName = requesterName
        }
    }
}
