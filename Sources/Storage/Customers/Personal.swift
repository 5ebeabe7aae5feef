package import Postgres

/// Something that tells of a person: a name, an address, what somebody wrote about a customer, what a store sent.
///
/// It cannot be shown by mistake to a viewer who may not read it: neither templates nor JSON nor CSV take this type,
/// its own description says nothing, and only a reader opens it. The statements of `Queries` leave it in the database
/// besides where the reader may not have it.
package struct Personal<Value: Sendable>: Sendable {
    private let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// The value; nil for a reader who may not see it.
    package func shown(to reader: some PersonalDataReader) -> Value? {
        reader.seesPersonalData ? value : nil
    }

    /// The value as a transaction writes it down somewhere else.
    package func kept(in transaction: WriteTransaction) -> Value {
        value
    }
}

/// A viewer who may or may not see personal data: a session, a token, the reader of a page, the operator.
package protocol PersonalDataReader {
    /// True if names, addresses and notes about customers may be shown (product.md, roles).
    var seesPersonalData: Bool { get }
}

extension Personal: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(personal data)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Personal: Equatable where Value: Equatable {}
extension Personal: Hashable where Value: Hashable {}

extension Personal: ExpressibleByUnicodeScalarLiteral where Value == String {
    package init(unicodeScalarLiteral value: String) { self.init(value) }
}

extension Personal: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
    package init(extendedGraphemeClusterLiteral value: String) { self.init(value) }
}

extension Personal: ExpressibleByStringLiteral where Value == String {
    package init(stringLiteral value: String) { self.init(value) }
}

extension Personal: PostgresEncodable where Value: PostgresEncodable {
    package static var postgresType: PostgresType { Value.postgresType }

    package func encode(into bytes: inout [UInt8]) throws {
        try value.encode(into: &bytes)
    }
}

extension Personal: PostgresDecodable where Value: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        self.init(try Value(postgres: cell))
    }
}
