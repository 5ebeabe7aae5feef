package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// The longest note, in characters as people count them.
    package static let longestNote = 2_000

    /// Writes a note about a customer. The same id again changes nothing.
    ///
    /// - Returns: the audit entry; nil when a note of this id is there already.
    /// - Throws: `OperationsError` with `.invalid` for an empty or too long text, `.notFound` when the app has no such
    ///   customer.
    @discardableResult
    package func addNote(
        _ text: String,
        id: CustomerNote.ID,
        about customer: Customer.ID,
        of app: App.ID,
        author: String,
        caller: Caller
    ) async throws -> UUID? {
        let draft = try NoteDraft(text, by: author, caller)
        return try await database.write { transaction in
            try await add(draft, id: id, to: customer, of: app, caller, in: transaction)
        }
    }

    /// Adds a note under an idempotency key. The outcome's result is the note's id.
    ///
    /// - Throws: as the other, and as `runOnce`.
    package func addNote(
        _ text: String,
        about customer: Customer.ID,
        of app: App.ID,
        author: String,
        key: IdempotencyKey,
        caller: Caller
    ) async throws -> ActionOutcome {
        let draft = try NoteDraft(text, by: author, caller)
        return try await runOnce(key) { transaction in
            let id = CustomerNote.ID(transaction.newUUID())
            guard let entry = try await add(draft, id: id, to: customer, of: app, caller, in: transaction) else {
                throw OperationsError(.conflict, "There is a note of this id already.")
            }
            return (entry, id.description)
        }
    }

    /// The audit entry; nil when a note of this id is there already.
    private func add(
        _ draft: NoteDraft,
        id: CustomerNote.ID,
        to customer: Customer.ID,
        of app: App.ID,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> UUID? {
        let note = CustomerNote(
            id: id,
            staff: draft.staff,
            author: draft.author,
            text: Personal(draft.text),
            createdAt: transaction.now
        )
        switch try await transaction.notes.add(note, to: customer, of: app) {
        case .added:
            return try await transaction.audit.append(
                caller.entry(
                    .addNote,
                    on: "note",
                    id.description,
                    app: app,
                    customer: customer,
                    after: AuditJSON([("text", draft.text)]).text
                )
            )
        case .known: return nil
        case .noSuchCustomer: throw OperationsError(.notFound, "There is no such customer.")
        }
    }

    /// Withdraws one's own note: it is no longer shown, and stays in the audit log.
    ///
    /// - Returns: the audit entry.
    /// - Throws: `OperationsError` with `.notFound` when it does not stand, `.forbidden` when somebody else wrote it.
    @discardableResult
    package func withdrawNote(
        _ id: CustomerNote.ID,
        about customer: Customer.ID,
        of app: App.ID,
        caller: Caller
    ) async throws -> UUID {
        try await database.write { transaction in
            guard let note = try await transaction.notes.find(id, of: customer, app: app) else {
                throw OperationsError(.notFound, "There is no such note any more.")
            }
            guard note.staff == caller.staff else {
                throw OperationsError(.forbidden, "Only \(note.author) may withdraw this note.")
            }
            try await transaction.notes.withdraw(id)
            return try await transaction.audit.append(
                caller.entry(
                    .withdrawNote,
                    on: "note",
                    id.description,
                    app: app,
                    customer: customer,
                    before: AuditJSON([("text", note.text.kept(in: transaction))]).text
                )
            )
        }
    }
}

/// A note that may be written.
private struct NoteDraft: Sendable {
    let text: String
    let staff: Staff.ID
    let author: String

    init(_ text: String, by author: String, _ caller: Caller) throws(OperationsError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw OperationsError(problems: [FieldProblem("text", .missing)]) }
        let longest = BackOffice.longestNote
        guard text.count <= longest, text.unicodeScalars.count <= 4_000 else {
            throw OperationsError(problems: [FieldProblem("text", .tooLong(longest))])
        }
        guard let staff = caller.staff else { throw OperationsError(.forbidden, "Only people write notes.") }
        (self.text, self.staff, self.author) = (text, staff, author)
    }
}
