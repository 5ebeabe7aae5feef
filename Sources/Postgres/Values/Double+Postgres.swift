extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: bitPattern)
    }

    package init(postgres cell: Cell) throws {
        switch cell.type {
        case .float8: self.init(bitPattern: try cell.integer())
        case .float4: self.init(Float(bitPattern: try cell.integer()))
        default: throw cell.mismatch("is no floating-point number")
        }
    }
}
