package import Foundation

extension StoreTransaction {
    /// The facts about a purchase of several seats beside its quantity (Apple: `multiSeatInfo`, `additionalTransactionReason`).
    package struct Seats: Hashable, Sendable, Codable {
        /// The seats that refunds have taken so far; nil where the store does not say.
        package var revoked: Int?
        /// The share of the whole that is given back so far, in thousandths of a percent, of a transaction that stands for the rest;
        /// nil where the store does not say.
        package var milliPercent: Int?
        /// True where the period was paid for by more than one transaction: seats were added.
        package var isAddition: Bool?
        /// The party that invites to the seats.
        package var invitations: Invitations?
        /// The time at which the current refund of seats became known; set while the history is folded.
        package var refundedAt: Date?

        package init(
            revoked: Int? = nil,
            milliPercent: Int? = nil,
            isAddition: Bool? = nil,
            invitations: Invitations? = nil,
            refundedAt: Date? = nil
        ) {
            self.revoked = revoked
            self.milliPercent = milliPercent
            self.isAddition = isAddition
            self.invitations = invitations
            self.refundedAt = refundedAt
        }
    }

    /// The party that hands out the seats of a purchase, from its beginning on. The database keeps the raw values.
    package enum Invitations: String, Hashable, Sendable, Codable, CaseIterable {
        /// The store, by a link of its own: each member has a transaction.
        case store
        /// The app: its server claims a seat for each member, and no transaction tells of them.
        case app
    }

    /// True where somebody else pays: access, and no money of this customer.
    package var isShared: Bool { isFamilyShared || isAssigned == true }

    /// Makes it a seat that was assigned: price, quantity and seats are its buyer's.
    package mutating func becomeAssigned() {
        (isAssigned, price, quantity, seats) = (true, nil, 1, nil)
    }

    /// The transaction that names its period: its own, or the one that it added seats to.
    var periodID: String { additionTo ?? id }
}

/// The seats of one purchase that refunds have taken.
package struct RevokedSeats: Hashable, Sendable {
    package var revoked: Int
    /// Those that it was of; above zero.
    package var total: Int

    package init(revoked: Int, of total: Int) {
        (self.revoked, self.total) = (revoked, total)
    }
}
