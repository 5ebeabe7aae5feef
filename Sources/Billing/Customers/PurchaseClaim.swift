package import Foundation

/// The outcome of a customer's claim on a purchase (product.md, decision 15). The table of all cases, which tests walk, is in
/// docs/api/purchases.md.
///
/// A purchase never opens an account: whose record an app or a provider has named (an *identified* customer) is joined with
/// no other because of a purchase. What the store has signed moves the purchase, with its history; an id proves nothing.
package enum PurchaseClaim: Hashable, Sendable {
    /// The purchase is the claimant's already.
    case held
    /// The owner's record ends in the claimant's, with all that it holds: only a store had spoken of it, or both are devices.
    case ownerJoinsClaimant
    /// The claimant's record ends in the owner's, with all that it holds: both are devices.
    case claimantJoinsOwner
    /// The purchase becomes the claimant's, with its history and orders. Both records stay who they are.
    case moved
    /// The purchase moves from an account to a device, by the app's setting; staff are shown it.
    case transferred
    /// The purchase stays with its owner, and the claimant may use its access, by the app's setting.
    case shared
    /// The purchase stays where it is.
    case refused
    /// So far nothing proves it: the purchase stays where it is, and may be claimed with what the store has signed.
    case unproven

    /// - Parameters:
    ///   - worth: the worth of the claimant's proof.
    ///   - behavior: the app's setting for a device that presents an account's purchase.
    ///   - isLocked: true if staff have set the purchase's owner.
    package init(
        of claimant: Party,
        on owner: Party,
        by worth: ProofWorth,
        behavior: TransferBehavior = .refuse,
        isLocked: Bool = false
    ) {
        if claimant.id == owner.id {
            self = .held
        } else if !worth.suffices(against: owner) {
            self = owner.isUnclaimed || worth == .unconfirmed ? .unproven : .refused
        } else if claimant.isDeleted || owner.isDeleted && isLocked {
            self = .refused
        } else if owner.isDeleted {
            // The owner's other purchases stay with the deleted record, which nobody can sign in to.
            self = .moved
        } else if owner.isIdentified {
            self = claimant.isIdentified || isLocked ? .refused : behavior.claim
        } else if claimant.isIdentified {
            self = isLocked ? .refused : owner.isPlaceholder ? .ownerJoinsClaimant : .moved
        } else {
            self = owner.isPlaceholder && !isLocked ? .ownerJoinsClaimant : Self.ofDevices(claimant, owner)
        }
    }

    /// Of two devices the older stays, so that a customer does not change with each new installation.
    private static func ofDevices(_ claimant: Party, _ owner: Party) -> PurchaseClaim {
        guard !owner.isPlaceholder else { return .claimantJoinsOwner }
        return (claimant.since, claimant.id.uuid.uuidString) < (owner.since, owner.id.uuid.uuidString)
            ? .ownerJoinsClaimant : .claimantJoinsOwner
    }

    /// True if the claimant has the purchase, or its access, from now on.
    package var isGranted: Bool {
        switch self {
        case .held, .ownerJoinsClaimant, .claimantJoinsOwner, .moved, .transferred, .shared: true
        case .refused, .unproven: false
        }
    }

    /// One of the two.
    package struct Party: Hashable, Sendable {
        package var id: Customer.ID
        /// True if the app or a provider has identified the customer: an account, not a device.
        package var isIdentified: Bool
        /// True if only a store has named the customer so far, and no app.
        package var isPlaceholder: Bool
        package var since: Date
        /// True if the account was deleted.
        package var isDeleted: Bool

        package init(id: Customer.ID, isIdentified: Bool, isPlaceholder: Bool, since: Date, isDeleted: Bool = false) {
            self.id = id
            self.isIdentified = isIdentified
            self.isPlaceholder = isPlaceholder
            self.since = since
            self.isDeleted = isDeleted
        }

        /// True while a purchase of theirs is nobody's.
        fileprivate var isUnclaimed: Bool { isPlaceholder || isDeleted }
    }
}
