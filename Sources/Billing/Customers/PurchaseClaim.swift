package import Foundation

/// What becomes of a customer's claim on a purchase that the store has signed (product.md, decision 15).
///
/// Whoever holds the store's signed transaction is the same person at the store as who bought. Customers of whom the app has not
/// said who they are therefore become one with the other; of two whom it has named, one keeps the purchase, and people decide.
package enum PurchaseClaim: Hashable, Sendable {
    /// The purchase is the claimant's already.
    case held
    /// The owner's record ends in the claimant's, with all that it holds.
    case ownerJoinsClaimant
    /// The claimant's record ends in the owner's, with all that it holds.
    case claimantJoinsOwner
    /// The purchase stays where it is.
    case refused

    /// - Parameter isLocked: whether staff said whose the purchase is.
    package init(of claimant: Party, on owner: Party, isLocked: Bool = false) {
        if claimant.id == owner.id {
            self = .held
        } else if claimant.isDeleted || owner.isDeleted && isLocked {
            // Nobody living ends in the record of somebody whose account was deleted.
            self = .refused
        } else if !claimant.isIdentified {
            self = owner.isPlaceholder && !isLocked ? .ownerJoinsClaimant : Self.ofAnonymous(claimant, on: owner)
        } else {
            self = owner.isIdentified || isLocked ? .refused : .ownerJoinsClaimant
        }
    }

    /// Of two whom nobody has named the older stays, so that a customer does not change with each new installation.
    private static func ofAnonymous(_ claimant: Party, on owner: Party) -> PurchaseClaim {
        guard !owner.isIdentified, !owner.isPlaceholder else { return .claimantJoinsOwner }
        return (claimant.since, claimant.id.uuid.uuidString) < (owner.since, owner.id.uuid.uuidString)
            ? .ownerJoinsClaimant : .claimantJoinsOwner
    }

    /// One of the two.
    package struct Party: Hashable, Sendable {
        package var id: Customer.ID
        /// Whether the app has said who it is: an account, not a device.
        package var isIdentified: Bool
        /// Whether only a store has spoken of it until now, and no app.
        package var isPlaceholder: Bool
        package var since: Date
        /// Whether the account was deleted.
        package var isDeleted: Bool

        package init(id: Customer.ID, isIdentified: Bool, isPlaceholder: Bool, since: Date, isDeleted: Bool = false) {
            self.id = id
            self.isIdentified = isIdentified
            self.isPlaceholder = isPlaceholder
            self.since = since
            self.isDeleted = isDeleted
        }
    }
}
