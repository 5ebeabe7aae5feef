package import Billing
import Storage

extension BackOffice {
    /// Writes down that somebody took data out.
    package func recordExport(of objectType: String, _ objectID: String, app: App.ID, caller: Caller) async throws {
        try await database.appendToAuditLog(caller.entry("\(objectType).export", on: objectType, objectID, app: app))
    }
}
