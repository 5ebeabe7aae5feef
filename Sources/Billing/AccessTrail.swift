import Foundation

/// The stretches of access that a chain has given, while its history is folded.
///
/// A later transaction ends what came before at its own purchase time. What an event ends (a pause, a refund, a charge that
/// failed for good) stays ended: when another event gives access again, a stretch begins at the moment it was signed. What time
/// alone ended goes on without a gap when the store moves the end later (a grace period, an extension).
struct AccessTrail {
    /// In time order, none empty, none overlapping another.
    private var ended: [AccessPeriod] = []
    /// The stretch of the current period, while the state gives access; may be empty.
    private var open: AccessPeriod?
    /// The current period as its transaction told it.
    private var current: AccessPeriod?

    /// In time order, never overlapping.
    var periods: [AccessPeriod] {
        guard let open, !open.isEmpty else { return ended }
        return ended + [open]
    }

    /// Takes note of an event that has brought the subscription from one state to another.
    mutating func follow(_ event: StoreEvent, from before: Subscription, to after: Subscription) {
        guard let transactionID = after.transactionID else { return }
        if transactionID != before.transactionID {
            turn(to: AccessPeriod(event.transaction))
        } else if after.isCurrent(event.transaction) {
            complete(from: event.transaction)
        }
        if after.state.givesAccess {
            run(until: after.accessEndsAt, from: event.signedAt)
        } else {
            let end = after.state == .revoked ? after.endedAt ?? event.signedAt : event.signedAt
            stop(at: min(end, event.signedAt))
        }
    }

    private mutating func turn(to next: AccessPeriod) {
        ended = periods.compactMap { $0.cut(at: next.startsAt) }
        open = next
        current = next
    }

    /// A price or country that an earlier message of the transaction lacked.
    private mutating func complete(from transaction: StoreTransaction) {
        current?.complete(from: transaction)
        open?.complete(from: transaction)
        for index in ended.indices where ended[index].transactionID == transaction.id {
            ended[index].complete(from: transaction)
        }
    }

    private mutating func run(until end: Date?, from moment: Date) {
        if open == nil {
            open = current
            open?.startsAt = max(current?.startsAt ?? moment, moment)
        }
        open?.endsAt = end
    }

    private mutating func stop(at moment: Date) {
        let transactionID = current?.transactionID
        ended = periods.compactMap { $0.transactionID == transactionID ? $0.cut(at: moment) : $0 }
        open = nil
    }
}

extension AccessPeriod {
    fileprivate mutating func complete(from transaction: StoreTransaction) {
        price = price ?? transaction.price
        storefront = storefront ?? transaction.storefront
    }
}
