/// All addresses with the same first bits: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct AddressRange: Hashable, Sendable {
    package let first: IPAddress
    package let prefixLength: Int

    /// - Throws: `AddressRangeProblem` for what is none, for bits behind the prefix, and for all addresses there are.
    package init(_ text: some StringProtocol) throws(AddressRangeProblem) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { throw .noAddress }
        let longest = address.bytes.count * 8
        guard parts.count > 1 else {
            (first, prefixLength) = (address, longest)
            return
        }
        guard parts[1].utf8.count <= 3, let length = UInt8(parts[1]), !parts[1].hasPrefix("+"),  // safe: reads text
            (1...longest).contains(Int(length))
        else { throw .prefix(longest: longest) }
        first = address.keeping(bits: Int(length))
        prefixLength = Int(length)
        guard first == address else { throw .bitsBehindPrefix(suggestion: "\(first)/\(length)") }
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count && address.keeping(bits: prefixLength) == first
    }
}

/// The reason why a text is no range of addresses.
package enum AddressRangeProblem: Error {
    case noAddress
    case prefix(longest: Int)
    case bitsBehindPrefix(suggestion: String)

    package var text: String {
        switch self {
        case .noAddress: "it is no IPv4 or IPv6 address"
        case .prefix(let longest): "its prefix is a number from 1 to \(longest)"
        case .bitsBehindPrefix(let suggestion): "it has bits behind its prefix; the range is \(suggestion)"
        }
    }
}

/// The proxies that are ours: what they say of whom a request comes from is believed.
package struct TrustedProxies: Hashable, Sendable {
    private let ranges: [AddressRange]

    package static let none = TrustedProxies(ranges: [])

    private init(ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// - Parameter text: addresses and ranges with commas or spaces between them.
    /// - Throws: `BadEntry` for the first that is neither.
    package init(_ text: String) throws(BadEntry) {
        var ranges: [AddressRange] = []
        for entry in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            do throws(AddressRangeProblem) {
                ranges.append(try AddressRange(entry))
            } catch {
                throw BadEntry(entry: String(entry.prefix(60)), reason: error.text)
            }
        }
        self.ranges = ranges
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ address: IPAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// Returns true if a peer is one of them; false for a text that is no address.
    package func contains(_ address: String) -> Bool {
        IPAddress(address).map(contains) ?? false
    }

    /// An entry that is neither an address nor a range.
    package struct BadEntry: Error {
        package let entry: String
        package let reason: String
    }
}
