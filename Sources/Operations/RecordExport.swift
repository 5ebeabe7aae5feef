package import Billing
import Foundation
import Storage

extension BackOffice {
    /// Writes down that somebody took a list away as a file (dashboard.md, rule 14).
    ///
    /// - Parameters:
    ///   - list: `orders`, `customers`, `subscriptions`, `audit`.
    ///   - filter: the list's filters and order, as its address has them.
    ///   - isComplete: false when the reader went away before the end.
    ///   - app: whose list it is; nil for one that goes across apps.
    package func recordExport(
        of list: String,
        filter: String,
        rows: Int,
        isComplete: Bool,
        app: App.ID?,
        caller: Caller
    ) async throws {
        struct Export: Encodable {
            var complete: Bool
            var filter: String
            var rows: Int
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let export = try encoder.encode(Export(complete: isComplete, filter: filter, rows: rows))
        try await database.appendToAuditLog(
            caller.entry("list.export", on: "list", list, app: app, after: String(decoding: export, as: UTF8.self))
        )
    }

    /// Writes down that somebody took data out.
    package func recordExport(of objectType: String, _ objectID: String, app: App.ID, caller: Caller) async throws {
        try await database.appendToAuditLog(caller.entry("\(objectType).export", on: objectType, objectID, app: app))
    }
}
