/// A queue with two limits: so many at once in total, and so many of one asker to one host.
///
/// Those who wait for the same take turns, and each one's are served in their order: a store that is silent keeps no other from being
/// asked, nor the same store from being asked by others. So that many silent ones together keep nobody from it either, everybody may have
/// a few under way whatever the total is. Whoever may have more at one host than the total is not held to the total.
struct TransferQueue<Item> {
    /// The waits, each with what it is for.
    private struct Line: Hashable {
        let origin: Origin
        let asker: String?
    }

    private struct Queue {
        var active = 0
        var waiting: ArraySlice<(item: Item, limit: Int)> = []
    }

    let limit: Int
    private let share: Int
    private var lines: [Line: Queue] = [:]
    /// Lines in which something waits; the next one first.
    private var turns: [Line] = []
    private var active = 0

    /// - Parameters:
    ///   - limit: the largest number of concurrent transfers.
    ///   - share: the number of transfers of one asker to one host that may run beyond the limit.
    init(limit: Int, share: Int = 0) {
        self.limit = limit
        self.share = share
    }

    /// - Parameter limit: the largest number of concurrent transfers in that line when its turn comes.
    mutating func add(_ item: Item, to host: Origin, of asker: String? = nil, limit: Int) {
        let line = Line(origin: host, asker: asker)
        if lines[line]?.waiting.isEmpty ?? true { turns.append(line) }
        lines[line, default: Queue()].waiting.append((item, limit))
    }

    /// The next one, which is under way from now on; nil when none may begin.
    mutating func next() -> Item? {
        for (place, line) in turns.enumerated() {
            guard var queue = lines[line], let first = queue.waiting.first, queue.active < first.limit,
                active < max(limit, first.limit) || queue.active < share
            else { continue }
            queue.waiting.removeFirst()
            queue.active += 1
            active += 1
            lines[line] = queue
            turns.remove(at: place)
            if !queue.waiting.isEmpty { turns.append(line) }
            return first.item
        }
        return nil
    }

    /// One that was under way is not any more.
    mutating func finished(at origin: Origin, of asker: String? = nil) {
        let line = Line(origin: origin, asker: asker)
        guard var queue = lines[line], queue.active > 0 else { return }
        queue.active -= 1
        active -= 1
        lines[line] = queue.active == 0 && queue.waiting.isEmpty ? nil : queue
    }

    /// Takes out those that are not to begin any more.
    mutating func removeWaiting(where isOver: (Item) -> Bool) {
        for line in turns {
            guard var queue = lines[line] else { continue }
            queue.waiting = ArraySlice(queue.waiting.filter { !isOver($0.item) })
            lines[line] = queue.active == 0 && queue.waiting.isEmpty ? nil : queue
        }
        turns.removeAll { lines[$0]?.waiting.isEmpty ?? true }
    }

    var waiting: [Item] { turns.flatMap { lines[$0]?.waiting.map(\.item) ?? [] } }
}
