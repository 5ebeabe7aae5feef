extension Subscription {
    /// Decides what an event means. Events are offered in signed order; a refused one leaves the subscription as it was.
    ///
    /// An event about a transaction newer than the current period's opens that period first, whatever its kind: when the
    /// message that sold it was lost, the customer still has what they paid for. An event about an older transaction
    /// never touches the current period.
    package mutating func apply(_ event: StoreEvent) throws(TransitionRefused) -> [Effect] {
        try event.requirePossible()
        guard event.signedAt >= lastSignedAt ?? event.signedAt else {
            throw TransitionRefused(.outOfOrder, "A later event has been applied already.", of: event)
        }
        var next = self
        var effects = try next.take(event)
        effects += next.agree(with: event)
        if let refund = Effect.Refund(ofSeatsIn: event) { effects.append(.refunded(refund)) }
        if event.transaction.startsAt != nil { next.noteAccessStart(at: event.signedAt) }
        next.appTransactionID = event.transaction.appTransactionID ?? appTransactionID
        next.lastSignedAt = event.signedAt
        self = next
        return effects
    }

    private mutating func take(_ event: StoreEvent) throws(TransitionRefused) -> [Effect] {
        if event.kind != .informational { meet(event.transaction) }
        switch event.kind {
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .offerRedeemed, .purchasedOnce, .observed,
            .seatsChanged:
            follow(event)
            return event.charge
        case .downgradeScheduled, .priceIncreasePending, .priceIncreaseAccepted, .refundDeclined, .refundRequested,
            .renewalExtensionFailed, .seatsRefunded:
            follow(event)
        case .planChangeCancelled:
            follow(event)
            nextProductID = nil
        case .autoRenewEnabled:
            follow(event)
            setRenewal(true, at: event.signedAt)
        case .autoRenewDisabled:
            follow(event)
            setRenewal(false, at: event.signedAt)
        case .gracePeriodEntered:
            fail(into: .gracePeriod, event)
            follow(event)
            if isCurrent(event.transaction) { keepGracePeriodOpen(after: event) }
        case .billingRetryEntered, .gracePeriodExpired:
            fail(into: .billingRetry, event)
            follow(event)
            if isCurrent(event.transaction) { endGracePeriod(at: event.signedAt) }
        case .expired:
            lapse(event)
            follow(event)
        case .paused:
            try pause(event)
            follow(event)
        case .resumed:
            try resume(event)
            follow(event)
        case .renewalExtended:
            try extend(event)
            follow(event)
        case .periodMoved:
            move(event.transaction)
            follow(event)
        case .refunded:
            revoke(event)
            follow(event)
            return Effect.Refund(event).map { [.refunded($0)] } ?? []
        case .refundReversed:
            reinstate(event)
            follow(event)
            return [.refundReversed(Effect.Reversal(event))]
        case .revoked:
            revoke(event)
            follow(event)
        case .informational:
            // A change of price, of metadata or of the chain says what comes next.
            if isCurrent(event.transaction) { follow(event) }
        }
        return []
    }

    // MARK: A charge failed

    /// The paid period stays until its end, even if the store fails to charge for the next one before it. After the subscription has ended
    /// nothing more can fail: the message changes nothing.
    private mutating func fail(into failed: State, _ event: StoreEvent) {
        guard isCurrent(event.transaction) else { return }
        switch state {
        case .pending, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused:
            state = isPaidFor(at: event.signedAt) ? .gracePeriod : failed
        case .expired, .trialExpired, .revoked: return
        }
    }

    // MARK: Ends

    mutating func lapse(_ event: StoreEvent) {
        guard isCurrent(event.transaction) else { return }
        switch state {
        case .trial: state = .trialExpired
        case .cancelled:
            state = .expired
            endReason = .cancelled
        case .pending, .active, .gracePeriod, .billingRetry, .paused: state = .expired
        case .expired, .trialExpired, .revoked: return
        }
        endedAt = min(gracePeriodEndsAt ?? periodEndsAt ?? event.signedAt, event.signedAt)
    }

    /// If several transactions paid for the period, only the end of all of them ends it.
    ///
    /// - Parameter isWhole: true if the store says so of the subscription, and not of a transaction.
    mutating func revoke(_ event: StoreEvent, isWhole: Bool = false) {
        guard event.transaction.revocation?.keepsAccess != true else { return }
        let end = event.transaction.revocation?.at ?? event.signedAt
        guard isCurrent(event.transaction) else { return endPast(event.transaction.periodID, at: end) }
        if isWhole { seats?.settle(areTakenBack: true) } else { seats?.takeBack(event.transaction.id) }
        if let seats, seats.stands { return }
        if fallBack(at: min(end, event.signedAt), ending: end) { return }
        state = .revoked
        endedAt = min(endedAt ?? end, end)
    }

    private mutating func reinstate(_ event: StoreEvent) {
        guard isCurrent(event.transaction) else { return }
        seats?.giveBack(event.transaction.id)
        if state == .revoked { reopen() }
    }

    // MARK: Pauses and extensions

    private mutating func pause(_ event: StoreEvent) throws(TransitionRefused) {
        guard isCurrent(event.transaction) else { return }
        switch state {
        case .pending, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused:
            state = .paused
        case .expired, .trialExpired, .revoked:
            throw TransitionRefused(
                .alreadyEnded,
                "Nothing can be paused: the subscription had ended (\(state)) before.",
                of: event
            )
        }
    }

    private mutating func resume(_ event: StoreEvent) throws(TransitionRefused) {
        guard isCurrent(event.transaction) else { return }
        switch state {
        case .paused: reopen()
        case .pending, .trial, .active, .gracePeriod, .billingRetry, .cancelled: return
        case .expired, .trialExpired, .revoked:
            throw TransitionRefused(
                .alreadyEnded,
                "Nothing can be resumed: the subscription had ended (\(state)) before.",
                of: event
            )
        }
    }

    private mutating func extend(_ event: StoreEvent) throws(TransitionRefused) {
        guard isCurrent(event.transaction), let end = event.transaction.expiresAt, let periodEndsAt else { return }
        guard end >= periodEndsAt else {
            throw TransitionRefused(.extensionShortens, "The extension would shorten the period.", of: event)
        }
        if isInTrial { trialEndsAt = end }
        self.periodEndsAt = end
        guard end > event.signedAt else { return }
        switch state {
        case .gracePeriod, .billingRetry, .expired, .trialExpired: reopen()
        case .pending, .trial, .active, .cancelled, .paused, .revoked: return
        }
    }
}

extension StoreEvent {
    fileprivate var charge: [Effect] {
        guard
            let kind = kind.chargeKind(reason: transaction.reason), let charge = Effect.Charge(self, as: kind)
        else { return [] }
        return [.charged(charge)]
    }
}
