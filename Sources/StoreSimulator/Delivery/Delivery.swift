/// The settings of a delivery of a store's messages to a server: order, copies and concurrency.
package struct Delivery: Hashable, Sendable {
    /// The address to which each message is POSTed.
    package var url: String
    package var order: Order
    /// The number of times that each message is sent; stores promise at least once, never exactly once.
    package var copies: Int
    /// The number of requests under way at once; 1 keeps the order on the wire too.
    package var concurrency: Int
    /// The time after which a message that fails is given up.
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
        /// A random order, the same for the same seed.
        case shuffled(seed: UInt64)
    }

    /// Returns the positions of messages in the order to send them. Copies follow each other unless shuffled.
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
