/// A ZIP archive as stores send their bills in: read by its directory, each file unpacked within a bound, none written anywhere.
package struct ZIPArchive {
    package let entries: [Entry]
    private let bytes: [UInt8]

    package struct Entry: Sendable {
        /// In the archive's own charset.
        package let name: [UInt8]
        fileprivate let method: Int
        fileprivate let checksum: UInt32
        fileprivate let packedLength: Int
        fileprivate let length: Int
        /// The position of its own head.
        fileprivate let start: Int
    }

    /// - Throws: `.malformed` for what is no archive, one that breaks off, and one with more than ten files.
    package init(_ bytes: [UInt8]) throws(GatewayError) {
        self.bytes = bytes
        guard let end = Self.endOfDirectory(bytes), let count = Self.number(bytes, end + 10, 2),
            let first = Self.number(bytes, end + 16, 4)
        else { throw Self.malformed("it has no directory") }
        guard count <= Self.mostEntries else { throw Self.malformed("it has too many files") }
        var (entries, position) = ([Entry](), first)
        for _ in 0..<count {
            guard Self.number(bytes, position, 4) == 0x0201_4B50, let flags = Self.number(bytes, position + 8, 2),
                let method = Self.number(bytes, position + 10, 2),
                let checksum = Self.number(bytes, position + 16, 4).flatMap({ UInt32(exactly: $0) }),
                let packed = Self.number(bytes, position + 20, 4), let length = Self.number(bytes, position + 24, 4),
                let nameLength = Self.number(bytes, position + 28, 2),
                let extraLength = Self.number(bytes, position + 30, 2),
                let commentLength = Self.number(bytes, position + 32, 2),
                let start = Self.number(bytes, position + 42, 4),
                let name = Self.part(bytes, position + 46, nameLength)
            else { throw Self.malformed("its directory breaks off") }
            guard flags & 1 == 0 else { throw Self.malformed("it has a password") }
            entries.append(
                Entry(
                    name: Array(name),
                    method: method,
                    checksum: checksum,
                    packedLength: packed,
                    length: length,
                    start: start
                )
            )
            position += 46 + nameLength + extraLength + commentLength
        }
        self.entries = entries
    }

    /// - Parameter longest: in bytes; a file that says more, or becomes more, is not read.
    /// - Throws: `.malformed`
    package func contents(of entry: Entry, longest: Int) throws(GatewayError) -> [UInt8] {
        guard entry.length <= longest else { throw Self.malformed("a file is longer than is read") }
        guard Self.number(bytes, entry.start, 4) == 0x0403_4B50,
            let nameLength = Self.number(bytes, entry.start + 26, 2),
            let extraLength = Self.number(bytes, entry.start + 28, 2),
            let packed = Self.part(bytes, entry.start + 30 + nameLength + extraLength, entry.packedLength)
        else { throw Self.malformed("a file is not where the directory says") }
        let contents: [UInt8]
        switch entry.method {
        case 0: contents = Array(packed)
        case 8: contents = try Inflater.inflate(Array(packed), longest: entry.length)
        default: throw Self.malformed("a file is packed in a way that is not known here")
        }
        guard contents.count == entry.length, Self.checksum(contents) == entry.checksum else {
            throw Self.malformed("a file's checksum is not its own")
        }
        return contents
    }

    /// The record at the end, behind which a comment may stand.
    private static func endOfDirectory(_ bytes: [UInt8]) -> Int? {
        let last = bytes.count - 22
        guard last >= 0 else { return nil }
        return stride(from: last, through: max(0, last - 65_535), by: -1).first { number(bytes, $0, 4) == 0x0605_4B50 }
    }

    /// The lowest byte first; nil beyond the end.
    private static func number(_ bytes: [UInt8], _ position: Int, _ length: Int) -> Int? {
        part(bytes, position, length).map { part in
            part.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private static func part(_ bytes: [UInt8], _ position: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard position >= 0, length >= 0, position <= bytes.count, bytes.count - position >= length else { return nil }
        return bytes[position..<(position + length)]  // safe: there are that many
    }

    /// CRC-32 (ISO 3309).
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(clamping: index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }

    private static func malformed(_ what: String) -> GatewayError {
        GatewayError(.malformed, "The archive cannot be unpacked: \(what).")
    }

    private static let mostEntries = 10
}
