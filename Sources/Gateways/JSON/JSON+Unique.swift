extension JSON {
    /// Reads one value in which no object has two members of one name: of two, one reader takes the first and another the last.
    ///
    /// - Throws: `.malformed`.
    package init(parsingUnique bytes: [UInt8]) throws(GatewayError) {
        self = try JSON(parsing: bytes)
        guard !repeatsMember else {
            throw GatewayError(.malformed, "The message is not valid JSON: a member comes twice.")
        }
    }

    private var repeatsMember: Bool {
        switch self {
        case .object(let members):
            Set(members.map(\.name)).count != members.count || members.contains { $0.value.repeatsMember }
        case .array(let elements): elements.contains { $0.repeatsMember }
        case .null, .bool, .integer, .number, .string: false
        }
    }
}
