/// Unpacks DEFLATE (RFC 1951), up to a length: a few bytes may stand for gigabytes.
struct Inflater {
    private let input: [UInt8]
    private let longest: Int
    private var position: Int
    private var bits: UInt32 = 0
    private var bitCount: UInt32 = 0
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - start: where the stream begins.
    ///   - longest: how much it may become, in bytes.
    /// - Throws: `.malformed`: more than that, a stream that is none, or one that breaks off.
    static func inflate(_ input: [UInt8], from start: Int = 0, longest: Int) throws(GatewayError) -> [UInt8] {
        var inflater = Inflater(input, start, longest)
        try inflater.run()
        return inflater.output
    }

    private init(_ input: [UInt8], _ start: Int, _ longest: Int) {
        (self.input, self.longest) = (input, longest)
        position = max(0, start)
    }

    private mutating func run() throws(GatewayError) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try copy(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let (literals, distances) = try codes()
                try copy(literals, distances)
            default: throw Self.malformed("a block is of no known kind")
            }
        }
    }

    private mutating func take(_ count: UInt32) throws(GatewayError) -> Int {
        while bitCount < count {
            guard position < input.count else { throw Self.malformed("it breaks off") }
            bits |= UInt32(input[position]) << bitCount  // safe: wider
            position += 1
            bitCount += 8
        }
        let value = bits & (1 << count - 1)
        bits >>= count
        bitCount -= count
        return Int(value)
    }

    private mutating func copyStored() throws(GatewayError) {
        (bits, bitCount) = (0, 0)
        let length = try take(16)
        guard try take(16) == ~length & 0xFFFF else { throw Self.malformed("a block's length is not its own") }
        guard input.count - position >= length else { throw Self.malformed("it breaks off") }
        try requireRoom(length)
        output += input[position..<(position + length)]  // safe: there are that many
        position += length
    }

    private mutating func copy(_ literals: Huffman, _ distances: Huffman) throws(GatewayError) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try requireRoom(1)
                output.append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            guard symbol != 256 else { return }
            let index = symbol - 257
            guard Self.lengths.indices.contains(index) else { throw Self.malformed("a length is none") }
            let length = try Self.lengths[index].base + take(Self.lengths[index].extra)
            let place = try self.symbol(distances)
            guard Self.distances.indices.contains(place) else { throw Self.malformed("a distance is none") }
            let distance = try Self.distances[place].base + take(Self.distances[place].extra)
            guard distance <= output.count else { throw Self.malformed("a distance leads before the beginning") }
            try requireRoom(length)
            for _ in 0..<length {
                output.append(output[output.count - distance])  // safe: the distance is at most the count
            }
        }
    }

    private func requireRoom(_ count: Int) throws(GatewayError) {
        guard output.count <= longest - count else { throw Self.malformed("it becomes longer than is read") }
    }

    private mutating func symbol(_ huffman: Huffman) throws(GatewayError) -> Int {
        var (code, first, index) = (0, 0, 0)
        for count in huffman.counts.dropFirst() {
            code |= try take(1)
            if code - first < count { return huffman.symbols[index + code - first] }  // safe: as many as the counts say
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw Self.malformed("a code is none")
    }

    private mutating func codes() throws(GatewayError) -> (Huffman, Huffman) {
        let (literalCount, distanceCount) = (try take(5) + 257, try take(5) + 1)
        let lengthCount = try take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw Self.malformed("it has too many codes") }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(lengthCount) { lengths[place] = try take(3) }
        let meta = try Huffman(lengths)
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            switch try symbol(meta) {
            case let length where length < 16: all.append(length)
            case 16:
                guard let last = all.last else { throw Self.malformed("a length repeats nothing") }
                all += repeatElement(last, count: try 3 + take(2))
            case 17: all += repeatElement(0, count: try 3 + take(3))
            default: all += repeatElement(0, count: try 11 + take(7))
            }
        }
        guard all.count == literalCount + distanceCount, all[256] != 0 else {  // safe: there are 257 at least
            throw Self.malformed("its codes are not whole")
        }
        return (try Huffman(Array(all.prefix(literalCount))), try Huffman(Array(all.dropFirst(literalCount))))
    }

    /// The number of codes of each length, and their symbols in order.
    private struct Huffman {
        let counts: [Int]
        let symbols: [Int]

        init(_ lengths: [Int]) throws(GatewayError) {
            var counts = [Int](repeating: 0, count: 16)
            for length in lengths { counts[length] += 1 }
            counts[0] = 0  // safe: there are sixteen
            var left = 1
            for count in counts.dropFirst() {
                left = left << 1 - count
                guard left >= 0 else { throw Inflater.malformed("it has more codes than fit") }
            }
            self.counts = counts
            symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        }

        fileprivate init(unchecked lengths: [Int]) {
            var counts = [Int](repeating: 0, count: 16)
            for length in lengths where length > 0 { counts[length] += 1 }
            self.counts = counts
            symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        }
    }

    private static func malformed(_ what: String) -> GatewayError {
        GatewayError(.malformed, "The archive cannot be unpacked: \(what).")
    }

    private static let fixedLiterals = Huffman(
        unchecked: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8)
    )
    private static let fixedDistances = Huffman(unchecked: Array(repeating: 5, count: 30))
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    /// Each length's or distance's least value, and how many bits are added to it.
    private static let lengths = steps(from: 3, counts: [8, 4, 4, 4, 4, 4]) + [(258, 0)]
    private static let distances = steps(from: 1, counts: [4] + Array(repeating: 2, count: 13))

    /// - Parameter counts: how many steps there are with no bits added, with one, and so on.
    private static func steps(from start: Int, counts: [Int]) -> [(base: Int, extra: UInt32)] {
        var steps: [(base: Int, extra: UInt32)] = []
        var base = start
        for (extra, count) in counts.enumerated() {
            for _ in 0..<count {
                steps.append((base, UInt32(clamping: extra)))
                base += 1 << extra
            }
        }
        return steps
    }
}
