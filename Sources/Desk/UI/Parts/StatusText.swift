package import Billing
import HTTP
package import Storage
package import Words

/// A status as a word, with the name of its shape and colour; the same vocabulary on every page.
package struct StatusText: Sendable {
    let word: StaticString
    /// "partially refunded", for the middle of a sentence.
    let within: StaticString
    /// A class of dashboard.css.
    let shape: StaticString

    init(_ word: StaticString, _ within: StaticString, _ shape: StaticString) {
        self.word = word
        self.within = within
        self.shape = shape
    }

    package init(_ status: OrderStatus, _ strings: Strings) {
        switch status {
        case .pending: self.init(strings.statusOrderPending, strings.statusOrderPendingWithin, "pending")
        case .completed: self.init(strings.statusOrderCompleted, strings.statusOrderCompletedWithin, "completed")
        case .partiallyRefunded:
            self.init(strings.statusOrderPartiallyRefunded, strings.statusOrderPartiallyRefundedWithin, "partial")
        case .refunded: self.init(strings.statusOrderRefunded, strings.statusOrderRefundedWithin, "refunded")
        case .superseded: self.init(strings.statusOrderSuperseded, strings.statusOrderSupersededWithin, "completed")
        case .failed: self.init(strings.statusOrderFailed, strings.statusOrderFailedWithin, "failed")
        case .cancelled: self.init(strings.statusOrderCancelled, strings.statusOrderCancelledWithin, "cancelled")
        }
    }

    package init(_ status: OrderDetails.EntryStatus, _ strings: Strings) {
        switch status {
        case .pending: self.init(strings.statusEntryPending, strings.statusEntryPendingWithin, "pending")
        case .success: self.init(strings.statusEntrySuccess, strings.statusEntrySuccessWithin, "completed")
        case .failed: self.init(strings.statusEntryFailed, strings.statusEntryFailedWithin, "failed")
        case .cancelled: self.init(strings.statusEntryCancelled, strings.statusEntryCancelledWithin, "cancelled")
        }
    }

    package init(_ state: NotificationState, _ strings: Strings) {
        switch state {
        case .received:
            self.init(strings.statusNotificationReceived, strings.statusNotificationReceivedWithin, "pending")
        case .processing:
            self.init(strings.statusNotificationProcessing, strings.statusNotificationProcessingWithin, "partial")
        case .processed:
            self.init(strings.statusNotificationProcessed, strings.statusNotificationProcessedWithin, "processed")
        case .ignored:
            self.init(strings.statusNotificationIgnored, strings.statusNotificationIgnoredWithin, "cancelled")
        case .failed: self.init(strings.statusNotificationFailed, strings.statusNotificationFailedWithin, "failed")
        }
    }

    package init(_ result: NotificationDetails.Attempt.Result, _ strings: Strings) {
        switch result {
        case .processed: self.init(NotificationState.processed, strings)
        case .ignored: self.init(NotificationState.ignored, strings)
        case .retried: self.init(strings.statusAttemptRetried, strings.statusAttemptRetriedWithin, "pending")
        case .failed: self.init(NotificationState.failed, strings)
        }
    }

    package init(_ state: Subscription.State, _ strings: Strings) {
        switch state {
        case .pending: self.init(strings.statusSubscriptionPending, strings.statusSubscriptionPendingWithin, "pending")
        case .trial: self.init(strings.statusSubscriptionTrial, strings.statusSubscriptionTrialWithin, "trial")
        case .active: self.init(strings.statusSubscriptionActive, strings.statusSubscriptionActiveWithin, "active")
        case .gracePeriod:
            self.init(strings.statusSubscriptionGracePeriod, strings.statusSubscriptionGracePeriodWithin, "grace")
        case .billingRetry:
            self.init(strings.statusSubscriptionBillingRetry, strings.statusSubscriptionBillingRetryWithin, "failed")
        case .cancelled:
            self.init(strings.statusSubscriptionCancelled, strings.statusSubscriptionCancelledWithin, "cancelled")
        case .paused: self.init(strings.statusSubscriptionPaused, strings.statusSubscriptionPausedWithin, "paused")
        case .expired: self.init(strings.statusSubscriptionExpired, strings.statusSubscriptionExpiredWithin, "expired")
        case .trialExpired:
            self.init(strings.statusSubscriptionTrialExpired, strings.statusSubscriptionTrialExpiredWithin, "expired")
        case .revoked: self.init(strings.statusSubscriptionRevoked, strings.statusSubscriptionRevokedWithin, "revoked")
        }
    }
}
