import Billing
import Storage

// The store has reported one transaction under two original ids (Apple documents that for MIGRATION alone). The order stays with the
// subscription that had it first; the other one gives access, and the store's refunds reach the order through either.

extension BackOffice {
    /// Passes an event's refund on to the subscription that has the order of its transaction.
    func passOn(
        _ incoming: IncomingEvent,
        among settled: [StoreEvent],
        in transaction: WriteTransaction
    ) async throws {
        guard let event = settled.first(where: { $0.id == incoming.event.id }),
            event.transaction.isBookedElsewhere == true,
            event.transaction.revocation != nil || event.transaction.seats?.refundedAt != nil
                || event.kind.isAboutRefund,
            let original = try await transaction.subscriptions.originalID(ofOrderOf: event.transaction.id, incoming)
        else { return }
        let passedOn = IncomingEvent(
            app: incoming.app,
            event: incoming.event.told(of: original),
            origin: .reconciliation(nil)
        )
        _ = try await apply(passedOn, in: transaction)
    }
}

extension StoreEvent.Kind {
    fileprivate var isAboutRefund: Bool { self == .refunded || self == .seatsRefunded || self == .refundReversed }
}

extension StoreEvent {
    /// The event as one of another original's subscription, reduced to its transaction's money: without the customer and without the next
    /// renewal.
    fileprivate func told(of originalID: String) -> StoreEvent {
        var event = self
        event.id = "passed-on:" + id
        if !kind.isAboutRefund { event.kind = .observed }
        event.transaction.originalID = originalID
        event.transaction.previousOriginalID = nil
        event.transaction.isBookedElsewhere = nil
        event.transaction.customerToken = nil
        event.transaction.appTransactionID = nil
        event.renewal = nil
        event.status = nil
        return event
    }
}
