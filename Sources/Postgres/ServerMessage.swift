/// An error or a notice from the server.
struct ServerMessage: Sendable {
    var severity: String
    var primary: String
    var sqlState: SQLState?
    var detail: String?
    var hint: String?
    var table: String?
    var column: String?
    var constraint: String?

    /// The session ends with this message.
    var endsSession: Bool { severity == "FATAL" || severity == "PANIC" }
}
