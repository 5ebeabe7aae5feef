/// A value that PostgreSQL can hold in a one-dimensional array; `UInt8` is the exception, its array is `bytea`.
package protocol PostgresArrayElement: Sendable {
    static var postgresArrayType: PostgresType { get }
    static func encode(array: [Self], into bytes: inout [UInt8]) throws
    static func decodeArray(from cell: Cell) throws -> [Self]
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package func encode(into bytes: inout [UInt8]) throws {
        try Element.encode(array: self, into: &bytes)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    package init(postgres cell: Cell) throws {
        self = try Element.decodeArray(from: cell)
    }
}

extension Int16: PostgresArrayElement {}
extension Int32: PostgresArrayElement {}
extension Int64: PostgresArrayElement {}
extension Int: PostgresArrayElement {}
extension Bool: PostgresArrayElement {}
extension Double: PostgresArrayElement {}
extension String: PostgresArrayElement {}
extension CalendarDay: PostgresArrayElement {}
extension JSONText: PostgresArrayElement {}

/// The binary form: dimensions, flag, element type, length, lower bound, then each element behind its length.
extension PostgresArrayElement where Self: PostgresCodable {
    package static var postgresArrayType: PostgresType { postgresType.array }

    package static func encode(array: [Self], into bytes: inout [UInt8]) throws {
        bytes.append(bigEndian: (array.isEmpty ? 0 : 1) as Int32)
        bytes.append(bigEndian: Int32(0))
        bytes.append(bigEndian: postgresType.rawValue)
        guard !array.isEmpty else { return }
        bytes.append(bigEndian: try length(array.count))
        bytes.append(bigEndian: Int32(1))
        var element: [UInt8] = []
        for value in array {
            element.removeAll(keepingCapacity: true)
            try value.encode(into: &element)
            bytes.append(bigEndian: try length(element.count))
            bytes.append(contentsOf: element)
        }
    }

    private static func length(_ count: Int) throws -> Int32 {
        guard let length = Int32(exactly: count) else {
            throw PostgresError(.encoding, "an array of \(count) does not fit into the protocol")
        }
        return length
    }

    package static func decodeArray(from cell: Cell) throws -> [Self] {
        try cell.decodeElements()
    }
}
