extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(self ? 1 : 0)
    }

    package init(postgres cell: Cell) throws {
        guard cell.type == .bool else { throw cell.mismatch("is no boolean") }
        self = try cell.integer(UInt8.self) != 0
    }
}
