import TestSupport
import Testing

@testable import Postgres

@Suite("Connection strings", .timeLimit(.minutes(15)))
struct ConnectionParametersTests {
    @Test(
        "what libpq refuses by itself is told from what the server says, and from the way to it",
        arguments: [
            (#"invalid connection option "prt""#, true),
            (#"invalid sslmode value: "foo""#, true),
            ("could not match 3 port numbers to 2 hosts", true),
            (#"definition of service "nosuch" not found"#, true),
            (#"connection to server on socket "/s/.s.PGSQL.5432" failed: invalid integer value "x""#, true),
            (#"connection to server at "a", port 1 failed: server does not support SSL, but SSL was required"#, true),
            (#"connection to server at "a", port 1 failed: root certificate file "/x" does not exist"#, true),
            (
                """
                connection to server at "a", port 5432 failed: server does not support SSL, but SSL was required
                connection to server at "b", port 5432 failed: Connection refused
                \tIs the server running on that host and accepting TCP/IP connections?
                """, false
            ),
            (#"connection to server on socket "/certificate/.s.PGSQL.5432" failed: No such file or directory"#, false),
            (#"connection to server at "a", port 5432 failed: FATAL:  certificate authentication failed"#, false),
            (#"could not translate host name "certificate.example.com" to address: Name or service not known"#, false),
        ] as [(String, Bool)]
    )
    func refusals(message: String, isRefusal: Bool) {
        #expect(ConnectionParameters.areRefused(by: message) == isRefusal)
    }

    @Test("a string that cannot be read is refused for good, and the name of a database is no such string")
    func reading() throws {
        let error = #expect(throws: PostgresError.self) { try ConnectionParameters.parse("host=127.0.0.1 prt=5") }
        #expect(error?.isFinalRefusal == true && error?.message.contains("prt") == true)
        #expect(try ConnectionParameters.parse("perennial") == ["dbname": "perennial"])
        #expect(try ConnectionParameters.parse("postgresql://db.example.com/x")["host"] == "db.example.com")
    }

    @Test("nobody waits for a database whose connection string cannot be used", arguments: ["prt=5", "sslmode=foo"])
    func noWaiting(setting: String) async throws {
        var configuration = PoolConfiguration(connectionString: "host=127.0.0.1 \(setting)")
        configuration.acquireTimeout = .seconds(60)
        let startedAt = ContinuousClock.now
        try await withPool(configuration) { pool in
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
            #expect(error?.sqlState == .clientUnableToConnect)
        }
        #expect(startedAt.duration(to: .now) < .seconds(30))
    }

    @Test("a role that may not connect to the database is refused for good")
    func insufficientPrivilege() {
        var error = PostgresError(.connectionFailed, #"FATAL:  permission denied for database "perennial""#)
        error.sqlState = .insufficientPrivilege
        #expect(error.isFinalRefusal)
    }
}
