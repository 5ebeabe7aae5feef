package import Foundation

extension Subscription {
    /// The longest time, in seconds, for which a store retries a failed charge (Apple: up to 60 days).
    package static let longestBillingRetry: TimeInterval = 60 * 86_400

    /// The same, in seconds, for a period that belongs to a commitment (Apple: 90 days).
    package static let longestCommittedRetry: TimeInterval = 90 * 86_400

    /// The longest grace period, in seconds, where the store does not name its end (Apple lets an app choose 3, 16 or 28 days).
    package static let longestGracePeriod: TimeInterval = 28 * 86_400

    /// The state at a moment, even if no sweep and no message has reported it yet. Ends are exclusive: at the very moment of the end it is
    /// over. What was bought ahead is `pending` until it begins.
    package func state(at now: Date) -> State {
        isAhead(at: now) ? .pending : lastingState(at: now)
    }

    /// The state by the ends alone, as the clock reports it: at the end of a period that another one has followed after a gap, that one
    /// had not begun.
    func lastingState(at now: Date) -> State {
        switch state {
        case .trial: isOver(periodEndsAt, at: now) ? .trialExpired : .trial
        case .active: isOver(periodEndsAt, at: now) ? .expired : .active
        case .cancelled: isOver(periodEndsAt, at: now) ? .expired : .cancelled
        case .gracePeriod where !isOver(accessEndsAt, at: now): .gracePeriod
        case .gracePeriod, .billingRetry: isOver(retryEndsAt, at: now) ? .expired : .billingRetry
        case .pending, .paused, .expired, .trialExpired, .revoked: state
        }
    }

    package func hasAccess(at now: Date) -> Bool {
        state(at: now).givesAccess
    }

    /// True if it gives access later, and none yet: its first period was bought ahead.
    package func isAhead(at now: Date) -> Bool {
        guard let accessStartsAt, state.givesAccess else { return false }
        return accessStartsAt > now
    }

    /// True if it gives access now or will, if no further event comes.
    package func isLive(at now: Date) -> Bool { isAhead(at: now) || hasAccess(at: now) }

    /// The end of access if no further event comes; nil if the state gives none, and if it never ends.
    package var accessEndsAt: Date? {
        switch state {
        case .trial, .active, .cancelled: periodEndsAt
        case .gracePeriod: latest(gracePeriodEndsAt, periodEndsAt)
        case .pending, .billingRetry, .paused, .expired, .trialExpired, .revoked: nil
        }
    }

    var retryEndsAt: Date? {
        let longest = commitment == nil ? Subscription.longestBillingRetry : Subscription.longestCommittedRetry
        return latest(gracePeriodEndsAt, periodEndsAt?.addingTimeInterval(longest))
    }

    private func isOver(_ end: Date?, at now: Date) -> Bool {
        end.map { $0 <= now } ?? false
    }

    private func latest(_ left: Date?, _ right: Date?) -> Date? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

extension Subscription.State {
    /// True if it gives access until its end comes.
    package var givesAccess: Bool {
        switch self {
        case .trial, .active, .gracePeriod, .cancelled: true
        case .pending, .billingRetry, .paused, .expired, .trialExpired, .revoked: false
        }
    }
}
