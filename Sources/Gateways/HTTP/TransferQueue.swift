/// A queue with two limits: so many at once in total, and so many to one host.
///
/// Hosts take turns, and each host's are served in their order: a store that is silent keeps no other from being asked. Whoever may
/// have more at one host than the total is not held to the total.
struct TransferQueue<Item> {
    private struct Host {
        var active = 0
        var waiting: ArraySlice<(item: Item, limit: Int)> = []
    }

    let limit: Int
    private var hosts: [Origin: Host] = [:]
    /// Hosts that something waits for; the next one first.
    private var turns: [Origin] = []
    private var active = 0

    /// - Parameter limit: how many may be under way at once.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter limit: how many may be under way at once to that host when its turn comes.
    mutating func add(_ item: Item, to host: Origin, limit: Int) {
        if hosts[host]?.waiting.isEmpty ?? true { turns.append(host) }
        hosts[host, default: Host()].waiting.append((item, limit))
    }

    /// The next one, which is under way from now on; nil when none may begin.
    mutating func next() -> Item? {
        for (place, origin) in turns.enumerated() {
            guard var host = hosts[origin], let first = host.waiting.first, host.active < first.limit,
                active < max(limit, first.limit)
            else { continue }
            host.waiting.removeFirst()
            host.active += 1
            active += 1
            hosts[origin] = host
            turns.remove(at: place)
            if !host.waiting.isEmpty { turns.append(origin) }
            return first.item
        }
        return nil
    }

    /// One that was under way is not any more.
    mutating func finished(at origin: Origin) {
        guard var host = hosts[origin], host.active > 0 else { return }
        host.active -= 1
        active -= 1
        hosts[origin] = host.active == 0 && host.waiting.isEmpty ? nil : host
    }

    /// Takes out those that are not to begin any more.
    mutating func removeWaiting(where isOver: (Item) -> Bool) {
        for origin in turns {
            guard var host = hosts[origin] else { continue }
            host.waiting = ArraySlice(host.waiting.filter { !isOver($0.item) })
            hosts[origin] = host.active == 0 && host.waiting.isEmpty ? nil : host
        }
        turns.removeAll { hosts[$0]?.waiting.isEmpty ?? true }
    }

    var waiting: [Item] { turns.flatMap { hosts[$0]?.waiting.map(\.item) ?? [] } }
}
