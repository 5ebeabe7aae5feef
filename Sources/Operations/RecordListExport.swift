package import Billing
import Foundation
import Storage

extension BackOffice {
    /// Writes down that somebody took a list away as a file (dashboard.md, rule 14).
    ///
    /// - Parameters:
    ///   - list: `orders`, `customers`, `subscriptions`.
    ///   - filter: the list's filters and order, as its address has them.
    ///   - isComplete: false when the reader went away before the end.
    package func recordExport(
        of list: String,
        filter: String,
        rows: Int,
        isComplete: Bool,
        app: App.ID,
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
}
