import Billing
import Gateways
import Storage

/// A store at which an app's orders are opened.
struct ConnectedCheckout: Sendable {
    var server: any CheckoutServer
    var account: StoreAccount
    var environment: StoreEnvironment
}

extension BackOffice {
    /// - Throws: `OperationsError` with `.conflict` where the app has no account there, or the store takes no orders of ours.
    func checkoutServer(of app: App.ID, at store: Store) async throws -> ConnectedCheckout {
        if let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] {
            do {
                if let server = try gateway.checkouts(of: account) {
                    return ConnectedCheckout(
                        server: server,
                        account: account,
                        environment: gateway.checkoutEnvironment(of: account)
                    )
                }
            } catch {
                throw OperationsError(error)
            }
        }
        throw OperationsError(
            .conflict,
            "The app opens no orders at \(store.rawValue).",
            reason: .storeNotConnected
        )
    }

    /// The environment of what is paid at a store of ours.
    func checkoutEnvironment(of app: App.ID, at store: Store) async throws -> StoreEnvironment {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return .production
        }
        return gateway.checkoutEnvironment(of: account)
    }
}

extension StoreAccount {
    /// True if a name in a store's account of a payment is one of this account's.
    func isCalled(_ name: String) -> Bool { name == identifier || settings.values.contains(name) }
}
