/// The share that a store keeps of one charge, estimated.
package struct StoreShare: Hashable, Sendable {
    package var basisPoints: Int
    /// True if the subscriber was in the first year of paid service.
    package var isOfFirstYear: Bool
    /// True if no terms of the charge's storefront hold, but those for the rest of the world.
    package var isOfWorld: Bool

    /// - Parameters:
    ///   - terms: the number of those that the charge is under (`StoreTerms`).
    ///   - paidDays: days of paid service before it.
    package init(_ fee: StoreFee, under terms: Int, after paidDays: Int, at store: Store) {
        basisPoints = fee.share(under: terms, at: store).basisPoints(after: paidDays)
        isOfFirstYear = paidDays < StoreFee.yearOfService
        isOfWorld = fee.isOfWorld(terms, at: store)
    }
}
