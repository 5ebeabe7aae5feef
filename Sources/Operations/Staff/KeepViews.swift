package import Billing
import Foundation
package import Storage

/// A list's state that somebody gives a name.
package struct ViewCommand: Sendable {
    package var name: String
    package var list: ListName
    /// The query of the list's own URL.
    package var query: String
    package var columns: ColumnChoice
    package var isShared: Bool

    package init(name: String, list: ListName, query: String, columns: ColumnChoice, isShared: Bool) {
        self.name = name
        self.list = list
        self.query = query
        self.columns = columns
        self.isShared = isShared
    }

    package static let longestName = 60
    /// A person who has as many of one list has to delete one first.
    package static let mostPerList = 50
}

extension BackOffice {
    /// Gives a list's state a name.
    ///
    /// - Returns: the view's id as the outcome's result.
    /// - Throws: `OperationsError` with `.invalid` and the field `name` for a name that is empty, too long or taken.
    package func saveView(
        _ command: ViewCommand,
        app: App.ID,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let name = try Self.viewName(command.name)
        guard let staff = caller.staff else { throw OperationsError(.forbidden, "Only people have views.") }
        return try await runOnce(key) { transaction in
            let count = try await transaction.savedViews.count(of: command.list, app: app, owner: staff)
            guard count < ViewCommand.mostPerList else {
                throw OperationsError(
                    .conflict,
                    "You have \(ViewCommand.mostPerList) views of this list. Delete one first."
                )
            }
            let view = SavedView(
                id: SavedView.ID(transaction.newUUID()),
                list: command.list,
                name: name,
                query: command.query,
                columns: command.columns,
                isShared: command.isShared,
                owner: staff,
                ownerName: caller.actor
            )
            guard try await transaction.savedViews.insert(view, app: app) else { throw Self.nameIsTaken }
            let entry = try await transaction.audit.append(
                caller.entry(.saveView, on: "view", view.id.description, app: app, after: view.auditText)
            )
            return (entry, view.id.description)
        }
    }

    /// Gives one's own view another name, shares it or not, or has it keep another state of its list.
    ///
    /// - Parameter state: nil leaves what it lists as it is.
    /// - Throws: `OperationsError` with `.forbidden` for somebody else's; `.invalid` as for a new view.
    package func changeView(
        _ id: SavedView.ID,
        name: String,
        isShared: Bool,
        state: (query: String, columns: ColumnChoice)? = nil,
        app: App.ID,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let name = try Self.viewName(name)
        return try await runOnce(key) { transaction in
            let view = try await Self.view(id, app: app, in: transaction)
            guard view.owner == caller.staff else { throw Self.notYours }
            var changed = view
            (changed.name, changed.isShared) = (name, isShared)
            if let state, state.columns.list == view.list { (changed.query, changed.columns) = state }
            guard try await transaction.savedViews.update(changed) else { throw Self.nameIsTaken }
            let entry = try await transaction.audit.append(
                caller.entry(
                    .changeView,
                    on: "view",
                    id.description,
                    app: app,
                    before: view.auditText,
                    after: changed.auditText
                )
            )
            return (entry, id.description)
        }
    }

    /// Removes one's own view, or as an admin one that somebody shares.
    ///
    /// - Throws: `OperationsError` with `.forbidden` for anybody else.
    package func deleteView(
        _ id: SavedView.ID,
        app: App.ID,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            let view = try await Self.view(id, app: app, in: transaction)
            guard view.mayBeDeleted(by: caller.staff, caller.role) else { throw Self.notYours }
            try await transaction.savedViews.delete(id)
            let entry = try await transaction.audit.append(
                caller.entry(.deleteView, on: "view", id.description, app: app, before: view.auditText)
            )
            return (entry, id.description)
        }
    }

    /// Remembers which columns a person wants to see of a list.
    package func chooseColumns(_ columns: ColumnChoice, caller: Caller) async throws {
        guard let staff = caller.staff else { throw OperationsError(.forbidden, "Only people see lists.") }
        try await database.write { transaction in
            let before = try await transaction.savedViews.columns(of: columns.list, staff: staff)
            guard before != columns else { return }
            try await transaction.savedViews.choose(columns, staff: staff)
            try await transaction.audit.append(
                caller.entry(
                    .chooseColumns,
                    on: "list",
                    columns.list.rawValue,
                    before: AuditJSON([("columns", before?.text ?? "all")]).text,
                    after: AuditJSON([("columns", columns.text)]).text
                )
            )
        }
    }

    /// Without what stands around it, and in the one form that looks like it.
    private static func viewName(_ name: String) throws(OperationsError) -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !name.isEmpty else { throw OperationsError(problems: [FieldProblem("name", .missing)]) }
        guard name.unicodeScalars.count <= ViewCommand.longestName else {
            throw OperationsError(problems: [FieldProblem("name", .tooLong(ViewCommand.longestName))])
        }
        return name
    }

    private static func view(
        _ id: SavedView.ID,
        app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> SavedView {
        guard let view = try await transaction.savedViews.find(id, app: app) else {
            throw OperationsError(.notFound, "There is no such view any more.")
        }
        return view
    }

    private static var nameIsTaken: OperationsError { OperationsError(problems: [FieldProblem("name", .taken)]) }

    private static var notYours: OperationsError { OperationsError(.forbidden, "This view is somebody else's.") }
}

extension SavedView {
    /// Its owner may; an admin may clear away what is shared.
    package func mayBeDeleted(by staff: Staff.ID?, _ role: StaffRole?) -> Bool {
        owner == staff || isShared && role == .admin
    }

    fileprivate var auditText: String {
        AuditJSON([
            ("list", list.rawValue), ("name", name), ("query", query), ("columns", columns.text),
            ("shared", isShared ? "yes" : "no"),
        ]).text
    }
}
