package import Foundation

extension StoreEvent {
    /// The next end of a subscription that time alone has brought and no store has reported (product.md, decision 14): the end of a paid
    /// period, of a free trial, of a grace period, of a store's billing retries.
    ///
    /// Its id is the same whoever makes it. Paid periods and grace periods of a renewing subscription wait `Subscription.renewalDelay` for
    /// the store's message first.
    ///
    /// - Parameters:
    ///   - last: the latest event of its current transaction.
    ///   - now: an end that is due later is not reported.
    /// - Returns: nil if there is no end that the subscription's state does not tell already.
    package static func lapse(
        of subscription: Subscription,
        _ id: Subscription.ID,
        after last: StoreEvent,
        at now: Date
    ) -> StoreEvent? {
        guard let lapse = subscription.nextLapse, lapse.dueAt <= now else { return nil }
        return StoreEvent(
            id: "clock:\(id.description.lowercased()):\(lapse.kind.rawValue):\(lapse.endsAt.milliseconds)",
            store: last.store,
            environment: last.environment,
            // After what was told of it, so that it ends what is known; never in the future.
            signedAt: min(max(lapse.endsAt, subscription.lastSignedAt ?? lapse.endsAt), now),
            kind: lapse.kind,
            transaction: last.transaction,
            isByClock: true
        )
    }
}

extension Subscription {
    /// The time, in seconds, to wait after the end of a renewing period for the store's message, which may be under way. The entitlement
    /// ends without waiting.
    package static let renewalDelay: TimeInterval = 3_600

    /// An end that comes by time alone.
    struct Lapse: Hashable, Sendable {
        var endsAt: Date
        var kind: StoreEvent.Kind
        /// The time at which the clock reports it.
        var dueAt: Date
    }

    /// The end that comes next if no further event comes; nil for what has ended, and for what never does.
    var nextLapse: Lapse? {
        switch state {
        case .trial, .active, .cancelled:
            return periodEndsAt.map { Lapse(endsAt: $0, kind: .expired, dueAt: due($0)) }
        case .gracePeriod:
            guard let end = accessEndsAt else { return nil }
            let isLast = lastingState(at: end) == .expired
            return Lapse(endsAt: end, kind: isLast ? .expired : .gracePeriodExpired, dueAt: due(end))
        case .billingRetry: return retryEndsAt.map { Lapse(endsAt: $0, kind: .expired, dueAt: $0) }
        case .pending, .paused, .expired, .trialExpired, .revoked: return nil
        }
    }

    private func due(_ end: Date) -> Date {
        renewsAutomatically ? end.addingTimeInterval(Self.renewalDelay) : end
    }
}
