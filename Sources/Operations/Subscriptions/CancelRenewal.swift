package import Billing
import Gateways
import Storage

extension BackOffice {
    /// Has a store end a renewal that our server can end, and keeps what it says as an event of our checkout. What is paid for stays
    /// until its end.
    ///
    /// - Returns: false where nothing here can: the store is not connected, or leaves it to its customers.
    /// - Throws: `OperationsError`: `.overloaded` for a store that does not answer, `.conflict` for one that refuses.
    package func cancelRenewal(of held: HeldSubscription, app: App.ID) async throws -> Bool {
        guard let account = try await apps.entry(for: app)?.accounts[held.store],
            held.originalTransactionID != nil,
            let newest = try await database.readPrimary({ try await $0.newestPurchase(of: held.id) })
        else { return false }
        let event: StoreEvent
        do {
            guard let renewals = try gateways[held.store]?.renewals(of: account) else { return false }
            event = try await renewals.cancelRenewal(of: KnownPurchase(newest))
        } catch let failure as StoreFailure {
            let isNotKnown = if case .unanswered = failure { true } else { false }
            throw OperationsError(
                isNotKnown ? .overloaded : .conflict,
                "The store did not turn the renewal off.",
                underlying: failure
            )
        } catch {
            throw OperationsError(.conflict, "The store did not turn the renewal off.", underlying: error)
        }
        _ = try await apply(IncomingEvent(app: app, event: event, origin: .checkout))
        return true
    }
}
