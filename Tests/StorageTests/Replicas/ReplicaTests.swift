import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Reading from a replica") struct ReplicaTests {
    @Test("the primary itself may be named as its replica")
    func itself() async throws {
        try await TestShop.run { pool, _ in
            let replica = Replica(pool: pool, fallback: pool, maximumAge: .seconds(600))
            #expect(replica.problem != nil)
            let status = await replica.look(patience: .seconds(60))
            #expect(status.problem == nil && replica.problem == nil)
            let database = Database(writing: pool, replica: replica, doorTimeout: .patient)
            let rows = try await database.read { try await $0.query("SELECT 7") }
            #expect(try rows[0].decode(Int32.self) == 7)
        }
    }

    @Test("one that was promoted is not read, though its data says nothing of it")
    func promoted() async throws {
        try await Self.run { standby in
            #expect(try await standby.answers())
            try await standby.set(isInRecovery: false, position: "FFFF/0")
            // This holds before anybody has looked, too.
            #expect(try await !standby.answers())
            let problem = try #require(await standby.replica.look(patience: .seconds(60)).problem)
            #expect(problem.hasPrefix("it takes writes of its own (on timeline 1, the primary is on 1)"))
            #expect(try await !standby.answers())
            try await standby.set(isInRecovery: true, position: "FFFF/0")
            #expect(await standby.replica.look(patience: .seconds(60)).problem == nil)
            #expect(try await standby.answers())
        }
    }

    @Test("a connection that leads to a server which is further behind than the one that was looked at is not read")
    func oneOfSeveral() async throws {
        try await Self.run { standby in
            #expect(try await standby.answers())
            try await standby.set(isInRecovery: true, position: "0/1")
            #expect(try await !standby.answers())
            let list = try await standby.database.read {
                $0.screens.export(OrderFilter(), app: TestShop.app, seesPersonalData: false)
            }
            var pieces = 0
            try await standby.database.export(list, offset: { _ in 0 }) { _, _ in pieces += 1 }
            #expect(pieces == 1)
        }
    }

    @Test("what somebody has written is noted for every server, in a table that outlives a crash")
    func noted() async throws {
        try await Self.run { standby in
            let staff = Staff.ID(UUID())
            _ = try await standby.pool.query(
                """
                INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
                VALUES (\(staff), 'ada@example.com', 'Ada', 'admin', '-', now(), now())
                """
            )
            try await standby.database.answering(staff) {
                _ = try await standby.database.writeAlone("UPDATE staff SET name = 'Ada L.'")
                #expect(try await !standby.answers())
            }
            let row = try await standby.pool.query(
                """
                SELECT written_up_to > '0/1', (SELECT relpersistence::text FROM pg_class WHERE relname = 'staff_writes')
                FROM staff_writes
                """
            )[0]
            #expect(try row.decode(Bool.self, String.self) == (true, "p"))
            let later = try await standby.database.answering(staff) { try await standby.answers() }
            #expect(later)
            _ = try await standby.pool.query("UPDATE staff_writes SET written_up_to = 'FFFF/1'")
            let ahead = try await standby.database.answering(staff) { try await standby.answers() }
            #expect(!ahead)
        }
    }

    @Test("nobody is sent there by what was noted before a start of the primary that has not been seen yet")
    func startedAnew() async throws {
        try await Self.run { standby in
            try await withPool(standby.configuration(reading: "restarted")) { restarted in
                let database = Database(writing: restarted, replica: standby.replica, doorTimeout: .patient)
                #expect(try await standby.answers())
                let isAnswered = try await database.answering(Staff.ID(UUID())) {
                    try await standby.answers(database)
                }
                #expect(!isAnswered)
            }
        }
    }

    private static func run(_ body: (TestStandby) async throws -> Void) async throws {
        try await TestShop.run { pool, _ in
            try await pool.withConnection { try await $0.execute(script: TestStandby.script) }
            let standby = TestStandby.configuration(of: pool, reading: "standby")
            try await withPool(standby) { reading in
                let replica = Replica(pool: reading, fallback: pool, maximumAge: .seconds(600))
                let database = Database(writing: pool, replica: replica, doorTimeout: .patient)
                let test = TestStandby(pool: pool, replica: replica, database: database)
                #expect(await replica.look(patience: .seconds(60)).problem == nil)
                try await body(test)
            }
        }
    }
}

/// The same database under another name, posing as a standby in the state that the test sets.
private struct TestStandby {
    let pool: Pool
    let replica: Replica
    let database: Database

    /// Returns true if the standby answers a screen, and not the primary.
    func answers(_ database: Database? = nil) async throws -> Bool {
        try await (database ?? self.database).read {
            try await $0.query("SELECT current_setting('search_path') LIKE 'standby,%'")[0].decode(Bool.self)
        }
    }

    func set(isInRecovery: Bool, position: String) async throws {
        _ = try await pool.query(
            "UPDATE standby.status SET is_in_recovery = \(isInRecovery), place = \(position)::text::pg_lsn"
        )
    }

    func configuration(reading schema: String) -> PoolConfiguration { Self.configuration(of: pool, reading: schema) }

    static func configuration(of pool: Pool, reading schema: String) -> PoolConfiguration {
        var configuration = pool.configuration
        configuration.connectionString += " options='-csearch_path=\(schema),pg_catalog,public'"
        return configuration
    }

    static let script = """
        CREATE SCHEMA standby;
        CREATE TABLE standby.status (is_in_recovery boolean, place pg_lsn);
        INSERT INTO standby.status VALUES (true, 'FFFF/0');
        CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql
            AS 'SELECT is_in_recovery FROM standby.status';
        CREATE FUNCTION standby.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql
            AS 'SELECT place FROM standby.status';
        CREATE FUNCTION standby.pg_is_wal_replay_paused() RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION standby.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql
            AS $$ SELECT timestamptz '2020-01-01' $$;
        CREATE SCHEMA restarted;
        CREATE FUNCTION restarted.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()';
        """
}
