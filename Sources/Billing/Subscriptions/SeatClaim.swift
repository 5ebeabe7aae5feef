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
        storeClaimID: String? = nil
    ) {
        (self.id, self.subscription, self.member) = (id, subscription, member)
        (self.appTransactionID, self.requestedAt, self.requestedBy) = (appTransactionID, requestedAt, requestedBy)
        (self.state, self.isToBeFreed, self.isToBeNamed) = (state, isToBeFreed, isToBeNamed)
        self.storeClaimID = storeClaimID
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
