package import Foundation

/// The reason that a customer gets no trial (readmigo, "试用管理"). The raw values are the API's codes.
package enum TrialRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// The app offers no trial.
    case noTrial
    /// The customer had one, of the app or at a store.
    case trialUsed
    /// The customer has a paid plan.
    case activeSubscription
    /// The customer had a paid plan.
    case previouslyPaid
}

extension EntitlementSources {
    /// The trial that the app gave; nil where it gave none.
    package var trial: Grant? { grants.first { $0.kind == .trial && $0.supersededAt == nil } }

    /// The subscription that converted the trial; nil where none did.
    package var conversion: HeldSubscription? {
        guard let trial, let moment = trial.convertedAt else { return nil }
        let running = subscriptions.filter { held in
            let subscription = held.subscription
            let start = subscription.startedAt ?? .distantFuture
            return !subscription.isFamilyShared && start <= moment && subscription.endedAt.map { $0 > moment } ?? true
        }
        return running.max { left, right in
            (left.subscription.startedAt ?? .distantPast, left.id.description)
                < (right.subscription.startedAt ?? .distantPast, right.id.description)
        }
    }

    /// The reason that the customer gets no trial at a moment; nil if they may have it. Grants by staff do not count: they were not paid
    /// for.
    package func trialRefusal(at now: Date) -> TrialRefusal? {
        let held = subscriptions.filter { $0.plan.rank > 0 && $0.subscription.startedAt != nil && !$0.isWithheld }
        // A subscription shared by a family member was held, not bought.
        let bought = held.filter { !$0.subscription.isFamilyShared }
        if trial != nil || bought.contains(where: { $0.subscription.trialStartedAt != nil }) { return .trialUsed }
        let unconfirmed = grants.filter { $0.kind == .provisional && $0.hasAccess(at: now) }
        if held.contains(where: { $0.subscription.isLive(at: now) }) || !unconfirmed.isEmpty {
            return .activeSubscription
        }
        return bought.isEmpty ? nil : .previouslyPaid
    }
}

extension Grant {
    /// The state of a trial at a moment, in the terms of subscriptions: `active` if the customer bought during it.
    package func trialState(at now: Date) -> Subscription.State {
        if convertedAt.map({ $0 <= now }) ?? false { return .active }
        return hasAccess(at: now) ? .trial : .trialExpired
    }
}
