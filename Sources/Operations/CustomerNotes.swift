package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// The longest note, in characters as people count them.
    package static let longestNote = 2_000

    /// Writes a note about a customer. The same id again changes nothing.
    ///
    /// - Throws: `OperationsError` with `.invalid` for an empty or too long text, `.notFound` when the app has no such
    ///   customer.
    package func addNote(
        _ text: String,
        id: CustomerNote.ID,
        about customer: Customer.ID,
        of app: App.ID,
        author: String,
        caller: Caller
    ) async throws {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw OperationsError(.invalid, "Write something.", field: "text") }
        guard text.count <= Self.longestNote, text.unicodeScalars.count <= 4_000 else {
            throw OperationsError(.invalid, "A note has \(Self.longestNote) characters at most.", field: "text")
        }
        guard let staff = caller.staff else { throw OperationsError(.forbidden, "Only people write notes.") }
        try await database.write { transaction in
            let note = CustomerNote(id: id, staff: staff, author: author, text: text, createdAt: transaction.now)
            switch try await transaction.notes.add(note, to: customer, of: app) {
            case .added:
                try await transaction.audit.append(
                    caller.entry(
                        "note.add",
                        on: "note",
                        id.description,
                        app: app,
                        customer: customer,
                        after: Self.json(of: text)
                    )
                )
            case .known: break
            case .noSuchCustomer: throw OperationsError(.notFound, "There is no such customer.")
            }
        }
    }

    /// Withdraws one's own note: it is no longer shown, and stays in the audit log.
    ///
    /// - Throws: `OperationsError` with `.notFound` when it does not stand, `.forbidden` when somebody else wrote it.
    package func withdrawNote(
        _ id: CustomerNote.ID,
        about customer: Customer.ID,
        of app: App.ID,
        caller: Caller
    ) async throws {
        try await database.write { transaction in
            guard let note = try await transaction.notes.find(id, of: customer, app: app) else {
                throw OperationsError(.notFound, "There is no such note any more.")
            }
            guard note.staff == caller.staff else {
                throw OperationsError(.forbidden, "Only \(note.author) may withdraw this note.")
            }
            try await transaction.notes.withdraw(id)
            try await transaction.audit.append(
                caller.entry(
                    "note.withdraw",
                    on: "note",
                    id.description,
                    app: app,
                    customer: customer,
                    before: Self.json(of: note.text)
                )
            )
        }
    }

    private static func json(of note: String) throws -> String {
        String(decoding: try JSONEncoder().encode(["text": note]), as: UTF8.self)
    }
}
