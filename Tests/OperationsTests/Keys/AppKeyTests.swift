import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Secret keys of apps") struct AppKeyTests {
    private static let reason = Reason(.testing, "It was for a test alone.")

    @Test("a key is shown once and kept as its SHA-256; it says its app and what it may do")
    func issue() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let ada = try await office.staff("ada@example.com", .admin)
            let issued = try #require(
                try await office.backOffice.issueAppKey(
                    named: " Server ",
                    scopes: [.mintTokens, .readEntitlements],
                    of: app,
                    caller: ada
                )
            )
            let text = issued.text.revealed
            let secret = String(text.dropFirst(4))
            #expect(text.hasPrefix("psk_") && text.utf8.count == 68)
            #expect(!"\(issued)".contains(secret))
            let key = try #require(try await office.backOffice.appKey(text))
            #expect(key.id == issued.id)
            #expect(key.app == app && key.slug == "readmigo" && key.name == "Server")
            #expect(key.scopes == [.readEntitlements, .mintTokens])
            #expect(key.has(.mintTokens) && !key.has(.writeUsage) && !key.has(.readCustomers))
            #expect(key.lastUsedAt == nil)
            let kept = try await office.pool.query("SELECT token_hash FROM app_keys").first?.decode(0, as: [UInt8].self)
            #expect(kept == SecretToken(secret)?.hash)
            let rows = try await office.lines(
                "SELECT k::text FROM app_keys k UNION ALL SELECT e::text FROM audit_entries e WHERE action LIKE 'app_key.%'"
            )
            #expect(rows.count == 2)
            #expect(rows.allSatisfy { !$0.contains(secret) && $0.contains("ada@example.com") })
            let log = try await office.lines(
                "SELECT concat_ws(' ', action, object_type, after) FROM audit_entries WHERE action LIKE 'app_key.%'"
            )
            #expect(
                log == [#"app_key.issue app_key {"name": "Server", "scopes": "entitlements:read tokens:mint"}"#]
            )
        }
    }

    @Test("text that is no live key opens nothing")
    func unknown() async throws {
        try await TestOffice.run { office in
            let text = try await Self.issue("Server", office)
            for wrong in [
                "", "psk_", "\0", "psk_\0", text.uppercased(), String(text.dropLast()), text + "0",
                "pst_\(text.dropFirst(4))", " " + text, "psk_\(SecretToken.random())",
                "psk_" + String(repeating: "0", count: 100_000),
            ] {
                #expect(try await office.backOffice.appKey(wrong) == nil)
            }
            #expect(try await office.backOffice.appKey(text) != nil)
        }
    }

    @Test("two keys live at a time, so that one replaces the other; a revoked one opens nothing at once")
    func rotate() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let first = try await Self.issue("First", office)
            let second = try await Self.issue("Second", office)
            let full = await #expect(throws: OperationsError.self) { _ = try await Self.issue("Third", office) }
            #expect(full?.code == .conflict)
            #expect(full?.message == "Two keys are live. Revoke one first.")
            let old = try #require(try await office.backOffice.appKey(first))
            try await office.backOffice.revokeAppKey(old.id, of: app, reason: Self.reason, caller: .commandLine)
            #expect(try await office.backOffice.appKey(first) == nil)
            #expect(try await office.backOffice.appKey(second)?.name == "Second")
            let third = try await Self.issue("Third", office)
            #expect(try await office.backOffice.appKey(third)?.name == "Third")
            let keys = try await office.backOffice.appKeys(of: app)
            #expect(keys.count == 3)
            #expect(Set(keys.prefix(2).map(\.name)) == ["Second", "Third"])
            #expect(keys.last?.name == "First")
            #expect(keys.last?.revocation == ListedAppKey.Revocation(at: TestOffice.start, by: "command line"))
            let again = await #expect(throws: OperationsError.self) {
                try await office.backOffice.revokeAppKey(old.id, of: app, reason: Self.reason, caller: .commandLine)
            }
            #expect(again?.code == .notFound)
            let log = try await office.lines(
                "SELECT concat_ws(' ', action, before, reason) FROM audit_entries WHERE action = 'app_key.revoke'"
            )
            #expect(
                log == [
                    #"app_key.revoke {"name": "First", "scopes": "usage:write"} testing: It was for a test alone."#
                ]
            )
        }
    }

    @Test("of many who make a key at once two succeed, and the others are told why", arguments: [1, 0])
    func race(_ live: Int) async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            for round in 0..<5 {
                for number in 0..<live { _ = try await Self.issue("Before \(number)", office) }
                let results = await withTaskGroup(of: OperationsError.Code?.self) { group in
                    for hand in 0..<8 {
                        group.addTask {
                            do {
                                _ = try await Self.issue("Hand \(hand)", office)
                                return nil
                            } catch {
                                return (error as? OperationsError)?.code ?? .misconfigured
                            }
                        }
                    }
                    return await group.reduce(into: [OperationsError.Code?]()) { $0.append($1) }
                }
                #expect(results.count { $0 == nil } == 2 - live, "round \(round)")
                #expect(results.allSatisfy { $0 == nil || $0 == .conflict }, "round \(round)")
                let keys = try await office.backOffice.appKeys(of: app).filter(\.isLive)
                #expect(keys.count == 2)
                for key in keys {
                    try await office.backOffice.revokeAppKey(key.id, of: app, reason: Self.reason, caller: .commandLine)
                }
            }
        }
    }

    @Test("the database itself lets no third key live")
    func index() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            for name in ["First", "Second"] { _ = try await Self.issue(name, office) }
            for slot in 1...2 {
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await office.pool.query(
                        """
                        INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_as, created_at)
                        VALUES (gen_random_uuid(), \(app), \(slot, as: Int16.self), 'Third', '{usage:write}', sha256('third'), 'eve',
                            now())
                        """
                    )
                }
                #expect(error?.constraint == "two_live_app_keys")
            }
        }
    }

    @Test("a key is of one app: another app has its own two, and neither sees nor ends the other's")
    func apps() async throws {
        try await TestOffice.run { office in
            _ = try await office.pool.query(
                """
                INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
                VALUES (gen_random_uuid(), 'other', 'Other', 'UTC', 'USD', now(), now())
                """
            )
            let id = try await office.pool.query("SELECT id FROM apps WHERE slug = 'other'").first?.decode(
                0,
                as: App.ID.self
            )
            let other = try #require(id)
            let own = try await office.app()
            for name in ["First", "Second"] { _ = try await Self.issue(name, office) }
            let foreign = try #require(
                try await office.backOffice.issueAppKey(
                    named: "Foreign",
                    scopes: [.readCustomers],
                    of: other,
                    caller: .commandLine
                )
            )
            #expect(try await office.backOffice.appKey(foreign.text.revealed)?.slug == "other")
            #expect(try await office.backOffice.appKeys(of: own).count == 2)
            #expect(try await office.backOffice.listedAppKey(foreign.id, of: own) == nil)
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.revokeAppKey(foreign.id, of: own, reason: Self.reason, caller: .commandLine)
            }
            #expect(error?.code == .notFound)
            #expect(try await office.backOffice.appKey(foreign.text.revealed) != nil)
        }
    }

    @Test("a name that is none, and a key that may do nothing, are refused by their field")
    func refused() async throws {
        try await TestOffice.run { office in
            for name in [
                "", " ", "\0", "a\0b", "a\nb", "\u{7F}", String(repeating: "a", count: 101),
                String(repeating: "a", count: 100_000), "e" + String(repeating: "\u{301}", count: 100_000),
            ] {
                let error = await #expect(throws: OperationsError.self) { _ = try await Self.issue(name, office) }
                #expect(error?.code == .invalid && error?.field == "name")
            }
            let app = try await office.app()
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.issueAppKey(named: "Server", scopes: [], of: app, caller: .commandLine)
            }
            #expect(error?.code == .invalid && error?.field == "scope")
            #expect(try await office.count("app_keys") == 0)
            #expect(try await office.count("audit_entries WHERE action LIKE 'app_key.%'") == 0)
            for name in [String(repeating: "ş", count: 100), "\u{1F511} 9223372036854775808"] {
                let text = try await Self.issue(name, office)
                #expect(try await office.backOffice.appKey(text)?.name == name)
            }
        }
    }

    @Test("a form that is sent twice makes one key, and shows it once")
    func repeated() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let ada = try await office.staff("ada@example.com", .admin)
            var shown = 0
            for _ in 0..<3 {
                let issued = try await office.backOffice.issueAppKey(
                    named: "Server",
                    scopes: [.writeUsage],
                    of: app,
                    key: try office.key("form", ada),
                    caller: ada
                )
                if issued != nil { shown += 1 }
            }
            #expect(shown == 1)
            #expect(try await office.count("app_keys") == 1)
        }
    }

    @Test("the last use is written at most once a minute, however many use the key at once")
    func lastUse() async throws {
        try await TestOffice.run { office in
            let text = try await Self.issue("Server", office)
            func use() async throws {
                let key = try #require(try await office.backOffice.appKey(text))
                try await office.backOffice.noteUse(of: key)
            }
            func written() async throws -> String? {
                try await office.lines("SELECT concat_ws(' ', last_used_at AT TIME ZONE 'UTC', xmin) FROM app_keys")
                    .first
            }
            let unused = try #require(try await office.backOffice.appKey(text))
            try await use()
            let first = try await written()
            #expect(try await office.backOffice.appKey(text)?.lastUsedAt == TestOffice.start)
            // A call that read the key before the first use was written writes no second one.
            try await office.backOffice.noteUse(of: unused)
            office.clock.advance(by: 59)
            try await use()
            try await office.backOffice.noteUse(of: unused)
            #expect(try await written() == first)
            office.clock.advance(by: 1)
            try await use()
            #expect(try await office.backOffice.appKey(text)?.lastUsedAt == TestOffice.start.addingTimeInterval(60))
        }
    }

    @Test("of revoked keys the last 20 are listed")
    func list() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            _ = try await office.pool.query(
                """
                INSERT INTO app_keys
                    (id, app_id, slot, name, scopes, token_hash, created_as, created_at, revoked_at, revoked_as)
                SELECT gen_random_uuid(), \(app), 1, 'Key ' || n, '{usage:write}', sha256(n::text::bytea), 'eve', now(),
                    now() - n * interval '1 day', 'eve'
                FROM generate_series(1, 25) n
                """
            )
            _ = try await Self.issue("Server", office)
            let names = try await office.backOffice.appKeys(of: app).map(\.name)
            #expect(names == ["Server"] + (1...20).map { "Key \($0)" })
        }
    }

    private static func issue(_ name: String, _ office: TestOffice) async throws -> String {
        let issued = try await office.backOffice.issueAppKey(
            named: name,
            scopes: [.writeUsage],
            of: try await office.app(),
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }
}
