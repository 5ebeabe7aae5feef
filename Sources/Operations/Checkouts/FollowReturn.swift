package import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Has a store asked about the order that a customer comes back from, also where it is closed here: it may have been paid before. Nothing
    /// is granted by their coming back, whatever it says.
    ///
    /// - Parameters:
    ///   - query: of the address that the store led them to, as it came.
    ///   - slug: the app's.
    /// - Throws: `OperationsError` with `.notFound` for an app, a store or an order that is not here, `.notAuthentic` for a query that the
    ///   store did not sign, `.wrongApp` for that of another account.
    package func followReturn(_ query: String, from store: Store, forApp slug: String) async throws {
        let nothing = OperationsError(.notFound, "Nobody comes back from such a page.")
        guard let gateway = gateways[store], let app = try await apps.entry(named: slug),
            let account = app.accounts[store]
        else { throw nothing }
        let returned: String?
        do throws(GatewayError) {
            returned = try gateway.returnedOrder(query, for: account, at: database.now)
        } catch {
            throw OperationsError(error)
        }
        guard let number = returned, let checkout = try await known(number, of: app.record.id),
            checkout.store == store
        else { throw nothing }
        guard checkout.state != .paid else { return }
        try await database.write { transaction in
            try await transaction.jobs.enqueue(.checkout, for: checkout.id.uuid, of: checkout.app)
        }
    }

    private func known(_ number: String, of app: App.ID) async throws -> Checkout? {
        try await database.readPrimary { try await $0.checkout(number, of: app)?.checkout }
    }
}
