package import Billing
import Foundation
package import Storage

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
        let taken = try TakenFile(complete: isComplete, filter: filter, rows: rows).json()
        try await database.appendToAuditLog(caller.entry(.exportList, on: "list", list, app: app, after: taken))
    }

    /// Records the export of a bulk job's results.
    package func recordExport(
        of job: BulkJob.ID,
        rows: Int,
        isComplete: Bool,
        app: App.ID,
        caller: Caller
    ) async throws {
        let taken = try TakenFile(complete: isComplete, rows: rows).json()
        try await database.appendToAuditLog(
            caller.entry(.exportBulk, on: "bulk", job.description, app: app, after: taken)
        )
    }
}

/// The exported part of a file.
private struct TakenFile: Encodable {
    var complete: Bool
    /// nil if the list has no filters.
    var filter: String?
    var rows: Int

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
