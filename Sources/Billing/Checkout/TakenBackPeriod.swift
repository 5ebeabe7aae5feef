package import Foundation

/// A bought period whose money was given back in full: what becomes of it, and of those that were bought behind it.
///
/// The running one ends now, and the next one begins then; one that was bought ahead is gone, and what was bought behind it closes the
/// gap; one that is over changes nothing. Each that moves keeps its length in seconds: that is what was paid for. What a store renews
/// stays where it is.
package struct TakenBackPeriod: Hashable, Sendable {
    /// The moment of its end, which is not before its beginning; nil where it is over already, or was not held.
    package let endsAt: Date?
    /// The periods that begin earlier than they did, in the order of their start.
    package let moves: [Move]

    package struct Move: Hashable, Sendable {
        /// The place of the period among those that were held.
        package var index: Int
        package var startsAt: Date
        package var endsAt: Date

        package init(index: Int, startsAt: Date, endsAt: Date) {
            (self.index, self.startsAt, self.endsAt) = (index, startsAt, endsAt)
        }
    }

    /// - Parameters:
    ///   - index: the place of the period among those that are held.
    ///   - held: the customer's paid periods at all stores.
    package init(_ index: Int, of held: [HeldPeriod], at now: Date) {
        guard held.indices.contains(index), held[index].endsAt > now else {
            (endsAt, moves) = (nil, [])
            return
        }
        let taken = held[index]
        endsAt = max(now, taken.startsAt)
        let behind = held.indices
            .filter { $0 != index && held[$0].startsAt >= taken.endsAt && held[$0].isBought && held[$0].startsAt > now }
            .sorted { (held[$0].startsAt, held[$0].endsAt, $0) < (held[$1].startsAt, held[$1].endsAt, $1) }
        var placed = held.indices.filter { $0 != index && !behind.contains($0) }.map { held[$0] }
        var moves: [Move] = []
        for place in behind {
            var period = held[place]
            // As when it was bought: after all that is held of its plan and of higher ones.
            let before = placed.filter { $0.plan.rank >= period.plan.rank && $0.startsAt < period.startsAt }
            let start = min(period.startsAt, before.map(\.endsAt).reduce(now, max))
            if start < period.startsAt {
                period.endsAt = start.addingTimeInterval(period.endsAt.timeIntervalSince(period.startsAt))
                period.startsAt = start
                moves.append(Move(index: place, startsAt: start, endsAt: period.endsAt))
            }
            placed.append(period)
        }
        self.moves = moves
    }
}

extension HeldPeriod {
    /// It was paid to us, so that we decide when it runs.
    fileprivate var isBought: Bool { value != nil && !renews }
}
