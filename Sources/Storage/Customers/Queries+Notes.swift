package import Billing
import Foundation
import Postgres

/// A page of the notes about a customer.
package struct NoteList: Sendable {
    package var notes: [CustomerNote]
    package var hasNext: Bool
}

extension Queries {
    /// The notes about a customer that stand, newest first.
    package func notes(about customer: Customer.ID, at position: PagePosition) async throws -> NoteList {
        let keyset = KeysetClauses(
            columns: ("created_at", "id"),
            direction: .descending,
            position: position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT id, staff_id, author, text, created_at
            FROM customer_notes
            WHERE customer_id = \(customer) AND withdrawn_at IS NULL\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(KeysetPageSize.fetched))
            """
        )
        let page = KeysetPage(try rows.map(CustomerNote.init(row:)), at: position)
        return NoteList(notes: page.rows, hasNext: page.hasNext)
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
