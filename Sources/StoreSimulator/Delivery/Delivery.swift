/// How a store's messages reach a server: in which order, how often each, how many at once.
package struct Delivery: Hashable, Sendable {
    /// Where each is POSTed to.
    package var url: String
    package var order: Order
    /// How often each is sent; stores promise at least once, never exactly once.
    package var copies: Int
    /// How many requests are under way at once; 1 keeps the order on the wire too.
    package var concurrency: Int
    /// How long one message is tried for before it is given up.
    package var patience: Duration

    package init(
        url: String,
        order: Order = .inOrder,
        copies: Int = 1,
        concurrency: Int = 1,
        patience: Duration = .seconds(120)
    ) {
        self.url = url
        self.order = order
        self.copies = copies
        self.concurrency = concurrency
        self.patience = patience
    }

    package enum Order: Hashable, Sendable {
        case inOrder
        /// Any order, the same for the same seed.
        case shuffled(seed: UInt64)
    }

    /// Positions in a list of that many messages, as they are to be sent. Copies follow each other unless shuffled.
    func sequence(of count: Int) -> [Int] {
        var positions = (0..<count).flatMap { Array(repeating: $0, count: max(1, copies)) }
        if case .shuffled(let seed) = order {
            var random = SeededRandom(seed: seed)
            for last in positions.indices.dropFirst().reversed() {
                positions.swapAt(last, random.index(below: last + 1))
            }
        }
        return positions
    }
}
