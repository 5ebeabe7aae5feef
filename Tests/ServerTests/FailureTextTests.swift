import Operations
import Postgres
import Server
import Testing

@Suite("What the terminal is told") struct FailureTextTests {
    @Test("one line, without codes and places in the source")
    func oneLine() throws {
        let errors: [any Error] = [
            OperationsError(.invalid, "A role is one of these.\nOr those."),
            PostgresError(
                .connectionFailed,
                "connection to server at \"127.0.0.1\", port 1 failed: Connection refused\n\tIs the server running?"
            ),
            PostgresError(.server(.undefinedTable), "relation \"x\" does not exist"),
            PostgresError(.cluster, "initdb cannot be found"),
            PostgresError(.migration, "the database is newer"),
        ]
        for error in errors {
            let text = try #require(FailureText.text(of: error))
            #expect(!text.contains("\n"))
            #expect(!text.contains(".swift"))
            #expect(!text.contains("underlying"))
            #expect(text.hasSuffix(".") || text.hasSuffix("?"), "\(text)")
        }
        #expect(FailureText.text(of: errors[0]) == "A role is one of these. Or those.")
        #expect(FailureText.text(of: errors[1])?.contains("Connection refused") == true)
        #expect(FailureText.text(of: CancellationError()) == nil)
    }

    @Test("what somebody has to change is named")
    func mends() {
        func text(_ state: SQLState, _ message: String, underlying: (any Error)? = nil) -> String {
            var error = PostgresError(.connectionFailed, message, underlying: underlying)
            error.sqlState = state
            return FailureText.text(of: error) ?? ""
        }
        let denied = "connection to server at \"a\" failed: FATAL:  permission denied for database \"x\"\nDETAIL:  No."
        #expect(text(.insufficientPrivilege, denied).contains("database \"x\". Let the role in: GRANT CONNECT"))
        let unknown = text(.clientUnableToConnect, "invalid connection option \"prt\"")
        #expect(unknown.hasPrefix("The connection string cannot be used: invalid connection option \"prt\". Correct"))
        #expect(text(.tooManyConnections, "FATAL:  too many connections for role \"x\"").contains("max_connections"))
        let refused = PostgresError(.server(.insufficientPrivilege), "permission denied for table staff")
        #expect(FailureText.text(of: refused)?.hasSuffix("the owner of the schema and its tables.") == true)
    }
}
