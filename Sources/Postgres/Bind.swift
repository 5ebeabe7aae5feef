/// One parameter of a query: its type and binary form, nil bytes for NULL.
package struct Bind: Sendable, Hashable {
    package let type: PostgresType
    package let bytes: [UInt8]?

    package init(type: PostgresType, bytes: [UInt8]?) {
        self.type = type
        self.bytes = bytes
    }

    init<Value: PostgresEncodable>(_ value: Value) throws {
        var bytes: [UInt8] = []
        try value.encode(into: &bytes)
        self.init(type: Value.postgresType, bytes: bytes)
    }
}
