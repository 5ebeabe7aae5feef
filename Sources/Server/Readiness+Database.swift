import Storage
import Web

extension Readiness {
    /// Asks the primary, for a second at most.
    init(of database: Database) async {
        do {
            self = try await database.isReady() ? .ready : .notReady("The schema is not current: perennial migrate.")
        } catch {
            self = .notReady("The database does not answer.")
        }
    }
}
