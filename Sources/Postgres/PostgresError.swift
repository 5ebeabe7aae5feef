/// Everything that can go wrong between the program and the database.
package struct PostgresError: Error, Sendable {
    /// The kind of failure; decide on this, show `message`.
    package enum Code: Hashable, Sendable {
        /// The server refused the statement.
        case server(SQLState)
        /// The connection broke while the statement was under way: whether it took effect is not known.
        case connectionLost
        /// No connection could be opened.
        case connectionFailed
        /// Every connection was busy for too long, or too many were waiting already.
        case poolExhausted
        /// The pool is closing or closed.
        case poolClosed
        /// The deadline of the statement passed.
        case timeout
        /// The task was cancelled.
        case cancelled
        /// A value or the text cannot be sent, for example a NUL in a text.
        case encoding
        /// A value that came back is not what was asked for.
        case decoding
        /// The server or the caller did something the protocol does not allow here.
        case protocolViolation
        /// The migrations and the database do not fit.
        case migration
        /// The private cluster could not be made or started.
        case cluster
        /// A server answered that must not be worked with: a standby, the old primary of a failover, another cluster.
        case wrongServer
    }

    package var code: Code
    package var message: String
    package var sqlState: SQLState?
    package var constraint: String?
    /// The server's own detail; it may quote rows and values, and is then not part of the description.
    package var detail: String?
    package var hint: String?
    package var table: String?
    package var column: String?
    package var queryText: String?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.file = file
        self.line = line
        if case .server(let state) = code { sqlState = state }
    }

    init(_ code: Code, _ text: String, server: ServerMessage, file: String = #fileID, line: Int = #line) {
        self.init(code, text, file: file, line: line)
        sqlState = server.sqlState
        constraint = server.constraint
        detail = server.detail
        hint = server.hint
        table = server.table
        column = server.column
    }

    /// An error result; one that ends the session leaves open whether the statement took effect.
    init(server: ServerMessage) {
        let code = server.endsSession ? .connectionLost : server.sqlState.map(Code.server) ?? .connectionLost
        self.init(code, server.primary, server: server)
    }

    /// The message without a value that it quotes.
    package var shownMessage: String { sqlState?.withoutValues(message) ?? message }

    /// No connection was opened, and trying again does not help: somebody has to mend the settings, here or there.
    package var isFinalRefusal: Bool {
        switch code {
        case .wrongServer: true
        case .connectionFailed: sqlState.map(Self.isFinal) ?? false
        default: false
        }
    }

    private static func isFinal(_ state: SQLState) -> Bool {
        state.sqlClass == .invalidAuthorization
            || [.invalidCatalogName, .insufficientPrivilege, .clientUnableToConnect].contains(state)
    }

    /// Running the whole transaction again may succeed.
    package var isWorthRetrying: Bool {
        switch code {
        case .server(let state): state.sqlClass == .transactionRollback
        case .connectionFailed, .poolExhausted: true
        case .connectionLost, .poolClosed, .timeout, .cancelled, .encoding, .decoding, .protocolViolation, .migration,
            .cluster, .wrongServer:
            false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// For the log, so without what rows and binds hold: they may be personal data.
    package var description: String {
        var parts = ["\(code): \(shownMessage)"]
        if let sqlState, code != .server(sqlState) { parts.append("sqlState: \(sqlState)") }
        if let constraint { parts.append("constraint: \(constraint)") }
        if let table { parts.append("table: \(table)") }
        if let column { parts.append("column: \(column)") }
        if let detail, sqlState?.quotesValues != true { parts.append("detail: \(detail)") }
        if let hint { parts.append("hint: \(hint)") }
        if let queryText { parts.append("query: \(queryText)") }
        if let underlying { parts.append("underlying: \(underlying)") }
        return parts.joined(separator: "; ") + " (\(file):\(line))"
    }
}

extension PostgresError.Code: CustomStringConvertible {
    package var description: String {
        switch self {
        case .server(let state): "server \(state)"
        case .connectionLost: "connection lost"
        case .connectionFailed: "connection failed"
        case .poolExhausted: "pool exhausted"
        case .poolClosed: "pool closed"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .encoding: "encoding"
        case .decoding: "decoding"
        case .protocolViolation: "protocol violation"
        case .migration: "migration"
        case .cluster: "cluster"
        case .wrongServer: "wrong server"
        }
    }
}
