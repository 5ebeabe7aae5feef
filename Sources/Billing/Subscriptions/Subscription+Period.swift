import Foundation

extension Subscription {
    /// The position of a transaction's period relative to the current one.
    enum PeriodPosition {
        /// No period yet, or a later one than the current.
        case later
        case current
        /// Another period has followed it.
        case earlier
        /// Gives no access by itself (a consumable, a member's seat of the customer's own group).
        case apart
    }

    func periodPosition(of transaction: StoreTransaction) -> PeriodPosition {
        if transaction.kind == .consumable { return .apart }
        guard let transactionID, let periodStartsAt else { return .later }
        if transaction.periodID == transactionID { return .current }
        // We tell of our own purchases in the order in which they were settled; a period may lie ahead of one that begins at once.
        if transaction.startsAt != nil {
            return past.contains { $0.transactionID == transaction.periodID } ? .earlier : .later
        }
        // A seat that somebody was given takes the place of nothing that is paid for.
        if transaction.isAssigned == true, !isFamilyShared, transaction.purchasedAt < periodEndsAt ?? .distantFuture {
            return .apart
        }
        return transaction.purchasedAt >= periodStartsAt ? .later : .earlier
    }

    func isCurrent(_ transaction: StoreTransaction) -> Bool {
        transaction.kind != .consumable && transaction.periodID == transactionID
    }

    /// True if the current period is a free trial, even if its renewal was turned off.
    package var isInTrial: Bool {
        trialStartedAt != nil && trialStartedAt == periodStartsAt
    }

    /// Takes note of a transaction: who bought, since when, and, when it is a later one, its period.
    ///
    /// The account is that of the newest period. An older transaction names it only where no other has: a refund of what somebody else
    /// had bought before gives them nothing of what came after.
    mutating func meet(_ transaction: StoreTransaction) {
        switch periodPosition(of: transaction) {
        case .later:
            customerToken = transaction.customerToken ?? customerToken
            open(transaction)
        case .current:
            customerToken = transaction.customerToken ?? customerToken
            commitment = transaction.commitment ?? commitment
            learnOfTrial(transaction)
            learnOfEnd(transaction)
            learnOfSeats(transaction)
        case .apart:
            customerToken = transaction.customerToken ?? customerToken
            learnOfEnd(transaction)
        case .earlier:
            customerToken = customerToken ?? transaction.customerToken
            startedAt = min(startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
        }
    }

    /// Another transaction of the period may have begun it, and each says how many seats it is of.
    private mutating func learnOfSeats(_ transaction: StoreTransaction) {
        if seats == nil { seats = HeldSeats(transaction) } else { seats?.hear(transaction) }
        guard transaction.seats != nil, let start = periodStartsAt, transaction.purchasedAt < start else { return }
        if trialStartedAt == start { trialStartedAt = transaction.purchasedAt }
        periodStartsAt = transaction.purchasedAt
        startedAt = min(startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
    }

    /// Takes over the end of a purchase that does not renew, where a receipt did not name it.
    private mutating func learnOfEnd(_ transaction: StoreTransaction) {
        guard isCurrent(transaction), transaction.kind == .nonRenewing else { return }
        periodEndsAt = periodEndsAt ?? transaction.expiresAt
    }

    /// Marks the current period as free, if the message that opened it did not say so.
    private mutating func learnOfTrial(_ transaction: StoreTransaction) {
        guard transaction.offer?.isFreeTrial == true, !isInTrial else { return }
        trialStartedAt = periodStartsAt
        trialEndsAt = periodEndsAt
        switch state {
        case .active: state = runningState
        case .pending, .trial, .gracePeriod, .billingRetry, .cancelled, .paused, .expired, .trialExpired, .revoked:
            return
        }
    }

    /// Takes over what the store says about the next renewal. A subscription that runs is cancelled when it says that
    /// there will be none, and no longer cancelled when it says that there will.
    mutating func follow(_ event: StoreEvent) {
        guard event.transaction.kind == .autoRenewable else { return }
        if isCurrent(event.transaction) { followCommitment(event) }
        guard let terms = event.renewal else { return }
        followRenewal(event, terms)
        if terms.isPartial != true { seats?.next = terms.seats }
        nextProductID = terms.nextProductID == productID ? nil : terms.nextProductID
        if state == .gracePeriod { gracePeriodEndsAt = terms.gracePeriodEndsAt ?? gracePeriodEndsAt }
        switch state {
        case .expired, .trialExpired:
            // Off because it ended is not off because the customer wished so.
            renewsAutomatically = terms.renewsAutomatically ?? renewsAutomatically
            endReason = terms.expirationReason ?? endReason
        case .pending, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused, .revoked:
            guard let renews = terms.renewsAutomatically else { return }
            // The billing of the next month does not mean that anything follows the last one.
            if renews, commitment != nil, commitmentCancelledAt != nil, !isBound { return }
            setRenewal(renews, at: event.signedAt)
        }
    }

    /// Turns renewal on or off; what is paid for stays.
    ///
    /// In a commitment the wish is for the time after all of its periods; until then each of them is billed.
    mutating func setRenewal(_ isOn: Bool, at moment: Date) {
        if isBound {
            if !isOn { commitmentCancelledAt = commitmentCancelledAt ?? moment }
            return
        }
        renewsAutomatically = isOn
        cancelledAt = isOn ? nil : cancelledAt ?? moment
        switch state {
        case .trial, .active, .cancelled: state = runningState
        case .pending, .gracePeriod, .billingRetry, .paused, .expired, .trialExpired, .revoked: break
        }
    }

    /// Back to the current period, whose end is unchanged.
    mutating func reopen() {
        gracePeriodEndsAt = nil
        endedAt = nil
        endReason = nil
        state = runningState
    }

    private mutating func open(_ transaction: StoreTransaction) {
        if let start = transaction.startsAt { keepPeriod(until: start) }
        accessStartsAt = nil
        productID = transaction.productID
        transactionID = transaction.periodID
        startedAt = min(startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
        periodStartsAt = transaction.periodStartsAt
        periodEndsAt = transaction.expiresAt
        isFamilyShared = transaction.isShared
        isAssigned = transaction.isAssigned == true
        seats = isFamilyShared ? nil : HeldSeats(transaction)
        renewsAutomatically = transaction.kind == .autoRenewable
        nextProductID = nil
        renewalPrice = nil
        nextRenewal = NextRenewal()
        cancelledAt = nil
        bind(to: transaction.commitment)
        if transaction.offer?.isFreeTrial == true {
            trialStartedAt = transaction.purchasedAt
            trialEndsAt = transaction.expiresAt
        }
        reopen()
    }

    /// A cancellation at the end of a commitment holds in each of its periods; in the last one it ends the subscription.
    private mutating func bind(to next: Commitment?) {
        if let commitment, let next, next.continues(commitment) {
            self.commitment = next
        } else {
            (commitment, commitmentCancelledAt) = (next, nil)
        }
        guard commitment != nil, let commitmentCancelledAt, !isBound else { return }
        renewsAutomatically = false
        cancelledAt = commitmentCancelledAt
    }

    private var runningState: State {
        if cancelledAt != nil { return .cancelled }
        return isInTrial ? .trial : .active
    }
}
