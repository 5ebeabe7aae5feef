package import Billing
package import Storage
import Synchronization

/// The catalogues of apps as customers are told of them, each read once after it was applied.
///
/// Whoever asks says which version of it holds now (the customer's session does), so that what was applied on another server is there
/// at the next question.
package final class RememberedCatalogs: Sendable {
    private struct Known {
        var version: Int64
        var catalog: AppCatalog
    }

    private let database: Database
    private let known = Mutex<[App.ID: Known]>([:])

    init(database: Database) {
        self.database = database
    }

    /// - Throws: the database's errors.
    package func catalog(of app: App.ID, version: Int64) async throws -> AppCatalog {
        if let known = known.withLock({ $0[app] }), known.version == version { return known.catalog }
        let catalog = try await database.readPrimary { try await $0.apps.catalog(of: app) }
        // The catalogue read may be newer than the requested version; it is then read once more under its own version.
        known.withLock { $0[app] = Known(version: version, catalog: catalog) }
        return catalog
    }
}
