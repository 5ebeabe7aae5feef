import Foundation

/// All events of one subscription in signed order, and what they amount to.
package struct SubscriptionHistory: Sendable {
    /// Sorted by `place`, each id once.
    package private(set) var events: [StoreEvent]

    /// Takes events in any order, with repetitions.
    package init(_ events: some Sequence<StoreEvent>) {
        self.events = []
        for event in events { insert(event) }
    }

    /// False when the event was there already.
    @discardableResult
    package mutating func insert(_ event: StoreEvent) -> Bool {
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            let other = events[middle]
            if other.place < event.place { low = middle + 1 } else { high = middle }
        }
        if low < events.count, events[low].id == event.id { return false }
        guard !events.contains(where: { $0.id == event.id }) else { return false }
        events.insert(event, at: low)
        return true
    }
}

extension StoreEvent {
    /// The event's sort key in its subscription's history.
    ///
    /// Events signed in one millisecond are ordered by content, the older transaction first and charges before ends; the id, which is
    /// random, decides only between two events with the same content. An end by the clock follows everything known by then: the store may
    /// have reported the period only after it was over.
    fileprivate var place: (Date, Date, Int, String, String) {
        (signedAt, transaction.purchasedAt, isByClock == true ? .max : kind.rank, transaction.id, id)
    }
}

extension StoreEvent.Kind {
    /// In the order of their declaration.
    fileprivate var rank: Int { Self.ranks[self] ?? Self.allCases.count }

    private static let ranks = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}
