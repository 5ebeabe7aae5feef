package import Billing
package import Foundation

/// A page of the ledger.
package struct LedgerList: Sendable {
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
        package var id: UUID
        package var kind: LedgerEntry.Kind
        package var amount: Money
        package var occurredAt: Date
        package var recordedAt: Date
        package var store: Store
        package var environment: StoreEnvironment
        package var orderNumber: String
        package var productName: String
        package var planCode: String
        /// Empty where the store did not say.
        package var country: String
    }
}
