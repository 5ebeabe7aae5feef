package import Billing
import Foundation
import Postgres

/// The page of a list of notes about a customer, newest first.
package struct NoteFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition) {
        self.position = position
    }

    package func cursor(at row: CustomerNote, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .noteWritten, date: row.createdAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension Queries {
    /// The notes about a customer that stand, newest first.
    package func notes(about customer: Customer.ID, _ filter: NoteFilter) async throws -> ListPage<CustomerNote> {
        let keyset = KeysetClauses(
            columns: ("created_at", "id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT id, staff_id, author, text, created_at
            FROM customer_notes
            WHERE customer_id = \(customer) AND withdrawn_at IS NULL\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(CustomerNote.init(row:)), at: filter.position)
    }

    /// One note about a customer that stands.
    package func note(_ id: CustomerNote.ID, about customer: Customer.ID) async throws -> CustomerNote? {
        try await reader.query(
            """
            SELECT id, staff_id, author, text, created_at
            FROM customer_notes
            WHERE id = \(id) AND customer_id = \(customer) AND withdrawn_at IS NULL
            """
        ).first.map(CustomerNote.init(row:))
    }
}
