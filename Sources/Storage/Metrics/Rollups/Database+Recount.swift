import Postgres

extension Database {
    /// Runs `body` in a transaction that sees the database as it is at one moment, where the tables of sums are temporary ones,
    /// empty at first. What is counted in them is seen by nobody, waits for nobody and keeps nobody waiting; they go with the
    /// transaction, and what else it wrote stays.
    ///
    /// - Throws: what `body` throws; `RecountOvertaken` where another server wrote what this one did.
    package func recount<R: Sendable>(_ body: (WriteTransaction) async throws -> R) async throws -> R {
        do {
            let now = self.now
            return try await writing.withTransaction(at: .repeatableRead) { connection in
                let transaction = WriteTransaction(connection: connection, time: TransactionTime(at: now, by: nil))
                try await transaction.shadowMetrics()
                return try await body(transaction)
            }
        } catch let error as PostgresError where error.sqlState == .serializationFailure {
            throw RecountOvertaken()
        }
    }

    /// Waits until every transaction has ended that wrote something before now: one of them may still count by settings that
    /// have changed since.
    package func awaitWriters() async throws {
        // A transaction that writes holds its own id; a snapshot would also wait for those of the cluster's other databases.
        let writers: Query = """
            SELECT l.transactionid::text
            FROM pg_locks l
            JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND a.datname = current_database()
            """
        let running = Set(try await writing.query(writers).map { try $0.decode(0, as: String.self) })
        while try await !running.isDisjoint(with: writing.query(writers).map { try $0.decode(0, as: String.self) }) {
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// Another server counted the same app again meanwhile, or its settings changed: what was found holds no more.
package struct RecountOvertaken: Error {}

extension WriteTransaction {
    /// Temporary tables stand before all others where a name is looked up; statements that were planned before are planned again.
    fileprivate func shadowMetrics() async throws {
        try await query(
            """
            DO $$
            DECLARE
                original record;
                part record;
            BEGIN
                FOR original IN
                    SELECT c.oid, c.relname AS name
                    FROM pg_class c
                    WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN (
                        'rollups', 'rollup_entries', 'rollup_months', 'rollup_days')
                LOOP
                    EXECUTE format('CREATE TEMPORARY TABLE %1$I (LIKE public.%1$I INCLUDING DEFAULTS INCLUDING IDENTITY) ON COMMIT DROP',
                        original.name);
                    FOR part IN
                        SELECT conname AS name, pg_get_constraintdef(oid) AS definition
                        FROM pg_constraint
                        WHERE conrelid = original.oid AND contype IN ('p', 'u')
                    LOOP
                        EXECUTE format('ALTER TABLE pg_temp.%I ADD CONSTRAINT %I %s', original.name, part.name, part.definition);
                    END LOOP;
                    FOR part IN
                        SELECT pg_get_indexdef(i.indexrelid) AS definition
                        FROM pg_index i
                        WHERE i.indrelid = original.oid
                            AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
                    LOOP
                        EXECUTE replace(part.definition, ' ON public.', ' ON pg_temp.');
                    END LOOP;
                END LOOP;
            END $$
            """
        )
        try await query("DISCARD PLANS")
    }
}
