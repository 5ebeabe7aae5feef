import Foundation

/// The stretches of access that a subscription has given, while its history is folded.
///
/// A later transaction ends what came before at its own purchase time. What an event ends (a pause, a refund, a charge
/// that failed for good) stays ended: when another event gives access again, a stretch begins at the moment it was
/// signed. What time alone ended goes on without a gap when the store moves the end later (a grace period, an
/// extension).
struct AccessIntervalBuilder {
    /// In time order, none empty, none overlapping another.
    private var ended: [AccessPeriod] = []
    /// The stretch of the current period, while the state gives access; may be empty.
    private var open: AccessPeriod?
    /// The current period, as its transaction states it.
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
            if event.transaction.periodID == before.transactionID {
                turnBack(to: transactionID)
            } else {
                let isRecovered = event.kind == .recovered
                turn(to: AccessPeriod(event.transaction, recoveredAfter: isRecovered ? before.periodEndsAt : nil))
            }
        } else {
            beginEarlier(with: event.transaction)
            complete(from: event.transaction)
            move(from: before, to: after)
        }
        note(event, isReinstated: before.state == .revoked && after.state != .revoked)
        if after.state.givesAccess {
            run(until: after.accessEndsAt, from: event.signedAt)
        } else {
            let end = after.state == .revoked ? after.endedAt ?? event.signedAt : event.signedAt
            stop(
                at: min(end, event.signedAt),
                by: AccessPeriod.Ending(event, after.state),
                isWhole: event.kind == .expired && event.transaction.isUpgraded == true
            )
        }
    }

    private mutating func turn(to next: AccessPeriod) {
        ended = periods.compactMap { $0.cut(at: next.startsAt) }
        open = next
        current = next
    }

    /// The period that was bought ahead was taken back before it began: the one before it is current again.
    private mutating func turnBack(to transactionID: String) {
        guard let index = ended.lastIndex(where: { $0.transactionID == transactionID }) else { return }
        open = ended.remove(at: index)
        current = open
    }

    /// Of a period that several transactions paid for, the first may be told after the others.
    private mutating func beginEarlier(with transaction: StoreTransaction) {
        guard let known = current, known.transactionID == transaction.id, transaction.purchasedAt < known.startsAt,
            transaction.seats != nil
        else { return }
        let first = AccessPeriod(transaction)
        current?.begin(as: first)
        if open?.startsAt == known.startsAt { open?.begin(as: first) }
        for index in ended.indices where ended[index].startsAt == known.startsAt { ended[index].begin(as: first) }
    }

    /// A price or country that earlier messages of a transaction lacked, also of one that others have followed.
    private mutating func complete(from transaction: StoreTransaction) {
        if current?.transactionID == transaction.id { current?.complete(from: transaction) }
        if open?.transactionID == transaction.id { open?.complete(from: transaction) }
        for index in ended.indices where ended[index].transactionID == transaction.id {
            ended[index].complete(from: transaction)
        }
    }

    /// Periods that were bought at our own checkout end, or begin earlier, when one of them is given back.
    private mutating func move(from before: Subscription, to after: Subscription) {
        for period in after.past {
            guard let known = before.past.first(where: { $0.transactionID == period.transactionID }), known != period
            else { continue }
            ended = ended.compactMap { stretch -> AccessPeriod? in
                guard stretch.transactionID == period.transactionID else { return stretch }
                guard period.startsAt == known.startsAt else {
                    return stretch.moved(to: period.startsAt, period.endsAt)
                }
                guard var rest = stretch.cut(at: period.endsAt) else { return nil }
                if rest.endsAt != stretch.endsAt { rest.ending = .refunded }
                return rest
            }
        }
        guard let start = after.periodStartsAt, let known = before.periodStartsAt, start != known,
            current?.startsAt == known, let end = after.periodEndsAt
        else { return }
        current = current?.moved(to: start, end)
        open = open?.moved(to: start, end)
    }

    /// Notes the full refund of a transaction, also one of an earlier period, or its reversal.
    private mutating func note(_ event: StoreEvent, isReinstated: Bool) {
        let transaction = event.transaction
        if event.kind == .refundReversed || isReinstated {
            mark(transaction.id, refundedAt: nil)
        } else if event.kind == .refunded || event.saysThatItWasTakenBack {
            let isFull = transaction.revocation?.isFull ?? true
            mark(transaction.id, refundedAt: isFull ? transaction.revocation?.at ?? event.signedAt : nil)
        }
    }

    private mutating func mark(_ transactionID: String, refundedAt moment: Date?) {
        if current?.transactionID == transactionID { current?.refundedAt = moment }
        if open?.transactionID == transactionID { open?.refundedAt = moment }
        for index in ended.indices where ended[index].transactionID == transactionID {
            ended[index].refundedAt = moment
        }
    }

    private mutating func run(until end: Date?, from moment: Date) {
        if open == nil {
            open = current
            open?.startsAt = max(current?.startsAt ?? moment, moment)
        }
        open?.endsAt = end
    }

    /// - Parameter isWhole: true if it ends the periods before the current one, too, which may have been bought ahead.
    private mutating func stop(at moment: Date, by ending: AccessPeriod.Ending?, isWhole: Bool) {
        let transactionID = current?.transactionID
        ended = periods.compactMap { period in
            let isStopped = isWhole || period.transactionID == transactionID
            guard isStopped, var rest = period.cut(at: moment) else { return isStopped ? nil : period }
            let isCutShort = rest.endsAt != period.endsAt
            if isCutShort || (ending == .unpaid && rest.ending == nil) { rest.ending = ending }
            return rest
        }
        open = nil
    }
}

extension AccessPeriod.Ending {
    /// The way in which an event that left the subscription in `state` ended its transaction's access; nil for a mere lapse.
    fileprivate init?(_ event: StoreEvent, _ state: Subscription.State) {
        switch state {
        // A purchase that was taken away without money is found by asking, too.
        case .revoked:
            let isUnpaid = event.kind == .observed && event.transaction.revocation == nil
            self = event.kind == .revoked || isUnpaid ? .revoked : .refunded
        case .paused: self = .paused
        case .billingRetry: self = .unpaid
        case .pending, .trial, .active, .gracePeriod, .cancelled, .expired, .trialExpired: return nil
        }
    }
}

extension StoreEvent {
    /// True if a message about something else reports a refund.
    fileprivate var saysThatItWasTakenBack: Bool {
        transaction.revocation != nil && kind != .revoked && kind != .informational
    }
}

extension StoreTransaction.Revocation {
    /// True if the whole charge was refunded.
    fileprivate var isFull: Bool { share >= 100_000 }
}

extension AccessPeriod {
    fileprivate func moved(to start: Date, _ end: Date) -> AccessPeriod? {
        var moved = self
        (moved.startsAt, moved.endsAt) = (start, end)
        return moved
    }

    fileprivate mutating func begin(as first: AccessPeriod) { (startsAt, length) = (first.startsAt, first.length) }

    fileprivate mutating func complete(from transaction: StoreTransaction) {
        price = price ?? transaction.periodPrice
        isTrial = isTrial || transaction.offer?.isFreeTrial == true
        storefront = storefront ?? transaction.storefront
    }
}
