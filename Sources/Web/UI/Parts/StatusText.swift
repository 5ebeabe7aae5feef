package import Billing
package import Storage

/// A status as a word, and the name of the shape and colour that go with it; one vocabulary on every page.
package struct StatusText: Sendable {
    let word: StaticString
    /// "partly refunded", for the middle of a sentence.
    let within: StaticString
    /// A class of dashboard.css.
    let shape: StaticString

    init(_ word: StaticString, _ within: StaticString, _ shape: StaticString) {
        self.word = word
        self.within = within
        self.shape = shape
    }

    package init(_ status: OrderStatus, _ words: Words) {
        switch status {
        case .pending: self.init(words.statusOrderPending, words.statusOrderPendingWithin, "pending")
        case .completed: self.init(words.statusOrderCompleted, words.statusOrderCompletedWithin, "completed")
        case .partiallyRefunded:
            self.init(words.statusOrderPartiallyRefunded, words.statusOrderPartiallyRefundedWithin, "partial")
        case .refunded: self.init(words.statusOrderRefunded, words.statusOrderRefundedWithin, "refunded")
        case .failed: self.init(words.statusOrderFailed, words.statusOrderFailedWithin, "failed")
        case .cancelled: self.init(words.statusOrderCancelled, words.statusOrderCancelledWithin, "cancelled")
        }
    }

    package init(_ status: OrderDetails.EntryStatus, _ words: Words) {
        switch status {
        case .pending: self.init(words.statusEntryPending, words.statusEntryPendingWithin, "pending")
        case .success: self.init(words.statusEntrySuccess, words.statusEntrySuccessWithin, "completed")
        case .failed: self.init(words.statusEntryFailed, words.statusEntryFailedWithin, "failed")
        case .cancelled: self.init(words.statusEntryCancelled, words.statusEntryCancelledWithin, "cancelled")
        }
    }

    package init(_ state: NotificationState, _ words: Words) {
        switch state {
        case .received: self.init(words.statusNotificationReceived, words.statusNotificationReceivedWithin, "pending")
        case .processing:
            self.init(words.statusNotificationProcessing, words.statusNotificationProcessingWithin, "partial")
        case .processed:
            self.init(words.statusNotificationProcessed, words.statusNotificationProcessedWithin, "processed")
        case .ignored: self.init(words.statusNotificationIgnored, words.statusNotificationIgnoredWithin, "cancelled")
        case .failed: self.init(words.statusNotificationFailed, words.statusNotificationFailedWithin, "failed")
        }
    }

    package init(_ result: NotificationDetails.Attempt.Result, _ words: Words) {
        switch result {
        case .processed: self.init(NotificationState.processed, words)
        case .ignored: self.init(NotificationState.ignored, words)
        case .retried: self.init(words.statusAttemptRetried, words.statusAttemptRetriedWithin, "pending")
        case .failed: self.init(NotificationState.failed, words)
        }
    }

    package init(_ state: Subscription.State, _ words: Words) {
        switch state {
        case .pending: self.init(words.statusSubscriptionPending, words.statusSubscriptionPendingWithin, "pending")
        case .trial: self.init(words.statusSubscriptionTrial, words.statusSubscriptionTrialWithin, "trial")
        case .active: self.init(words.statusSubscriptionActive, words.statusSubscriptionActiveWithin, "active")
        case .gracePeriod:
            self.init(words.statusSubscriptionGracePeriod, words.statusSubscriptionGracePeriodWithin, "grace")
        case .billingRetry:
            self.init(words.statusSubscriptionBillingRetry, words.statusSubscriptionBillingRetryWithin, "failed")
        case .cancelled:
            self.init(words.statusSubscriptionCancelled, words.statusSubscriptionCancelledWithin, "cancelled")
        case .paused: self.init(words.statusSubscriptionPaused, words.statusSubscriptionPausedWithin, "paused")
        case .expired: self.init(words.statusSubscriptionExpired, words.statusSubscriptionExpiredWithin, "expired")
        case .trialExpired:
            self.init(words.statusSubscriptionTrialExpired, words.statusSubscriptionTrialExpiredWithin, "expired")
        case .revoked: self.init(words.statusSubscriptionRevoked, words.statusSubscriptionRevokedWithin, "revoked")
        }
    }
}
