package import Foundation

/// The counted usage and the totals after it. It is kept under the call's idempotency key, so its coding does not change.
package struct UsageAnswer: Hashable, Sendable, Codable {
    /// The feature's code.
    package var feature: String
    package var quantity: Int64
    /// It happened before it was reported, and no limit stopped it.
    package var isOffline: Bool
    package var usage: UsageByWindow
    /// nil where the plan's limits had room for all of it.
    package var credits: SpentCredits?

    package init(
        feature: String,
        quantity: Int64,
        isOffline: Bool,
        usage: UsageByWindow,
        credits: SpentCredits? = nil
    ) {
        (self.feature, self.quantity, self.isOffline, self.usage) = (feature, quantity, isOffline, usage)
        self.credits = credits
    }
}

/// The reason that nothing is counted (readmigo, "FeatureGateService").
package enum UsageRefusal: Error, Hashable, Sendable {
    /// The customer's plan does not include the feature; `plan` is the lowest that does, nil where none does.
    case tierRequired(feature: String, plan: String?)
    /// A window has no room for it.
    case limitReached(feature: String, WindowUsage)

    /// The seconds until it can be counted, from 1 to a day: the limit may have changed by then. nil where no wait helps.
    package func retryAfter(at now: Date) -> Int? {
        switch self {
        case .tierRequired: nil
        case .limitReached(_, let window):
            window.resetsAt.map { end in
                Int(bounding: min(max(1, end.timeIntervalSince(now).rounded(.up)), 86_400))
            }
        }
    }
}
