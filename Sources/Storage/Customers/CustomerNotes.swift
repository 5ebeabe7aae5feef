package import Billing
package import Foundation
import Postgres

/// A note that staff wrote about a customer.
package struct CustomerNote: Sendable, Hashable {
    package typealias ID = Identifier<CustomerNote>

    package var id: ID
    package var staff: Staff.ID
    /// Their name as it was then.
    package var author: String
    package var text: Personal<String>
    package var createdAt: Date

    package init(id: ID, staff: Staff.ID, author: String, text: Personal<String>, createdAt: Date) {
        self.id = id
        self.staff = staff
        self.author = author
        self.text = text
        self.createdAt = createdAt
    }
}

extension WriteTransaction {
    package var notes: CustomerNoteWrites { CustomerNoteWrites(transaction: self) }
}

package struct CustomerNoteWrites: Sendable {
    let transaction: WriteTransaction

    package enum Addition: Sendable {
        case added
        /// A note of this key is there already.
        case known
        case noSuchCustomer
    }

    /// Adds a note; the same key again changes nothing.
    package func add(_ note: CustomerNote, to customer: Customer.ID, of app: App.ID) async throws -> Addition {
        let inserted = try await transaction.query(
            """
            INSERT INTO customer_notes (id, customer_id, staff_id, author, text, created_at)
            SELECT \(note.id), id, \(note.staff), \(note.author), \(note.text), \(transaction.now)
            FROM customers
            WHERE id = \(customer) AND app_id = \(app) AND merged_into IS NULL
            ON CONFLICT (id) DO NOTHING
            """
        )
        if inserted.affectedRows == 1 { return .added }
        let known = try await transaction.query(
            "SELECT 1 FROM customer_notes WHERE id = \(note.id) AND customer_id = \(customer)"
        )
        return known.isEmpty ? .noSuchCustomer : .known
    }

    /// The note, locked; nil when the customer has none of that key that still stands.
    package func find(
        _ id: CustomerNote.ID,
        of customer: Customer.ID,
        app: App.ID
    ) async throws -> CustomerNote? {
        try await transaction.lock(
            """
            SELECT n.id, n.staff_id, n.author, n.text, n.created_at
            FROM customer_notes n
            JOIN customers c ON c.id = n.customer_id
            WHERE n.id = \(id) AND c.id = \(customer) AND c.app_id = \(app) AND n.withdrawn_at IS NULL
            FOR UPDATE OF n
            """
        ).first.map(CustomerNote.init(row:))
    }

    package func withdraw(_ id: CustomerNote.ID) async throws {
        try await transaction.query(
            "UPDATE customer_notes SET withdrawn_at = \(transaction.now) WHERE id = \(id) AND withdrawn_at IS NULL"
        )
    }
}

extension CustomerNote {
    init(row: Row) throws {
        (id, staff, author, text, createdAt) = try row.decode(
            CustomerNote.ID.self,
            Staff.ID.self,
            String.self,
            Personal<String>.self,
            Date.self
        )
    }
}
