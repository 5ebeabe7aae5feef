import Foundation

extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }

    /// PostgreSQL's text cannot hold a NUL, so it is refused here, before anything is sent.
    package func encode(into bytes: inout [UInt8]) throws {
        let start = bytes.count
        bytes.append(contentsOf: utf8)
        let hasNUL = bytes[start...].withUnsafeBytes { text in
            text.baseAddress.map { memchr($0, 0, text.count) != nil } ?? false
        }
        guard !hasNUL else {
            throw PostgresError(.encoding, "a text contains a NUL, which PostgreSQL cannot store")
        }
    }

    package init(postgres cell: Cell) throws {
        switch cell.type {
        case .text, .varchar, .bpchar, .name, .unknown, .json:
            self = try cell.withBytes { String(decoding: $0, as: UTF8.self) }
        case .bool, .bytea, .int8, .int2, .int4, .float4, .float8, .date, .timestamp, .timestamptz, .uuid, .jsonb:
            throw cell.mismatch("is no text")
        default:
            // Enumerations and domains of the schema have ids of their own; their binary form is the text.
            guard cell.type.rawValue >= Self.firstIDOfTheSchema else { throw cell.mismatch("is no text") }
            self = try cell.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// PostgreSQL's FirstNormalObjectId.
    private static let firstIDOfTheSchema: UInt32 = 16384
}
