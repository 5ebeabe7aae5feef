extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package init(postgres cell: Cell) throws {
        self = try cell.narrowedInteger()
    }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package init(postgres cell: Cell) throws {
        self = try cell.narrowedInteger()
    }
}

extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package init(postgres cell: Cell) throws {
        self = try cell.narrowedInteger()
    }
}

extension Int: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int64(self))
    }

    package init(postgres cell: Cell) throws {
        self = try cell.narrowedInteger()
    }
}

extension Cell {
    /// Any integer column whose value fits.
    fileprivate func narrowedInteger<Value: FixedWidthInteger>() throws -> Value {
        let wide: Int64
        switch type {
        case .int8: wide = try integer(Int64.self)
        case .int4: wide = Int64(try integer(Int32.self))
        case .int2: wide = Int64(try integer(Int16.self))
        default: throw mismatch("is no integer")
        }
        guard let value = Value(exactly: wide) else { throw mismatch("holds \(wide), too large for \(Value.self)") }
        return value
    }
}

extension [UInt8] {
    /// Appends an integer in network order.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
