import Billing
import Foundation
import Storage

extension BackOffice {
    /// The paid periods of the customer who has an order's subscription, before the order is given back; none for an order that was not
    /// paid at our own checkout, whose store decides about access.
    func heldPeriods(beside order: LockedOrder, in transaction: WriteTransaction) async throws -> [HeldPurchase] {
        guard !order.store.rules.renewsByItself, let subscription = order.subscription,
            let app = try await transaction.payouts.app(of: order.id),
            let names = try await transaction.payouts.names(of: order.id), names.isOurs,
            let owner = try await transaction.payouts.owner(of: subscription)
        else { return [] }
        return try await transaction.checkouts.held(
            by: owner,
            of: app,
            in: order.environment,
            after: transaction.now,
            with: subscription
        )
    }

    /// Ends the period of an order that is given back in full now, and moves forward what was bought behind it.
    ///
    /// - Parameters:
    ///   - amount: the sum that is given back now; the order is as it was before.
    ///   - held: the periods of its customer before that.
    func takeBack(
        _ order: LockedOrder,
        after amount: Money,
        _ number: String,
        _ held: [HeldPurchase],
        app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        let refunded = order.refunded.minorUnits.plus(amount.minorUnits)
        guard refunded >= order.amount.minorUnits,
            let index = held.firstIndex(where: { $0.transactionID == order.transactionID && $0.store == order.store })
        else { return }
        let taken = TakenBackPeriod(index, of: held.map(\.period), at: transaction.now)
        guard let end = taken.endsAt else { return }
        var clocks = BoughtClocks(held)
        var events = [
            held[index].event(
                .refunded,
                id: "refund:\(number)",
                signedAt: clocks.next(of: held[index], at: transaction.now)
            ) { transaction in
                // The money is in the books by its request; the event is about access.
                transaction.revocation = StoreTransaction.Revocation(at: end, milliPercent: 0)
            }
        ]
        for move in taken.moves {
            let moved = held[move.index]
            events.append(
                moved.event(
                    .periodMoved,
                    id: "refund:\(number):\(moved.transactionID)",
                    signedAt: clocks.next(of: moved, at: transaction.now)
                ) { transaction in
                    (transaction.startsAt, transaction.expiresAt) = (move.startsAt, move.endsAt)
                }
            )
        }
        for event in events {
            let incoming = IncomingEvent(app: app, event: event, origin: .checkout)
            if case .refused(let reason) = try await apply(incoming, in: transaction) { throw reason }
        }
    }
}

/// The moments of events of ours: after all that is known of their subscriptions.
private struct BoughtClocks {
    private var last: [Subscription.ID: Date]

    init(_ held: [HeldPurchase]) {
        last = held.reduce(into: [:]) { last, held in
            guard let signed = held.lastSignedAt else { return }
            last[held.subscription] = max(last[held.subscription] ?? signed, signed)
        }
    }

    mutating func next(of held: HeldPurchase, at now: Date) -> Date {
        let moment = last[held.subscription].map { max(now, $0.addingTimeInterval(0.001)) } ?? now
        last[held.subscription] = moment
        return moment
    }
}

extension HeldPurchase {
    fileprivate func event(
        _ kind: StoreEvent.Kind,
        id: String,
        signedAt: Date,
        _ change: (inout StoreTransaction) -> Void
    ) -> StoreEvent {
        var transaction = StoreTransaction(
            id: transactionID,
            originalID: originalTransactionID,
            productID: productID,
            kind: .nonRenewing,
            purchasedAt: purchasedAt,
            expiresAt: period.endsAt,
            price: nil
        )
        transaction.startsAt = period.startsAt
        change(&transaction)
        return StoreEvent(
            id: id,
            store: store,
            environment: environment,
            signedAt: signedAt,
            kind: kind,
            transaction: transaction
        )
    }
}
