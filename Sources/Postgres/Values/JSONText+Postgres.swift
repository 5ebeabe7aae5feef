/// JSON as its UTF-8 bytes; `jsonb` in PostgreSQL (which keeps the value, not the spelling).
package struct JSONText: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }
}

extension JSONText: PostgresCodable {
    package static var postgresType: PostgresType { .jsonb }

    package func encode(into bytes: inout [UInt8]) throws {
        guard !self.bytes.contains(0) else { throw PostgresError(.encoding, "JSON cannot contain a NUL") }
        bytes.append(Self.formatVersion)
        bytes.append(contentsOf: self.bytes)
    }

    package init(postgres cell: Cell) throws {
        switch cell.type {
        case .json:
            bytes = try cell.withBytes { Array($0) }
        case .jsonb:
            bytes = try cell.withBytes { Array($0.dropFirst()) }
        default:
            throw cell.mismatch("is no JSON")
        }
    }

    /// The byte with which jsonb's binary form begins.
    private static let formatVersion: UInt8 = 1
}
