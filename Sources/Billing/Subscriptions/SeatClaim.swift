package import Foundation

/// A seat of somebody's group that an app's server asked for, for a member (apple-2026.md, 1.7). No transaction tells of the member:
/// what they may use is decided by this and by the purchaser's subscription.
package struct SeatClaim: Hashable, Sendable, Identifiable {
    package typealias ID = Identifier<SeatClaim>

    /// Also the identifier of the request: the same again is the same claim at the store.
    package var id: ID
    package var subscription: Subscription.ID
    package var member: Customer.ID
    /// The member's account at the store, where that is known.
    package var appTransactionID: String?
    package var requestedAt: Date
    /// The person or program that asked for it, in words.
    package var requestedBy: String
    package var state: State
    /// True while the store is to be told that it has ended.
    package var isToBeFreed: Bool
    /// True while the store is to be told whose it is.
    package var isToBeNamed: Bool
    /// The store's id of the claim, also after its end; nil where the store has not given one.
    package var storeClaimID: String?
    /// The wait for the store's answer; nil where none is awaited.
    package var wait: Wait?

    package init(
        id: ID,
        subscription: Subscription.ID,
        member: Customer.ID,
        appTransactionID: String?,
        requestedAt: Date,
        requestedBy: String,
        state: State = .asked,
        isToBeFreed: Bool = false,
        isToBeNamed: Bool = false,
        storeClaimID: String? = nil,
        wait: Wait? = nil
    ) {
        (self.id, self.subscription, self.member) = (id, subscription, member)
        (self.appTransactionID, self.requestedAt, self.requestedBy) = (appTransactionID, requestedAt, requestedBy)
        (self.state, self.isToBeFreed, self.isToBeNamed) = (state, isToBeFreed, isToBeNamed)
        (self.storeClaimID, self.wait) = (storeClaimID, wait)
    }

    /// Where it stands.
    package enum State: Hashable, Sendable {
        /// Kept, and the store has not answered: no access. Moved by the store's answer to `held` or `ended`, by us to `ended`.
        case asked
        /// The store has given the seat: access while the purchaser's subscription gives it. Moved to `ended` by us or by the store.
        case held(since: Date)
        /// No access. For good: who comes back has another claim.
        case ended(at: Date, by: Ending, refusal: Refusal?)
    }

    /// The cause of a claim's end. The database keeps the raw values.
    package enum Ending: String, Sendable, CaseIterable {
        /// The member went.
        case left
        /// The purchaser, the app or staff took it.
        case removed
        /// The store freed it and said so.
        case unclaimed
        /// The store does not have it.
        case missing
        /// The store said no.
        case refused
        /// The store had no seat left.
        case noSeats = "no_seats"
        /// The group renewed with fewer seats, and this was among the newest.
        case surplus
        /// The member became the purchaser, or somebody who has a seat of the group already.
        case merged
        /// The member's account was deleted.
        case deleted

        /// True if the store does not know of the end by itself.
        package var isToBeTold: Bool {
            switch self {
            case .left, .removed, .surplus, .merged, .deleted: true
            case .unclaimed, .missing, .refused, .noSeats: false
            }
        }
    }

    /// The store answered with neither a seat nor its no. It is asked again, at growing intervals, until it says one of them or somebody ends
    /// the claim: an error that it does not document for the call by its number is not its no (`StoreFailure`).
    package struct Wait: Hashable, Sendable {
        /// The time of the first such answer.
        package var since: Date
        /// The number of them.
        package var times: Int
        /// The time from which it is asked again.
        package var until: Date
        /// The last answer, for people.
        package var words: String

        package init(since: Date, times: Int, until: Date, words: String) {
            (self.since, self.times, self.until, self.words) = (since, times, until, words)
        }

        /// The wait after another such answer: half a minute after the first one, twice as long after each further one, six hours at most.
        package init(after before: Wait?, at now: Date, words: String) {
            let times = min((before?.times ?? 0) + 1, 1_000_000)  // safe: bounded
            let pause = min(15 * Double(1 << min(times, 20)), Self.longest)
            self.init(since: before?.since ?? now, times: times, until: now.addingTimeInterval(pause), words: words)
        }

        /// True if people should look at it, after an hour.
        package func isLong(at now: Date) -> Bool { now.timeIntervalSince(since) >= 3_600 }

        /// In seconds.
        private static var longest: TimeInterval { 21_600 }
    }

    /// The store's own words.
    package struct Refusal: Hashable, Sendable {
        package var code: Int64?
        package var message: String

        package init(code: Int64?, message: String) {
            (self.code, self.message) = (code, message)
        }
    }

    package var isOpen: Bool {
        if case .ended = state { return false }
        return true
    }

    package var heldSince: Date? {
        guard case .held(let since) = state else { return nil }
        return since
    }
}
