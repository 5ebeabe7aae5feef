import Postgres

/// A database, and the pool that stays connected to it.
struct LentDatabase: Sendable {
    let name: String
    let template: DatabaseTemplate
    let pool: Pool
    private let running: Task<Void, any Error>
    private let rows: StandingRows
    /// A digest of the catalogue and the statistics before any test changed them.
    private let shape: String

    init(
        name: String,
        template: DatabaseTemplate,
        rows: StandingRows,
        configuration: PoolConfiguration
    ) async throws {
        self.name = name
        self.template = template
        self.rows = rows
        let pool = Pool(configuration, logger: .quiet)
        self.pool = pool
        running = Task { try await pool.run() }
        shape = try await pool.query(Self.reading)[0].decode(String.self)
    }

    /// Returns false if anything was analyzed meanwhile, after which queries are planned otherwise than in a new database.
    func isAsNew() async throws -> Bool {
        try await pool.query(Self.reading)[0].decode(String.self) == shape
    }

    /// Restores the tables to the template's rows, and nothing else. Returns false if the tables themselves have changed, or
    /// somebody is still at work in them.
    func restore() async throws -> Bool {
        do {
            return try await pool.withTransaction { connection in
                try await connection.execute(script: Self.emptying + rows.script)
                return try await connection.query(Self.reading)[0].decode(String.self) == shape
            }
        } catch is PostgresError {
            return false
        }
    }

    func drop() async throws {
        running.cancel()
        _ = await running.result
        try await TestCluster.shared.cluster().dropDatabase(named: name)
    }

    /// Deletes rows without their triggers, most of which would refuse. A table that had many rows, or was analyzed, would be
    /// planned otherwise than a new one; a session that is still at work would write into the next test.
    private static let emptying = """
        SET LOCAL session_replication_role = replica;
        SET LOCAL lock_timeout = '5s';
        DO $$
        DECLARE
            place regclass;
            gone bigint;
        BEGIN
            FOR place IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            LOOP
                CONTINUE WHEN pg_relation_size(place) = 0 OR place::text = 'schema_migrations';
                EXECUTE format('DELETE FROM %s', place);
                GET DIAGNOSTICS gone = ROW_COUNT;
                IF gone > 1000 THEN RAISE EXCEPTION 'many rows'; END IF;
            END LOOP;
            PERFORM setval(format('%I.%I', schemaname, sequencename), start_value, false)
            FROM pg_sequences WHERE last_value IS NOT NULL;
            IF EXISTS (
                SELECT FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
            ) THEN RAISE EXCEPTION 'somebody is at work'; END IF;
        END $$;

        """

    /// Reads a digest of the catalogue's rows with their transactions, and of the statistics.
    private static let reading: Query = """
        SELECT md5(concat_ws(' ',
            (SELECT string_agg(concat_ws(',', oid, xmin, reltuples), ' ' ORDER BY oid) FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v', 'm')),
            (SELECT string_agg(concat_ws(',', indexrelid, xmin), ' ' ORDER BY indexrelid) FROM pg_index
                WHERE indrelid > 16383),
            (SELECT string_agg(concat_ws(',', oid, xmin), ' ' ORDER BY oid) FROM pg_trigger),
            (SELECT string_agg(concat_ws(',', oid, xmin), ' ' ORDER BY oid) FROM pg_constraint WHERE oid > 16383),
            (SELECT string_agg(concat_ws(',', oid, xmin), ' ' ORDER BY oid) FROM pg_proc WHERE oid > 16383),
            (SELECT string_agg(concat_ws(',', setdatabase, setrole, setconfig), ' ') FROM pg_db_role_setting),
            (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE l.locktype = 'advisory' AND d.datname = current_database()),
            (SELECT count(*) FROM schema_migrations)
        ))
        """
}
