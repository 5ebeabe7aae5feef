import Foundation
import Logging
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("The audit chain") struct AuditChainTests {
    @Test("entries are chained in the order in which they are committed, and the chain is whole")
    func whole() async throws {
        try await Self.withBackOffice { office, pool in
            #expect(try await office.verifyAuditChain() == .intact(AuditMark(number: 0, hash: Self.genesis)))
            try await Self.write(5, office)
            guard case .intact(let mark) = try await office.verifyAuditChain() else {
                Issue.record("the chain is broken")
                return
            }
            #expect(mark.number == 5)
            #expect(AuditMark(mark.description) == mark)
            let order = try await pool.query(
                "SELECT e.object_id FROM audit_chain c JOIN audit_entries e ON e.id = c.entry_id ORDER BY c.number"
            ).map { try $0.decode(0, as: String.self) }
            #expect(order == ["0", "1", "2", "3", "4"])
        }
    }

    @Test("what was rolled back leaves no link")
    func rollback() async throws {
        struct Undone: Error {}
        try await Self.withBackOffice { office, pool in
            await #expect(throws: Undone.self) {
                try await office.database.write { transaction in
                    try await transaction.audit.append(AuditEntry(actor: "a", action: "b.c"))
                    throw Undone()
                }
            }
            try await Self.write(1, office)
            guard case .intact(let mark) = try await office.verifyAuditChain() else {
                Issue.record("the chain is broken")
                return
            }
            #expect(mark.number == 1)
        }
    }

    @Test("a writer who takes their time holds nobody up")
    func late() async throws {
        try await Self.withBackOffice { office, pool in
            try await office.database.write { transaction in
                try await transaction.audit.append(AuditEntry(actor: "slow", action: "a.b"))
                try await Self.write(3, office)
            }
            let last = try await pool.query(
                "SELECT e.actor FROM audit_chain c JOIN audit_entries e ON e.id = c.entry_id WHERE c.number = 4"
            ).first?.decode(0, as: String.self)
            #expect(last == "slow")
            #expect(try await Self.isWhole(office))
        }
    }

    @Test("writers side by side make one chain")
    func concurrent() async throws {
        try await Self.withBackOffice { office, pool in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for number in 0..<25 {
                            let entry = AuditEntry(actor: "w\(writer)", action: "a.b", objectID: "\(number)")
                            if number.isMultiple(of: 2) {
                                try await office.database.appendToAuditLog(entry)
                            } else {
                                try await office.database.write { transaction in
                                    try await transaction.audit.append(entry)
                                    try await transaction.audit.append(entry)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            guard case .intact(let mark) = try await office.verifyAuditChain() else {
                Issue.record("the chain is broken")
                return
            }
            #expect(mark.number == 8 * (13 + 2 * 12))
        }
    }

    @Test(
        "a change of any column is found and named",
        arguments: [
            ("at", "at + interval '1 microsecond'"), ("app_id", "gen_random_uuid()"),
            ("staff_id", "gen_random_uuid()"), ("actor", "actor || 'x'"), ("role", "'analyst'"),
            ("action", "'b.c'"), ("object_type", "NULL"), ("object_id", "object_id || ' '"),
            ("before", "'{\"a\": \"2\"}'"), ("after", "NULL"), ("reason", "''"), ("request_id", "'r2'"),
            ("address", "'192.0.2.2'"), ("id", "gen_random_uuid()"), ("customer_id", "gen_random_uuid()"),
        ]
    )
    func tampering(_ column: String, _ value: String) async throws {
        try await Self.withBackOffice { office, pool in
            try await Self.write(5, office)
            let third = try #require(
                try await pool.query("SELECT entry_id FROM audit_chain WHERE number = 3").first
            ).decode(0, as: UUID.self)
            try await Self.aroundTriggers(
                pool,
                "UPDATE audit_entries SET \(column) = \(value) WHERE id = '\(third.uuidString)'"
            )
            guard case .broken(let found) = try await office.verifyAuditChain() else {
                Issue.record("a changed \(column) is not found")
                return
            }
            #expect(found == AuditBreak(number: 3, entry: third, finding: column == "id" ? .entryGone : .changed))
        }
    }

    @Test(
        "removed, added and exchanged entries are found",
        arguments: [
            ("DELETE FROM audit_entries e USING audit_chain c WHERE c.entry_id = e.id AND c.number = 2", 2, .entryGone),
            ("DELETE FROM audit_chain WHERE number = 2", 2, .linkGone),
            ("DELETE FROM audit_chain WHERE number = 1", 1, .linkGone),
            ("DELETE FROM audit_chain WHERE number >= 4", 4, .endGone),
            ("DELETE FROM audit_chain", 1, .endGone),
            ("UPDATE audit_head SET number = 4, hash = (SELECT hash FROM audit_chain WHERE number = 4)", 4, .headWrong),
            ("UPDATE audit_head SET hash = sha256('x')", 5, .headWrong),
            ("DELETE FROM audit_head", nil, .headWrong),
            ("UPDATE audit_chain SET hash = sha256('x') WHERE number = 3", 3, .changed),
            (
                """
                UPDATE audit_chain SET number = -number; UPDATE audit_chain
                SET number = CASE number WHEN -2 THEN 3 WHEN -3 THEN 2 ELSE -number END
                """, 2, .changed
            ),
            (
                "INSERT INTO audit_entries (id, at, actor, action) VALUES (gen_random_uuid(), now(), 'a', 'b.c')", nil,
                .notChained
            ),
        ] as [(String, Int64?, AuditBreak.Finding)]
    )
    func removal(_ sql: String, _ number: Int64?, _ finding: AuditBreak.Finding) async throws {
        try await Self.withBackOffice { office, pool in
            try await Self.write(5, office)
            if sql.contains("-number") {
                try await pool.withConnection {
                    try await $0.execute(script: "ALTER TABLE audit_chain DROP CONSTRAINT links_are_counted_from_one")
                }
            }
            try await Self.aroundTriggers(pool, sql)
            guard case .broken(let found) = try await office.verifyAuditChain() else {
                Issue.record("not found: \(sql)")
                return
            }
            #expect(found.number == number)
            #expect(found.finding == finding)
            #expect(!found.text.isEmpty)
        }
    }

    @Test("who remembers a mark finds a chain that was made anew")
    func remembered() async throws {
        try await Self.withBackOffice { office, pool in
            try await Self.write(3, office)
            guard case .intact(let mark) = try await office.verifyAuditChain() else {
                Issue.record("the chain is broken")
                return
            }
            try await Self.write(2, office)
            #expect(try await Self.isWhole(office, remembered: mark))
            try await Self.aroundTriggers(
                pool,
                """
                UPDATE audit_entries SET actor = 'nobody';
                DO $$
                DECLARE
                    entry audit_entries;
                    place bigint;
                    last bytea := decode(repeat('00', 32), 'hex');
                BEGIN
                    FOR place IN 1..5 LOOP
                        SELECT e.* INTO entry FROM audit_entries e JOIN audit_chain c ON c.entry_id = e.id
                        WHERE c.number = place;
                        last := sha256(last || audit_content(place, entry));
                        UPDATE audit_chain SET hash = last WHERE number = place;
                    END LOOP;
                    UPDATE audit_head SET hash = last;
                END $$
                """
            )
            #expect(try await Self.isWhole(office))
            #expect(
                try await office.verifyAuditChain(remembered: mark)
                    == .broken(AuditBreak(number: 3, finding: .notAsRemembered))
            )
        }
    }

    @Test("the links cover every column that an entry has: a new one belongs into the hash, and into the changes above")
    func everyColumn() async throws {
        try await Self.withBackOffice { _, pool in
            let names = try await pool.query(
                """
                SELECT string_agg(column_name, ' ' ORDER BY ordinal_position)
                FROM information_schema.columns
                WHERE table_name = 'audit_entries'
                """
            ).first?.decode(0, as: String.self)
            let covered =
                "id at app_id staff_id actor role action object_type object_id before after reason request_id address"
            #expect(names == covered + " customer_id")
        }
    }

    @Test("links of the first version stay valid, new ones follow them, and no version is passed off as the other")
    func versions() async throws {
        try await withDatabase { pool in
            let all = Schema.migrator.migrations
            _ = try await Migrator(all.filter { $0.name < "0032" }).run(on: pool, logger: .quiet)
            _ = try await pool.query(
                """
                INSERT INTO audit_entries (id, at, actor, action, after)
                SELECT gen_random_uuid(), now(), 'ş' || n, 'a.b', '{"n": 1}' FROM generate_series(1, 5) n
                """
            )
            _ = try await Schema.migrator.run(on: pool, logger: .quiet)
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(database: database, inbox: NotificationInbox(database: database), logger: .quiet)
            try await Self.write(3, office)
            let versions = try await pool.query("SELECT version FROM audit_chain ORDER BY number")
            #expect(try versions.map { try $0.decode(0, as: Int16.self) } == [1, 1, 1, 1, 1, 2, 2, 2])
            #expect(try await Self.isWhole(office))
            for (version, number) in [(1, 7), (2, 4), (1, 8)] {
                try await Self.aroundTriggers(
                    pool,
                    "UPDATE audit_chain SET version = \(version) WHERE number = \(number)"
                )
                guard case .broken(let found) = try await office.verifyAuditChain() else {
                    Issue.record("link \(number) passes as version \(version)")
                    return
                }
                #expect(found.number == Int64(number) && found.finding == .changed)
                try await Self.aroundTriggers(
                    pool,
                    "UPDATE audit_chain SET version = \(3 - version) WHERE number = \(number)"
                )
            }
            try await Self.aroundTriggers(
                pool,
                "UPDATE audit_entries SET actor = 'x' WHERE id = (SELECT entry_id FROM audit_chain WHERE number = 2)"
            )
            guard case .broken(let found) = try await office.verifyAuditChain() else {
                Issue.record("a change of an old entry is not found")
                return
            }
            #expect(found.number == 2 && found.finding == .changed)
        }
    }

    @Test("what was written before there was a chain is chained by the migration")
    func migration() async throws {
        try await withDatabase { pool in
            let all = Schema.migrator.migrations
            let older = Migrator(all.filter { $0.name < "0012" })
            _ = try await older.run(on: pool, logger: .quiet)
            _ = try await pool.query(
                """
                INSERT INTO audit_entries (id, at, actor, action, after)
                SELECT gen_random_uuid(), now() - n * interval '1 minute', 'ş' || n, 'a.b', '{"n": 1}'
                FROM generate_series(1, 40) n
                """
            )
            _ = try await Schema.migrator.run(on: pool, logger: .quiet)
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(database: database, inbox: NotificationInbox(database: database), logger: .quiet)
            try await Self.write(1, office)
            guard case .intact(let mark) = try await office.verifyAuditChain() else {
                Issue.record("the chain is broken")
                return
            }
            #expect(mark.number == 41)
        }
    }

    private static let genesis = [UInt8](repeating: 0, count: 32)

    private static func isWhole(_ office: BackOffice, remembered: AuditMark? = nil) async throws -> Bool {
        if case .intact = try await office.verifyAuditChain(remembered: remembered) { true } else { false }
    }

    private static func write(_ count: Int, _ office: BackOffice) async throws {
        for number in 0..<count {
            try await office.database.appendToAuditLog(
                AuditEntry(
                    actor: "ada@example.com",
                    role: .admin,
                    action: "a.b",
                    objectType: "thing",
                    objectID: "\(number)",
                    before: #"{"a":"1"}"#,
                    after: #"{"a":"3","ş":"é"}"#,
                    reason: "because, 3:x~,",
                    requestID: "r1",
                    address: "192.0.2.1"
                )
            )
        }
    }

    /// Runs SQL without triggers, as the owner of the database could.
    private static func aroundTriggers(_ pool: Pool, _ sql: String) async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: "BEGIN; SET LOCAL session_replication_role = replica; \(sql); COMMIT;"
            )
        }
    }

    private static func withBackOffice(_ body: @Sendable (BackOffice, Pool) async throws -> Void) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(
                database: database,
                inbox: NotificationInbox(database: database),
                logger: .quiet
            )
            try await body(office, pool)
        }
    }
}
