package import Billing
package import Foundation

/// A page of the changes of what customers may use.
package struct AccessList: Sendable {
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
        package var at: Date
        package var customer: Customer.ID
        /// The plan's code; nil for nothing.
        package var before: String?
        package var after: String?
        package var cause: EntitlementChange.Cause
        /// Where it was bought; nil for a grant.
        package var store: Store?
        /// Who did it, of staff; nil for others, and where nobody is known.
        package var staff: String?
    }
}
