import Billing
import Storage

// The store has told of one transaction under two original ids (Apple documents that for MIGRATION alone). The order stays with the
// subscription that had it first; the other gives access, and what the store takes back reaches the order through either.

extension BackOffice {
    /// Tells the subscription that has the order of an event's transaction what the event says of the money.
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
    /// What the event says of its transaction's money, to the subscription of another original: nothing of whose it is, and nothing
    /// of what comes next.
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
