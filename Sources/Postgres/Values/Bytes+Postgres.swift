/// `[UInt8]` is `bytea`.
extension UInt8: PostgresArrayElement {
    package static var postgresArrayType: PostgresType { .bytea }

    package static func encode(array: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: array)
    }

    package static func decodeArray(from cell: Cell) throws -> [UInt8] {
        guard cell.type == .bytea else { throw cell.mismatch("is no bytea") }
        return try cell.withBytes { Array($0) }
    }
}
