import Billing
import Storage

/// Why somebody gained or lost access, and whose doing it was, in words.
enum AccessText {
    static func name(of direction: AccessFilter.Direction, _ strings: Strings) -> StaticString {
        switch direction {
        case .gained: strings.numbersAccessGainedAtAll
        case .lost: strings.numbersAccessLost
        case .moved: strings.numbersAccessMoved
        }
    }

    static func name(of cause: EntitlementChange.Cause, _ strings: Strings) -> StaticString {
        switch cause {
        case .bought: strings.numbersCauseBought
        case .trial: strings.numbersCauseTrial
        case .shared: strings.numbersCauseShared
        case .resumed: strings.numbersCauseResumed
        case .restored: strings.numbersCauseRestored
        case .granted: strings.numbersCauseGranted
        case .expired: strings.numbersCauseExpired
        case .trialEnded: strings.numbersCauseTrialEnded
        case .unpaid: strings.numbersCauseUnpaid
        case .paused: strings.numbersCausePaused
        case .refunded: strings.numbersCauseRefunded
        case .revoked: strings.numbersCauseRevoked
        case .suspended: strings.numbersCauseSuspended
        case .grantEnded: strings.numbersCauseGrantEnded
        case .withdrawn: strings.numbersCauseWithdrawn
        }
    }

    /// The customer, the store, somebody of staff, or nobody but time.
    static func doer(of row: AccessList.Row, _ strings: Strings) -> String {
        switch row.cause {
        case .bought, .trial, .shared: strings.numbersDoerCustomer.description
        case .resumed, .unpaid, .paused, .refunded, .revoked:
            (row.store.map { StoreText.name(of: $0, strings) } ?? strings.numbersDoerTime).description
        case .expired, .trialEnded, .grantEnded: strings.numbersDoerTime.description
        case .restored, .granted, .suspended, .withdrawn: row.staff ?? strings.numbersDoerStaff.description
        }
    }
}
