package import Foundation

/// A plan that staff, or the app as a trial, gave to a customer for a time. It exists next to what is paid and never changes it.
package struct Grant: Hashable, Sendable, Identifiable, Codable {
    package typealias ID = Identifier<Grant>

    package var id: ID
    package var plan: Plan
    package var kind: Kind
    package var startsAt: Date
    /// Exclusive; nil for a grant without end.
    package var endsAt: Date?
    /// The time of an early end, by staff or by a purchase; the grant gives nothing from then on.
    package var endedAt: Date?
    /// Of a trial: the time from which the customer has their purchase made during it, which ends the trial.
    package var convertedAt: Date?
    /// Of a trial: the time at which another one replaced it, as two records of one person had one each.
    package var supersededAt: Date?
    /// The subscription that it extends or upgrades; it moves and is revoked with it.
    package var follows: Subscription.ID?
    /// Counts its changes, from 1.
    package var version: Int

    package init(
        id: ID,
        plan: Plan,
        kind: Kind,
        startsAt: Date,
        endsAt: Date?,
        endedAt: Date? = nil,
        convertedAt: Date? = nil,
        supersededAt: Date? = nil,
        follows: Subscription.ID? = nil,
        version: Int = 1
    ) {
        self.id = id
        self.plan = plan
        self.kind = kind
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.endedAt = endedAt
        self.convertedAt = convertedAt
        self.supersededAt = supersededAt
        self.follows = follows
        self.version = version
    }

    /// The kind of grant. The database keeps the raw values.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Given by staff or by a promo code.
        case complimentary
        /// Continues a subscription's access from its end on.
        case `extension`
        /// Raises a subscription, or another grant, to another plan.
        case upgrade
        /// Given until a store confirms a purchase whose proof it has signed.
        case provisional
        /// Given by the app, once to a customer, before they buy.
        case trial
    }

    /// The state at a moment.
    package enum State: String, Sendable, CaseIterable {
        /// Begins later. Moved by time to `running`, by staff to `withdrawn`.
        case scheduled
        /// Gives its plan. Moved by time to `over`, by staff to `withdrawn`.
        case running
        /// Its end has come. Moved by staff to `running` (a later end).
        case over
        /// Ended before its time: by staff, by a purchase, or by another trial. What staff ended they can move back to where time has it.
        case withdrawn
    }

    package func state(at now: Date) -> State {
        if endedAt.map({ $0 <= now }) ?? false { return .withdrawn }
        if endsAt.map({ $0 <= now }) ?? false { return .over }
        return startsAt <= now ? .running : .scheduled
    }

    package func hasAccess(at now: Date) -> Bool {
        state(at: now) == .running
    }

    /// The remaining time, in seconds; nil for a grant without end.
    package func timeAhead(at now: Date) -> TimeInterval? {
        switch state(at: now) {
        case .over, .withdrawn: 0
        case .scheduled, .running: endsAt.map { max(0, $0.timeIntervalSince(max(now, startsAt))) }
        }
    }
}
