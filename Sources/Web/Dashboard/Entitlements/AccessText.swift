import Billing
import Storage

/// Why somebody gained or lost access, and whose doing it was, in words.
enum AccessText {
    static func name(of direction: AccessFilter.Direction, _ words: Words) -> StaticString {
        switch direction {
        case .gained: words.numbersAccessGainedAtAll
        case .lost: words.numbersAccessLost
        case .moved: words.numbersAccessMoved
        }
    }

    static func name(of cause: EntitlementChange.Cause, _ words: Words) -> StaticString {
        switch cause {
        case .bought: words.numbersCauseBought
        case .trial: words.numbersCauseTrial
        case .shared: words.numbersCauseShared
        case .resumed: words.numbersCauseResumed
        case .restored: words.numbersCauseRestored
        case .granted: words.numbersCauseGranted
        case .expired: words.numbersCauseExpired
        case .trialEnded: words.numbersCauseTrialEnded
        case .unpaid: words.numbersCauseUnpaid
        case .paused: words.numbersCausePaused
        case .refunded: words.numbersCauseRefunded
        case .revoked: words.numbersCauseRevoked
        case .suspended: words.numbersCauseSuspended
        case .grantEnded: words.numbersCauseGrantEnded
        case .withdrawn: words.numbersCauseWithdrawn
        }
    }

    /// The customer, the store, somebody of staff, or nobody but time.
    static func doer(of row: AccessList.Row, _ words: Words) -> String {
        switch row.cause {
        case .bought, .trial, .shared: words.numbersDoerCustomer.description
        case .resumed, .unpaid, .paused, .refunded, .revoked:
            (row.store.map { StoreText.name(of: $0, words) } ?? words.numbersDoerTime).description
        case .expired, .trialEnded, .grantEnded: words.numbersDoerTime.description
        case .restored, .granted, .suspended, .withdrawn: row.staff ?? words.numbersDoerStaff.description
        }
    }
}
