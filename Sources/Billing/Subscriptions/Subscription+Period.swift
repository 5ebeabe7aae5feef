import Foundation

extension Subscription {
    /// Where the period of a transaction lies, seen from the current period.
    enum PeriodPosition {
        /// No period yet, or a later one than the current.
        case later
        case current
        /// Its period was followed by another.
        case earlier
        /// Gives no access by itself (a consumable).
        case apart
    }

    func periodPosition(of transaction: StoreTransaction) -> PeriodPosition {
        if transaction.kind == .consumable { return .apart }
        guard let transactionID, let periodStartsAt else { return .later }
        if transaction.id == transactionID { return .current }
        return transaction.purchasedAt >= periodStartsAt ? .later : .earlier
    }

    func isCurrent(_ transaction: StoreTransaction) -> Bool {
        transaction.kind != .consumable && transaction.id == transactionID
    }

    /// Whether the current period is a free trial, also when its renewal was turned off.
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
        case .current, .apart:
            customerToken = transaction.customerToken ?? customerToken
            // A receipt did not say that it ends.
            if isCurrent(transaction), transaction.kind == .nonRenewing {
                periodEndsAt = periodEndsAt ?? transaction.expiresAt
            }
        case .earlier:
            customerToken = customerToken ?? transaction.customerToken
            startedAt = min(startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
        }
    }

    /// Takes over what the store says about the next renewal. A subscription that runs is cancelled when it says that
    /// there will be none, and no longer cancelled when it says that there will.
    mutating func follow(_ event: StoreEvent) {
        guard event.transaction.kind == .autoRenewable, let terms = event.renewal else { return }
        renewalPrice = terms.renewalPrice
        nextProductID = terms.nextProductID == productID ? nil : terms.nextProductID
        if state == .gracePeriod { gracePeriodEndsAt = terms.gracePeriodEndsAt ?? gracePeriodEndsAt }
        switch state {
        case .expired, .trialExpired:
            // Off because it ended is not off because the customer wished so.
            renewsAutomatically = terms.renewsAutomatically ?? renewsAutomatically
            endReason = terms.expirationReason ?? endReason
        case .pending, .trial, .active, .gracePeriod, .billingRetry, .cancelled, .paused, .revoked:
            guard let renews = terms.renewsAutomatically else { return }
            setRenewal(renews, at: event.signedAt)
        }
    }

    /// Turns renewal on or off; what is paid for stays.
    mutating func setRenewal(_ isOn: Bool, at moment: Date) {
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
        productID = transaction.productID
        transactionID = transaction.id
        startedAt = min(startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
        periodStartsAt = transaction.purchasedAt
        periodEndsAt = transaction.expiresAt
        isFamilyShared = transaction.isFamilyShared
        renewsAutomatically = transaction.kind == .autoRenewable
        nextProductID = nil
        renewalPrice = nil
        cancelledAt = nil
        if transaction.offer?.isFreeTrial == true {
            trialStartedAt = transaction.purchasedAt
            trialEndsAt = transaction.expiresAt
        }
        reopen()
    }

    private var runningState: State {
        if cancelledAt != nil { return .cancelled }
        return isInTrial ? .trial : .active
    }
}
