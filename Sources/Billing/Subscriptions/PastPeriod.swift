import Foundation

/// A period of a purchase at our own checkout that another one has followed. It may still run: the current one was bought ahead.
struct PastPeriod: Hashable, Sendable {
    var transactionID: String
    var productID: String
    var startsAt: Date
    /// Earlier than it was sold if an upgrade or a refund has ended it.
    var endsAt: Date
}

extension Subscription {
    /// Keeps the current period beside those before it, none of which goes on once the next one begins.
    mutating func keepPeriod(until start: Date) {
        if let period = currentPeriod { past.append(period) }
        for index in past.indices { past[index].endsAt = min(past[index].endsAt, start) }
    }

    /// Ends one of the periods before the current one.
    mutating func endPast(_ transactionID: String, at moment: Date) {
        for index in past.indices where past[index].transactionID == transactionID {
            past[index].endsAt = min(past[index].endsAt, moment)
        }
    }

    /// Moves a period that was bought at our own checkout, and keeps its state.
    mutating func move(_ transaction: StoreTransaction) {
        guard let start = transaction.startsAt, let end = transaction.expiresAt else { return }
        if isCurrent(transaction) { (periodStartsAt, periodEndsAt) = (start, end) }
        for index in past.indices where past[index].transactionID == transaction.periodID {
            (past[index].startsAt, past[index].endsAt) = (start, end)
        }
    }

    /// Goes back to the period before the current one, which was bought ahead and is taken back. One that was taken back before has no
    /// length left.
    ///
    /// - Parameters:
    ///   - moment: the time of the message: a period that begins where the running one ends is taken back before it began.
    ///   - end: the current period's end by it.
    /// - Returns: false where no other goes on after that moment.
    mutating func fallBack(at moment: Date, ending end: Date) -> Bool {
        guard let index = past.lastIndex(where: { $0.endsAt > moment && $0.endsAt > $0.startsAt }) else { return false }
        let before = past.remove(at: index)
        if var gone = currentPeriod {
            gone.endsAt = min(gone.endsAt, end)
            past.append(gone)
        }
        (transactionID, productID) = (before.transactionID, before.productID)
        (periodStartsAt, periodEndsAt) = (before.startsAt, before.endsAt)
        reopen()
        return true
    }

    /// Follows the periods back to the start of unbroken access: from the current one, or from one before it that still runs, so that a gap
    /// ahead takes away nothing of what runs.
    ///
    /// - Parameter moment: the time of the event.
    mutating func noteAccessStart(at moment: Date) {
        guard let current = periodStartsAt else {
            accessStartsAt = nil
            return
        }
        let running = past.filter { $0.startsAt <= moment && $0.endsAt > moment }.map(\.startsAt)
        var start = running.reduce(current, min)
        while let before = past.first(where: { $0.startsAt < start && $0.endsAt >= start }) { start = before.startsAt }
        accessStartsAt = start
    }

    private var currentPeriod: PastPeriod? {
        guard let transactionID, let productID, let periodStartsAt, let periodEndsAt else { return nil }
        return PastPeriod(
            transactionID: transactionID,
            productID: productID,
            startsAt: periodStartsAt,
            endsAt: min(periodEndsAt, endedAt ?? periodEndsAt)
        )
    }
}
