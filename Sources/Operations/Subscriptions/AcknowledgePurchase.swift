import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Has a store told that what was bought has been delivered, where it gives the money back otherwise.
    func enqueueAcknowledgement(
        of incoming: IncomingEvent,
        _ changes: SubscriptionChanges,
        to subscription: StoredSubscription,
        in transaction: WriteTransaction
    ) async throws {
        var awaiting = [incoming.event].filter { _ in changes.newStep.rejectionReason == nil }
        // The job of one that is joined now was another subscription's.
        if subscription.hasJoined {
            awaiting += subscription.events.filter { $0.rejectionReason == nil }.map(\.event)
        }
        let due = awaiting.filter { $0.awaitsAcknowledgement == true }.map(\.acknowledgementDue).max()
        guard let due else { return }
        try await transaction.jobs.enqueue(
            .acknowledgement,
            for: subscription.id.uuid,
            of: incoming.app,
            dueAt: due
        )
    }

    /// Tells a store that the purchases of a subscription were delivered. The store is asked first whether it knows, so a second time does
    /// no harm. While nobody has what was bought, it is told nothing: it gives the money back for what is never delivered.
    ///
    /// - Throws: `JobFailure` when it should be told again, or with the store's reason where it does not take it.
    func acknowledge(_ leased: LeasedJob) async throws -> JobProgress {
        let id = Subscription.ID(leased.subject)
        let found = try await database.readPrimary { try await $0.awaitedPurchases(of: id, app: leased.app) }
        guard let found, let gateway = gateways[found.store],
            let account = try await apps.entry(for: leased.app)?.accounts[found.store]
        else { return try await end(leased) }
        let server: (any AcknowledgementServer)?
        do {
            server = try gateway.acknowledgements(of: account)
        } catch {
            // Until people have seen to the app's account.
            throw JobFailure(error.message, .unanswered)
        }
        guard let server else {
            throw JobFailure("The app's account at \(found.store.rawValue) has no key to tell it with.", .unanswered)
        }
        var isEarly = false
        do {
            for purchase in found.purchases {
                let told = try await server.acknowledge(KnownPurchase(purchase), isDelivered: found.isHeld)
                isEarly = isEarly || told == .tooEarly
            }
        } catch {
            throw JobFailure(error)
        }
        return isEarly ? .notYet(for: .seconds(3_600)) : try await end(leased)
    }
}

extension KnownPurchase {
    init(_ purchase: StorePurchase) {
        self.init(purchase.transactionID, kind: purchase.kind, token: purchase.token)
    }
}

extension StoreEvent {
    /// When the store's patience ends.
    fileprivate var acknowledgementDue: Date {
        acknowledgeBy ?? transaction.purchasedAt.addingTimeInterval(store.rules.acknowledgementTime ?? 0)
    }
}
