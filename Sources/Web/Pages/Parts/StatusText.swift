package import Billing
package import Storage

/// A status as a word, and the name of the shape and colour that go with it; one vocabulary on every page.
package struct StatusText: Sendable {
    let word: StaticString
    /// A class of dashboard.css.
    let shape: StaticString

    private init(_ word: StaticString, _ shape: StaticString) {
        self.word = word
        self.shape = shape
    }

    /// "partly refunded", for the middle of a sentence.
    var lowercased: String { word.description.lowercased() }

    package init(_ status: OrderStatus) {
        switch status {
        case .pending: self.init("Pending", "pending")
        case .completed: self.init("Completed", "completed")
        case .partiallyRefunded: self.init("Partly refunded", "partial")
        case .refunded: self.init("Refunded", "refunded")
        case .failed: self.init("Failed", "failed")
        case .cancelled: self.init("Cancelled", "cancelled")
        }
    }

    package init(_ status: OrderDetails.EntryStatus) {
        switch status {
        case .pending: self.init("Pending", "pending")
        case .success: self.init("Success", "completed")
        case .failed: self.init("Failed", "failed")
        case .cancelled: self.init("Cancelled", "cancelled")
        }
    }

    package init(_ state: NotificationState) {
        switch state {
        case .received: self.init("Received", "pending")
        case .processing: self.init("Processing", "partial")
        case .processed: self.init("Processed", "processed")
        case .ignored: self.init("Ignored", "cancelled")
        case .failed: self.init("Failed", "failed")
        }
    }

    package init(_ result: NotificationDetails.Attempt.Result) {
        switch result {
        case .processed: self.init("Processed", "processed")
        case .ignored: self.init("Ignored", "cancelled")
        case .retried: self.init("Put back", "pending")
        case .failed: self.init("Failed", "failed")
        }
    }

    package init(_ state: Subscription.State) {
        switch state {
        case .pending: self.init("Pending", "pending")
        case .trial: self.init("Trial", "trial")
        case .active: self.init("Active", "active")
        case .gracePeriod: self.init("Grace period", "grace")
        case .billingRetry: self.init("Payment retried", "failed")
        case .cancelled: self.init("Cancelled", "cancelled")
        case .paused: self.init("Paused", "pending")
        case .expired: self.init("Expired", "expired")
        case .trialExpired: self.init("Trial over", "expired")
        case .revoked: self.init("Revoked", "revoked")
        }
    }
}
