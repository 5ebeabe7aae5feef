extension Query {
    /// The kind of connection that a statement needs, as far as its first word tells.
    enum Kind {
        /// Can share a connection with others.
        case plain
        /// Begins, ends or changes what belongs to a session: needs a connection of one's own.
        case session
        /// Needs a connection of one's own and somebody who feeds or drains it.
        case copy
    }

    var kind: Kind {
        var word: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): word.append(byte & 0xDF)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte)
            default:
                guard word.isEmpty, byte <= UInt8(ascii: " ") else { return Self.kind(ofWord: word) }
            }
            guard word.count < 10 else { return .plain }
        }
        return Self.kind(ofWord: word)
    }

    /// Refuses what would disturb the others on a shared connection.
    func validateShared() throws {
        try validate()
        guard kind == .plain else {
            throw PostgresError(
                .protocolViolation,
                "this statement needs withConnection or withTransaction: \(text.prefix(40))"
            )
        }
    }

    /// Refuses what cannot run in a pipeline.
    func validatePipelined() throws {
        try validate()
        guard kind != .copy else {
            throw PostgresError(.protocolViolation, "a COPY can only be run by copyIn and copyOut")
        }
    }

    private static func kind(ofWord word: [UInt8]) -> Kind {
        guard (3...9).contains(word.count) else { return .plain }
        switch String(decoding: word, as: UTF8.self) {
        case "COPY": return .copy
        case "ABORT", "BEGIN", "COMMIT", "DISCARD", "END", "LISTEN", "LOCK", "RELEASE", "RESET", "ROLLBACK",
            "SAVEPOINT", "SET", "START", "UNLISTEN":
            return .session
        default: return .plain
        }
    }
}
