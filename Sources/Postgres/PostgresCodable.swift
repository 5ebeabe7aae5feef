/// A value that can be a bind of a query, in PostgreSQL's binary format.
package protocol PostgresEncodable: Sendable {
    /// The type announced to the server; it must be what `encode` writes.
    static var postgresType: PostgresType { get }

    /// Appends the value's binary form; throws `PostgresError` with `.encoding` when the server could not take it.
    func encode(into bytes: inout [UInt8]) throws
}

/// A value that can be read from a column, in PostgreSQL's binary format.
package protocol PostgresDecodable {
    /// Throws `PostgresError` with `.decoding` when the column is of another type or NULL.
    init(postgres cell: Cell) throws
}

/// Both directions.
package typealias PostgresCodable = PostgresEncodable & PostgresDecodable

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }

    package func encode(into bytes: inout [UInt8]) throws {
        try rawValue.encode(into: &bytes)
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        let raw = try RawValue(postgres: cell)
        guard let value = Self(rawValue: raw) else { throw cell.mismatch("\(raw) is no \(Self.self)") }
        self = value
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        self = cell.isNull ? nil : try Wrapped(postgres: cell)
    }
}
