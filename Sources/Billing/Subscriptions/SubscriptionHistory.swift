import Foundation

/// All events of one subscription in signed order, and what they amount to.
package struct SubscriptionHistory: Sendable {
    /// Sorted by (`signedAt`, `id`), each id once.
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
            if (other.signedAt, other.id) < (event.signedAt, event.id) { low = middle + 1 } else { high = middle }
        }
        if low < events.count, events[low].id == event.id { return false }
        guard !events.contains(where: { $0.id == event.id }) else { return false }
        events.insert(event, at: low)
        return true
    }
}
