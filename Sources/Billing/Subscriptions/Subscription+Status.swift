import Foundation

/// The status that a message reports beside its event. Earlier messages may never have come: their effect follows from the transaction's
/// revocation and end, the renewal's grace period, and the store's own status.
extension Subscription {
    /// Brings the subscription into the status that the store reports.
    ///
    /// - Returns: the refund or the reversal that no message of its own has reported.
    mutating func agree(with event: StoreEvent) -> [Effect] {
        switch event.kind {
        case .informational, .refunded, .refundReversed, .revoked: return []
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .seatsChanged, .seatsRefunded, .gracePeriodEntered,
            .billingRetryEntered,
            .gracePeriodExpired, .expired, .priceIncreasePending, .priceIncreaseAccepted, .refundDeclined,
            .refundRequested, .renewalExtended, .renewalExtensionFailed, .purchasedOnce, .paused, .resumed, .observed,
            .periodMoved:
            break
        }
        if let revocation = event.transaction.revocation {
            let refund: [Effect] = Effect.Refund(event, inPassing: true).map { [.refunded($0)] } ?? []
            guard revocation.keepsAccess == true else {
                revoke(event)
                return refund
            }
            return refund + stand(by: event)
        }
        return stand(by: event)
    }

    private mutating func stand(by event: StoreEvent) -> [Effect] {
        guard isCurrent(event.transaction), event.transaction.kind == .autoRenewable else { return [] }
        moveEnd(to: event)
        switch event.status {
        // As long as the period runs the store calls it active, also while its next charge fails.
        case .active: return event.kind.saysThatChargeFailed ? [] : resume(event)
        case .expired: lapseIfOver(event)
        case .billingRetry: retry(event)
        case .gracePeriod: enterGracePeriod(event)
        case .revoked: revoke(event, isWhole: true)
        case nil: break
        }
        return []
    }

    /// True if the paid period continues after a moment; never for one without end.
    func isPaidFor(at moment: Date) -> Bool {
        periodEndsAt.map { $0 > moment } ?? false
    }

    /// An extension of which no message has told moved the end of the same transaction later.
    private mutating func moveEnd(to event: StoreEvent) {
        let ends = [event.transaction.expiresAt, event.status == .active ? event.renewal?.renewsAt : nil]
        guard let periodEndsAt, let end = ends.compactMap(\.self).max(), end > periodEndsAt else { return }
        if isInTrial { trialEndsAt = end }
        self.periodEndsAt = end
    }

    private mutating func resume(_ event: StoreEvent) -> [Effect] {
        switch state {
        case .pending, .trial, .active, .cancelled: return []
        case .gracePeriod, .billingRetry, .paused, .expired, .trialExpired:
            if isPaidFor(at: event.signedAt) { reopen() }
            return []
        case .revoked:
            seats?.giveBack(event.transaction.id)
            reopen()
            // Access came back, the money did not.
            guard event.transaction.revocation == nil else { return [] }
            return [.refundReversed(Effect.Reversal(event, inPassing: true))]
        }
    }

    /// By the store's account it is over. Where its own end has come before the one that was told, what was put off was taken away, and no
    /// message of that came (Google: revoked after a deferral).
    private mutating func lapseIfOver(_ event: StoreEvent) {
        guard isPaidFor(at: event.signedAt) else {
            lapse(event)
            endReason = event.renewal?.expirationReason ?? endReason
            return
        }
        guard let end = event.transaction.expiresAt, end <= event.signedAt else { return }
        state = .revoked
        endedAt = min(endedAt ?? end, end)
    }

    private mutating func retry(_ event: StoreEvent) {
        switch state {
        case .pending, .trial, .active, .gracePeriod, .cancelled, .paused:
            state = isPaidFor(at: event.signedAt) ? .gracePeriod : .billingRetry
            endGracePeriod(at: event.signedAt)
        case .billingRetry, .expired, .trialExpired, .revoked: return
        }
    }

    /// The store says that access goes on and not until when, as Apple has done: it goes on until something says otherwise, as long as
    /// a grace period can last after what was paid for.
    mutating func keepGracePeriodOpen(after event: StoreEvent) {
        // A commitment has no grace period.
        guard state == .gracePeriod, commitment == nil, event.renewal?.gracePeriodEndsAt == nil,
            let longest = longestGraceEnd,
            longest > event.signedAt, gracePeriodEndsAt ?? .distantPast <= event.signedAt
        else { return }
        gracePeriodEndsAt = longest
    }

    /// A grace period that the store has ended ends then, whatever was known of its end.
    mutating func endGracePeriod(at moment: Date) {
        guard state == .billingRetry, let end = gracePeriodEndsAt, end > moment else { return }
        gracePeriodEndsAt = moment
    }

    private var longestGraceEnd: Date? { periodEndsAt?.addingTimeInterval(Subscription.longestGracePeriod) }

    private mutating func enterGracePeriod(_ event: StoreEvent) {
        let end = event.renewal?.gracePeriodEndsAt
        switch state {
        case .pending, .trial, .active, .cancelled, .paused: state = .gracePeriod
        case .gracePeriod: break
        case .billingRetry where end == nil && longestGraceEnd ?? .distantPast > event.signedAt:
            // The store's own word for it is that access goes on.
            state = .gracePeriod
        case .billingRetry, .expired, .trialExpired:
            // An ended subscription continues only until a moment that the store names.
            guard let end, end > event.signedAt else { return }
            endedAt = nil
            endReason = nil
            state = .gracePeriod
        case .revoked: return
        }
        gracePeriodEndsAt = end ?? gracePeriodEndsAt
        keepGracePeriodOpen(after: event)
    }
}
