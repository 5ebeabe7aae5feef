import Billing
import HTTP
import Storage
import Words

/// The causes of gained and lost access, and those who brought them about, in words.
enum AccessText {
    static func name(of direction: AccessFilter.Direction, _ strings: Strings) -> StaticString {
        switch direction {
        case .gained: strings.analyticsAccessGainedAtAll
        case .lost: strings.analyticsAccessLost
        case .moved: strings.analyticsAccessMoved
        }
    }

    static func name(of cause: EntitlementChange.Cause, _ strings: Strings) -> StaticString {
        switch cause {
        case .bought: strings.analyticsCauseBought
        case .trial: strings.analyticsCauseTrial
        case .shared: strings.analyticsCauseShared
        case .resumed: strings.analyticsCauseResumed
        case .restored: strings.analyticsCauseRestored
        case .granted: strings.analyticsCauseGranted
        case .expired: strings.analyticsCauseExpired
        case .trialEnded: strings.analyticsCauseTrialEnded
        case .unpaid: strings.analyticsCauseUnpaid
        case .paused: strings.analyticsCausePaused
        case .refunded: strings.analyticsCauseRefunded
        case .revoked: strings.analyticsCauseRevoked
        case .suspended: strings.analyticsCauseSuspended
        case .grantEnded: strings.analyticsCauseGrantEnded
        case .withdrawn: strings.analyticsCauseWithdrawn
        }
    }

    /// The customer, the store, somebody of staff, or nobody but time.
    static func doer(of row: AccessRow, _ strings: Strings) -> String {
        switch row.cause {
        case .bought, .trial, .shared: strings.analyticsDoerCustomer.description
        case .resumed, .unpaid, .paused, .refunded, .revoked:
            row.store.map { StoreText.name(of: $0, strings) } ?? strings.analyticsDoerTime.description
        case .expired, .trialEnded, .grantEnded: strings.analyticsDoerTime.description
        case .granted where row.isOfPromoCode: strings.promoCodesDoer.description
        case .restored, .granted, .suspended, .withdrawn: row.staff ?? strings.analyticsDoerStaff.description
        }
    }
}
