extension JSON {
    /// The deepest nesting of arrays and objects; a store's own messages need six levels.
    package static let maximumDepth = 32

    /// Reads exactly one value (RFC 8259). Throws `.malformed` also for what PostgreSQL's jsonb cannot keep:
    /// U+0000, half a surrogate pair, a number without bound.
    package init(parsing bytes: [UInt8]) throws(GatewayError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }
}
