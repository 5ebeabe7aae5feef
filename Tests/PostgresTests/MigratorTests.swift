import Postgres
import TestSupport
import Testing

@Suite("Migrator", .timeLimit(.minutes(10)))
struct MigratorTests {
    typealias Migration = Migrator.Migration

    private let first = Migration(name: "0001_plans", sql: "CREATE TABLE plans (id int8); CREATE INDEX ON plans (id);")
    private let second = Migration(name: "0002_rows", sql: "INSERT INTO plans VALUES (1);")

    @Test("migrations are applied once, in the order of their names")
    func order() async throws {
        try await withDatabase { pool async throws in
            let migrator = Migrator([second, first])
            #expect(try await migrator.pending(on: pool) == ["0001_plans", "0002_rows"])
            #expect(try await migrator.run(on: pool, logger: .quiet) == ["0001_plans", "0002_rows"])
            #expect(try await migrator.run(on: pool, logger: .quiet) == [])
            #expect(try await migrator.pending(on: pool) == [])
            #expect(try await pool.query("SELECT count(*) FROM plans")[0].decode(Int.self) == 1)
        }
    }

    @Test("servers that start at once apply each migration once")
    func atOnce() async throws {
        let configuration = PoolConfiguration.patient(try await TestDatabase.make())
        let slow = Migration(name: "0003_slow", sql: "SELECT pg_sleep(0.2); INSERT INTO plans VALUES (2);")
        let migrator = Migrator([first, second, slow])
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await withPool(configuration) { try await migrator.run(on: $0, logger: .quiet) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == ["0001_plans", "0002_rows", "0003_slow"])
        try await withPool(configuration) { pool async throws in
            #expect(try await pool.query("SELECT count(*) FROM plans")[0].decode(Int.self) == 2)
        }
    }

    @Test("where nothing is to do nobody waits for a migrator; where something is, the error says who has the turn")
    func turns() async throws {
        try await withDatabase { pool async throws in
            _ = try await Migrator([first]).run(on: pool, logger: .quiet)
            try await pool.withConnection { holder in
                _ = try await holder.query("SELECT pg_advisory_lock(\(Int64(0x7065_7265_6e6e_6961)))")
                #expect(try await Migrator([first]).run(on: pool, logger: .quiet) == [])
                let error = await #expect(throws: PostgresError.self) {
                    try await Migrator([first, second]).run(on: pool, logger: .quiet, patience: .seconds(1))
                }
                #expect(error?.code == .migration)
                let told = "the session with pid \(holder.processID) (application_name perennial) has kept the turn"
                #expect(error?.message.contains("\(told) for 1 s") == true)
                #expect(error?.message.contains("pg_terminate_backend") == true)
                _ = try await holder.query("SELECT pg_advisory_unlock_all()")
            }
            #expect(try await Migrator([first, second]).run(on: pool, logger: .quiet) == ["0002_rows"])
        }
    }

    @Test("a database that is read-only is as good as any while its schema is current, and else the error says why")
    func readOnly() async throws {
        let database = try await TestDatabase.make()
        try await withPool(PoolConfiguration.patient(database)) { pool async throws in
            _ = try await Migrator([first]).run(on: pool, logger: .quiet)
        }
        var configuration = PoolConfiguration.patient(database)
        configuration.isReadOnly = true
        try await withPool(configuration) { pool async throws in
            #expect(try await Migrator([first]).run(on: pool, logger: .quiet) == [])
            let error = await #expect(throws: PostgresError.self) {
                try await Migrator([first, second]).run(on: pool, logger: .quiet)
            }
            #expect(error?.code == .migration)
            #expect(error?.message.contains("default_transaction_read_only") == true)
        }
    }

    @Test("a migration that fails leaves nothing behind, and those before it stay")
    func failing() async throws {
        try await withDatabase { pool async throws in
            let broken = Migration(name: "0002_broken", sql: "CREATE TABLE half (); SELEKT 1;")
            let error = await #expect(throws: PostgresError.self) {
                try await Migrator([first, broken]).run(on: pool, logger: .quiet)
            }
            #expect(error?.code == .migration)
            #expect(error?.message.contains("0002_broken") == true)
            #expect(try await pool.query("SELECT to_regclass('half') IS NULL")[0].decode(Bool.self))
            #expect(try await Migrator([first, second]).run(on: pool, logger: .quiet) == ["0002_rows"])
        }
    }

    @Test("a changed, an unknown and a late migration are refused by name")
    func misfits() async throws {
        try await withDatabase { pool async throws in
            _ = try await Migrator([first, second]).run(on: pool, logger: .quiet)
            let changed = Migration(name: "0002_rows", sql: "INSERT INTO plans VALUES (3);")
            let late = Migration(name: "0001_zz", sql: "SELECT 1;")
            for (migrations, name) in [
                ([first, changed], "0002_rows"), ([first], "0002_rows"), ([first, late, second], "0001_zz"),
            ] {
                let error = await #expect(throws: PostgresError.self) {
                    try await Migrator(migrations).run(on: pool, logger: .quiet)
                }
                #expect(error?.code == .migration)
                #expect(error?.message.contains(name) == true)
                await #expect(throws: PostgresError.self) { try await Migrator(migrations).pending(on: pool) }
            }
            #expect(try await Migrator([first, second]).run(on: pool, logger: .quiet) == [])
        }
    }

    @Test("what fails is told in one line that says why and what to do, without SQL and places in the source")
    func failureText() async throws {
        try await withDatabase { pool async throws in
            let broken = Migration(name: "0002_broken", sql: "CREATE TABLE plans ();")
            let error = await #expect(throws: PostgresError.self) {
                try await Migrator([first, broken]).run(on: pool, logger: .quiet)
            }
            #expect(
                error?.message
                    == "the migration 0002_broken failed, and the schema is as it was before it: relation \"plans\" already "
                    + "exists. Somebody has changed the schema by hand: put it back as sql/schema.sql of the version before has it"
            )
        }
    }

    @Test(
        "a schema that belongs to another program is refused, and nothing is changed in it",
        arguments: [
            "CREATE TABLE posts (id int8)", "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE schema_migrations (version text)",
        ]
    )
    func foreign(sql: String) async throws {
        try await withDatabase { pool async throws in
            _ = try await pool.query(Query(unsafe: sql))
            let count: Query = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            let before = try await pool.query(count)[0].decode(Int.self)
            for attempt in [
                { @Sendable in _ = try await Migrator([first]).run(on: pool, logger: .quiet) },
                { @Sendable in _ = try await Migrator([first]).pending(on: pool) },
            ] {
                let error = await #expect(throws: PostgresError.self) { try await attempt() }
                #expect(error?.code == .migration)
                #expect(error?.message.contains("belongs to another program") == true)
                #expect(error?.message.contains("a database of its own") == true)
            }
            #expect(try await pool.query(count)[0].decode(Int.self) == before)
        }
    }

    @Test("a database begins with its first migration; to ask for it makes nothing")
    func begun() async throws {
        try await withDatabase { pool async throws in
            let migrator = Migrator([first, second])
            #expect(try await migrator.hasBegun(on: pool) == false)
            let count: Query = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            #expect(try await pool.query(count)[0].decode(Int.self) == 0)
            _ = try await Migrator([first]).run(on: pool, logger: .quiet)
            #expect(try await migrator.hasBegun(on: pool))
        }
    }

    @Test("the migrations of another program in a further schema of the search path are not taken for ours")
    func neighbour() async throws {
        let database = try await TestDatabase.make()
        try await withPool(PoolConfiguration.patient(database)) { pool async throws in
            _ = try await pool.query("CREATE TABLE schema_migrations (version text)")
            _ = try await pool.query("CREATE SCHEMA ours")
        }
        let ours = PoolConfiguration.patient("\(database) options='-c search_path=ours,public'")
        try await withPool(ours) { pool async throws in
            let migrator = Migrator([first])
            #expect(try await migrator.hasBegun(on: pool) == false)
            #expect(try await migrator.run(on: pool, logger: .quiet) == ["0001_plans"])
            #expect(try await migrator.hasBegun(on: pool))
        }
    }

    @Test("a template database has its migrations applied")
    func template() async throws {
        try await withDatabase(template: DatabaseTemplate([first, second])) { pool async throws in
            #expect(try await pool.query("SELECT count(*) FROM plans")[0].decode(Int.self) == 1)
            #expect(try await Migrator([first, second]).pending(on: pool) == [])
        }
    }
}
