package import Billing
package import Gateways
import Storage

extension BackOffice {
    /// Finds out whether an app's stores can be asked, and whether what they send would be believed (`StoreGateway.probe`).
    ///
    /// - Returns: what was found of each, in words for staff.
    /// - Throws: the database's error.
    package func probeStores(of app: App.ID) async throws -> [(store: Store, findings: [StoreFinding])] {
        let record = try await database.readPrimary { try await $0.apps.all() }.first { $0.id == app }
        var found: [(store: Store, findings: [StoreFinding])] = []
        for stored in record?.accounts ?? [] {
            guard let gateway = gateways[stored.account.store] else { continue }
            let account = accountSecrets.opened(stored)
            found.append((account.store, await gateway.probe(account, at: database.now)))
        }
        return found
    }
}
