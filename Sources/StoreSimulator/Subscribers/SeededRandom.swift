package import Foundation

/// Generates the same numbers for the same seed on every machine, by SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Begins an independent sequence for one of many, so that another customer leaves the others' lives alone.
    package init(seed: UInt64, stream: UInt64) {
        var mixer = SeededRandom(seed: seed)
        let offset = mixer.next()
        var second = SeededRandom(seed: offset ^ (stream &* 0xD134_2543_DE82_EF95))
        state = second.next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number of at least 0 and below 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    package mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    package mutating func double(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    package mutating func index(below count: Int) -> Int {
        Int(next() % UInt64(max(1, count)))
    }

    /// Returns one of the items; nil if there is none.
    package mutating func pick<Item>(_ items: [Item]) -> Item? {
        items.isEmpty ? nil : items[index(below: items.count)]
    }

    /// Returns one of the items, the heavier the likelier; nil if there is none.
    package mutating func pick<Item>(weighted items: [(weight: Int, item: Item)]) -> Item? {
        var rest = index(below: items.reduce(0) { $0 + $1.weight })
        for (weight, item) in items {
            if rest < weight { return item }
            rest -= weight
        }
        return items.last?.item
    }

    /// Returns a version 4 UUID of this sequence.
    package mutating func uuid() -> UUID {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
