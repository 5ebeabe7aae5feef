package import Foundation

/// The differences between a store's list of a group's seats and our claims (apple-2026.md, 1.7).
package struct SeatComparison: Hashable, Sendable {
    /// Ours that the store does not have: they end.
    package private(set) var missing: [SeatClaim.ID] = []
    /// The newest of ours, where the group has fewer seats than members: they end, and the store is told, which frees none by itself.
    package private(set) var surplus: [SeatClaim.ID] = []
    /// The store's that we do not have: people decide. nil where that cannot be told, as a claim of ours is not answered yet.
    package private(set) var unknown: [String]?

    /// - Parameters:
    ///   - claims: those of the group that are open, that are still to be freed, and that the store has.
    ///   - total: the seats by the store's own count, the purchaser's among them.
    ///   - listed: the store's ids of the claims that it has.
    ///   - askedAt: when the store was asked: what was claimed since is not in its answer.
    package init(of claims: [SeatClaim], total: Int, listed: [String], askedAt: Date) {
        let known = Set(listed.map { $0.lowercased() })
        let held = claims.filter { $0.isHeld(before: askedAt) }
        missing = held.filter { !known.contains($0.storeClaimID?.lowercased() ?? "") }.map(\.id)
        let gone = Set(missing)
        let standing = held.filter { !gone.contains($0.id) }.sorted {
            ($0.requestedAt, $0.id.description) < ($1.requestedAt, $1.id.description)
        }
        let room = max(0, min(total, 1_000_000) - 1)  // safe: bounded, and the purchaser needs no claim
        surplus = standing.dropFirst(room).map(\.id).reversed()
        guard !claims.contains(where: \.isUncertain) else { return }
        // Also what has ended here and is free soon is known.
        let ours = Set(claims.compactMap { $0.storeClaimID?.lowercased() })
        unknown = known.subtracting(ours).sorted()
    }
}

extension SeatClaim {
    fileprivate func isHeld(before date: Date) -> Bool {
        guard let heldSince else { return false }
        return heldSince < date
    }

    /// True if the store may have a claim of it whose id we have not heard.
    fileprivate var isUncertain: Bool { storeClaimID == nil && (state == .asked || isToBeFreed) }
}
