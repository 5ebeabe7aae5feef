/// A binary heap of what must happen at a time, earliest first.
struct Deadlines<Element> {
    typealias Instant = ContinuousClock.Instant

    private var heap: [(at: Instant, element: Element)] = []
    private var sweepSize = 256

    var first: Instant? { heap.first?.at }
    var count: Int { heap.count }

    /// Adds an element. Now and then those that no longer matter are thrown away, so that they do not pile up.
    mutating func add(_ element: Element, at instant: Instant, isWanted: (Element) -> Bool) {
        if heap.count >= sweepSize {
            let wanted = heap.filter { isWanted($0.element) }
            heap = []
            for entry in wanted { insert(entry) }
            sweepSize = max(256, heap.count * 2)
        }
        insert((instant, element))
    }

    /// The earliest element, if its time has come.
    mutating func popDue(at now: Instant) -> Element? {
        guard let first = heap.first, first.at <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].at < heap[smallest].at {
                smallest = child
            }
            guard smallest != parent else { return first.element }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private mutating func insert(_ entry: (at: Instant, element: Element)) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
