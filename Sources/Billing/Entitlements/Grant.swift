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
    /// When staff ended it before its time, or a purchase did; it gives nothing since then.
    package var endedAt: Date?
    /// Of a trial: since when the customer has what they bought during it, which is its end.
    package var convertedAt: Date?
    /// Of a trial: when another took its place, as two records of one person had one each.
    package var supersededAt: Date?
    /// The subscription that it extends or lifts; it moves and is revoked with it.
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

    /// Why it is there. The raw value is what the database keeps.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Given by staff or by a promo code.
        case complimentary
        /// Goes on where a subscription ends.
        case `extension`
        /// Lifts a subscription, or another grant, to another plan.
        case upgrade
        /// Given until a store confirms a purchase whose proof it has signed.
        case provisional
        /// Given by the app, once to a customer, before they buy.
        case trial
    }

    /// Where it stands at a moment.
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

    /// How long it still runs; nil for without end.
    package func timeAhead(at now: Date) -> TimeInterval? {
        switch state(at: now) {
        case .over, .withdrawn: 0
        case .scheduled, .running: endsAt.map { max(0, $0.timeIntervalSince(max(now, startsAt))) }
        }
    }
}
