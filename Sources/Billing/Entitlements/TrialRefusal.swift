package import Foundation

/// Why a customer gets no trial (readmigo, "试用管理"). Raw values are what programs are told.
package enum TrialRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// The app gives none.
    case noTrial
    /// Had one, of the app or at a store.
    case trialUsed
    /// Has a plan that was bought.
    case activeSubscription
    /// Had one.
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

    /// Why the customer gets no trial at a moment; nil for who may have it. What staff gave is no hindrance: it was not paid for.
    package func trialRefusal(at now: Date) -> TrialRefusal? {
        let held = subscriptions.filter { $0.plan.rank > 0 && $0.subscription.startedAt != nil && !$0.isWithheld }
        // What somebody of the family pays for is had, not bought.
        let bought = held.filter { !$0.subscription.isFamilyShared }
        if trial != nil || bought.contains(where: { $0.subscription.trialStartedAt != nil }) { return .trialUsed }
        let unconfirmed = grants.filter { $0.kind == .provisional && $0.hasAccess(at: now) }
        if held.contains(where: { $0.subscription.hasAccess(at: now) }) || !unconfirmed.isEmpty {
            return .activeSubscription
        }
        return bought.isEmpty ? nil : .previouslyPaid
    }
}

extension Grant {
    /// Where a trial stands at a moment, in the words of subscriptions: `active` where the customer bought during it.
    package func trialState(at now: Date) -> Subscription.State {
        if convertedAt.map({ $0 <= now }) ?? false { return .active }
        return hasAccess(at: now) ? .trial : .trialExpired
    }
}
