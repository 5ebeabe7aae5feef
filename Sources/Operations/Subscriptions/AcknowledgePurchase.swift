import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Has a store told that it is known here what was bought, where it gives the money back otherwise: what is committed with it has been
    /// delivered.
    func enqueueAcknowledgement(
        of incoming: IncomingEvent,
        _ changes: SubscriptionChanges,
        to subscription: StoredSubscription,
        in transaction: WriteTransaction
    ) async throws {
        let event = incoming.event
        guard event.awaitsAcknowledgement == true, changes.newStep.rejectionReason == nil else { return }
        let new = changes.newOrders.first { $0.booked.isCalled(event.transaction.id) }?.id
        let order = new ?? subscription.orders.first { $0.isCalled(event.transaction.id) }?.id
        guard let order else { return }
        try await transaction.jobs.enqueue(.acknowledgement, for: order.uuid, of: incoming.app)
    }

    /// Tells a store that a purchase was delivered. The store is asked first whether it knows, so a second time does no harm.
    ///
    /// - Throws: `JobFailure` when it should be told again, or with the store's reason where it does not take it.
    func acknowledge(_ leased: LeasedJob) async throws -> JobProgress {
        let found = try await database.readPrimary { try await $0.storeOrder(Order.ID(leased.subject), of: leased.app) }
        guard let order = found, let gateway = gateways[order.store],
            let account = try await apps.entry(for: leased.app)?.accounts[order.store]
        else { return try await end(leased) }
        let server: (any AcknowledgementServer)?
        do {
            server = try gateway.acknowledgements(of: account)
        } catch {
            // Until people have seen to the app's account.
            throw JobFailure(error.message, .unanswered)
        }
        guard let server else {
            throw JobFailure("The app's account at \(order.store.rawValue) has no key to tell it with.", .unanswered)
        }
        do {
            switch try await server.acknowledge(order.transactionID) {
            case .told, .unneeded: return try await end(leased)
            case .tooEarly: return .notYet(for: .seconds(3_600))
            }
        } catch let failure as StoreFailure {
            throw JobFailure(failure)
        }
    }
}

extension StoredSubscription.StoredOrder {
    fileprivate func isCalled(_ transactionID: String) -> Bool {
        self.transactionID == transactionID || otherTransactionIDs.contains(transactionID)
    }
}
