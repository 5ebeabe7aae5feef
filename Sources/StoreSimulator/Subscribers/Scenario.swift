/// A history that one customer surely has early on, so that even a small crowd shows every kind.
enum Scenario: CaseIterable, Sendable {
    case trialConverted
    case trialAbandoned
    case graceRecovered
    case graceThenRetryRecovered
    case graceThenLost
    case retryRecovered
    case retryLost
    case cancelled
    case cancelledAndReturned
    case reEnabled
    case upgraded
    case downgraded
    case changeTakenBack
    case refundedFully
    case refundedInPart
    case refundedForThePast
    case refundDeclined
    case refundReversed
    case priceAccepted
    case priceRefused
    case extended
    case extensionFailed
    case offerRedeemed
    case productWithdrawn
    case endedOtherwise
    case familyLeft
    case sandboxTester

    var startsWithTrial: Bool? {
        switch self {
        case .trialConverted, .trialAbandoned: true
        case .graceRecovered, .graceThenRetryRecovered, .graceThenLost, .retryRecovered, .retryLost, .cancelled,
            .cancelledAndReturned, .reEnabled, .upgraded, .downgraded, .changeTakenBack, .refundedFully,
            .refundedInPart, .refundedForThePast, .refundDeclined, .refundReversed, .priceAccepted, .priceRefused,
            .extended, .extensionFailed, .offerRedeemed, .productWithdrawn, .endedOtherwise, .familyLeft,
            .sandboxTester:
            false
        }
    }
}

/// An event within one period, apart from the period's end.
enum PeriodEvent: Sendable {
    case nothing
    case cancellation
    case cancellationTakenBack
    case upgrade
    case downgrade
    case downgradeTakenBack
    case refund(Refund)
    case priceIncrease(accepted: Bool)
    case extended
    case extensionFailed
    case offerRedeemed

    enum Refund: Sendable {
        case full
        case prorated
        /// A refund of the period before this one.
        case past
        case declined
        case reversed
    }
}

/// The outcome of a period that is to renew.
enum RenewalOutcome: Sendable {
    case paid
    case failed(grace: Grace)
    case productWithdrawn
    case other

    /// The outcome of a failed charge, with or without a grace period.
    enum Grace: Sendable {
        case recovered
        case thenRetryRecovered
        case thenLost
        case noneRetryRecovered
        case noneLost
    }
}
