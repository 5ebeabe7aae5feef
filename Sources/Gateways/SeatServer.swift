package import Billing
package import Foundation

/// A store that hands out the seats of groups by an app's own invitations, when it is asked.
package protocol SeatServer: Sendable {
    /// True if the store answers about seats there, by the app's settings: not every store does in production.
    func answers(in environment: StoreEnvironment) -> Bool

    /// The number of seats and those who have them.
    func seats(
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreSeats

    /// Takes a seat. The same id again is the same claim: what was asked once and not answered is asked again under it.
    ///
    /// - Parameter appTransactionID: whose it is, where that is known.
    /// - Returns: the store's id of the claim, by which it is freed.
    func claim(
        _ id: UUID,
        of originalTransactionID: String,
        for appTransactionID: String?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> String

    /// Frees a seat.
    func unclaim(
        _ claimID: String,
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// Says whose a claim is, where that is learnt after it.
    func associate(
        _ claimID: String,
        of originalTransactionID: String,
        with appTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// The groups that a customer is in, by any id that the store has for one of their purchases. They serve roles; access never follows
    /// them.
    func groups(of id: String, in environment: StoreEnvironment) async throws(StoreFailure) -> [StoreGroup]

    /// The accounts at the store that are in a group.
    func members(ofGroup id: String, in environment: StoreEnvironment) async throws(StoreFailure) -> [String]
}

/// The seats of one group, by the store's own account.
package struct StoreSeats: Hashable, Sendable {
    package var total: Int
    package var available: Int
    /// May be more than there are seats: fewer were renewed.
    package var claimIDs: [String]

    package init(total: Int, available: Int, claimIDs: [String]) {
        (self.total, self.available, self.claimIDs) = (total, available, claimIDs)
    }
}

/// A group of customers at a store.
package struct StoreGroup: Hashable, Sendable {
    package var id: String
    /// True if an organization bought; else a customer did.
    package var isOrganization: Bool
    /// The products for which the customer administers an organization's purchases.
    package var administers: [String]

    package init(id: String, isOrganization: Bool, administers: [String]) {
        (self.id, self.isOrganization, self.administers) = (id, isOrganization, administers)
    }
}
