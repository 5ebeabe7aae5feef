import Billing
import Foundation
import Logging
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Staff accounts") struct StaffAccountTests {
    private static let password = "correct horse battery"

    @Test("an account is made once, its address in lower case, and the log says who made it")
    func add() async throws {
        try await Self.withBackOffice(passwordCost: .standard) { office, pool in
            let id = try await office.addStaff(
                email: " Ada@Example.com ",
                name: "  Ada   Lovelace ",
                role: .support,
                password: Self.password,
                caller: .commandLine
            )
            let staff = try #require(
                try await office.database.read { try await $0.staff.find(email: "ada@example.com") }
            )
            #expect(staff.id == id)
            #expect(staff.name == "Ada Lovelace")
            #expect(staff.role == .support)
            #expect(staff.passwordHash.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
            #expect(!staff.passwordHash.contains("horse"))
            let again = await #expect(throws: OperationsError.self) {
                try await office.addStaff(
                    email: "ADA@example.com",
                    name: "Eve",
                    role: .admin,
                    password: Self.password,
                    caller: .commandLine
                )
            }
            #expect(again?.code == .conflict)
            #expect(again?.field == "email")
            let entries = try await pool.query("SELECT actor, action, object_id, after::text FROM audit_entries")
            #expect(entries.count == 1)
            let entry = try #require(entries.first).decode(String.self, String.self, String.self, String.self)
            #expect(
                entry == (
                    "command line", "staff.add", id.description, #"{"role": "support", "email": "ada@example.com"}"#
                )
            )
        }
    }

    @Test(
        "what is no address or name is refused by field, and nothing is written",
        arguments: [
            ("", "Ada", "email"), ("ada", "Ada", "email"), ("a@b@c", "Ada", "email"), ("@b", "Ada", "email"),
            ("a b@c", "Ada", "email"), ("ä@example.com", "Ada", "email"), ("a\0@b.c", "Ada", "email"),
            (String(repeating: "a", count: 260) + "@b", "Ada", "email"), ("a@b.c", "", "name"),
            ("a@b.c", "   ", "name"),
            ("a@b.c", String(repeating: "x", count: 201), "name"), ("a@b.c", "A\u{1}B", "name"),
        ]
    )
    func refused(_ email: String, _ name: String, _ field: String) async throws {
        try await Self.withBackOffice { office, pool in
            let error = await #expect(throws: OperationsError.self) {
                try await office.addStaff(
                    email: email,
                    name: name,
                    role: .admin,
                    password: Self.password,
                    caller: .commandLine
                )
            }
            #expect(error?.code == .invalid)
            #expect(error?.field == field)
            let written = try await pool.query("SELECT FROM staff UNION ALL SELECT FROM audit_entries")
            #expect(written.isEmpty)
        }
    }

    @Test("disabling ends sessions and tokens in the same transaction")
    func disable() async throws {
        try await Self.withBackOffice { office, pool in
            try await office.addStaff(
                email: "a@b.c",
                name: "Ada",
                role: .admin,
                password: Self.password,
                caller: .commandLine
            )
            guard
                case .signedIn(let session) = try await office.signIn(
                    email: "a@b.c",
                    password: Self.password,
                    caller: .commandLine
                )
            else {
                Issue.record("could not sign in")
                return
            }
            let token = try await office.issueToken(named: "t", of: "a@b.c", caller: .commandLine)
            try await Self.addAdmin("second@b.c", office)
            #expect(try await office.session(of: session) != nil)
            #expect(try await office.token(token.text, app: nil) != nil)
            try await Self.change("A@b.c", .disable, office)
            #expect(try await office.session(of: session) == nil)
            #expect(try await office.token(token.text, app: nil) == nil)
            await #expect(throws: OperationsError.self) {
                try await office.issueToken(named: "t", of: "a@b.c", caller: .commandLine)
            }
            await #expect(throws: OperationsError.self) {
                try await Self.change("nobody@b.c", .disable, office)
            }
        }
    }

    @Test("disabling revokes the account's keys with an entry for each, and says how many there were")
    func disabledKeys() async throws {
        try await Self.withBackOffice { office, pool in
            for email in ["a@b.c", "second@b.c"] { try await Self.addAdmin(email, office) }
            var keys: [String] = []
            for name in ["one", "two"] {
                keys.append(try await office.issueToken(named: name, of: "a@b.c", caller: .commandLine).id.description)
            }
            let foreign = try await office.issueToken(named: "three", of: "second@b.c", caller: .commandLine)
            try await Self.change("a@b.c", .disable, office)
            let entries = try await pool.query(
                "SELECT object_id, reason FROM audit_entries WHERE action = 'token.revoke'"
            ).map { try $0.decode(String.self, String.self) }
            #expect(entries.map(\.0).sorted() == keys.sorted())
            #expect(entries.allSatisfy { $0.1 == "the account was shut" })
            let shut = try #require(
                try await pool.query(
                    "SELECT before ->> 'keys', after ->> 'keys' FROM audit_entries WHERE action = 'staff.disable'"
                ).first
            ).decode(String.self, String.self)
            #expect(shut == ("2", "0"))
            #expect(try await office.token(foreign.text, app: nil) != nil)
        }
    }

    @Test("the last admin stays, whoever asks and however many ask at once")
    func lastAdmin() async throws {
        try await Self.withBackOffice { office, pool in
            let names = ["a@b.c", "b@b.c"]
            for name in names { try await Self.addAdmin(name, office) }
            for _ in 0..<5 {
                let refusals = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for name in names {
                        group.addTask {
                            do {
                                try await Self.change(name, .disable, office)
                                return false
                            } catch {
                                return (error as? OperationsError)?.code == .conflict
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(refusals == 1)
                let left = try await pool.query("SELECT email FROM staff WHERE disabled_at IS NULL")
                #expect(left.count == 1)
                _ = try await pool.query("UPDATE staff SET disabled_at = NULL")
            }
        }
    }

    @Test("who sees some apps sees those alone, at once, and programs with their keys no more than they")
    func appAccess() async throws {
        try await Self.withBackOffice { office, pool in
            try await Self.addAdmin("a@b.c", office)
            for app in ["one", "two"] {
                _ = try await pool.query(
                    """
                    INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
                    VALUES (gen_random_uuid(), \(app), \(app), 'UTC', 'EUR', now(), now())
                    """
                )
            }
            guard
                case .signedIn(let token) = try await office.signIn(
                    email: "a@b.c",
                    password: Self.password,
                    caller: .commandLine
                )
            else {
                Issue.record("could not sign in")
                return
            }
            let key = try await office.issueToken(named: "t", of: "a@b.c", caller: .commandLine).text
            #expect(try await office.session(of: token)?.apps.map(\.slug) == ["one", "two"])
            #expect(try await office.session(of: token)?.app?.slug == "one")
            #expect(try await office.token(key, app: nil)?.app == nil)
            try await Self.change("a@b.c", .apps(["two"]), office)
            let session = try #require(try await office.session(of: token))
            #expect(session.apps.map(\.slug) == ["two"])
            #expect(session.app?.slug == "two")
            #expect(!session.seesAllApps)
            await #expect(throws: OperationsError.self) { try await office.chooseApp("one", for: token) }
            #expect(try await office.token(key, app: "one")?.app == nil)
            #expect(try await office.token(key, app: nil)?.app == session.app?.id)
            for wrong in [[], ["three"], ["two", "three"]] {
                let error = await #expect(throws: OperationsError.self) {
                    try await Self.change("a@b.c", .apps(wrong), office)
                }
                #expect(error?.field == "app")
            }
            try await Self.change("a@b.c", .apps(nil), office)
            #expect(try await office.session(of: token)?.apps.count == 2)
            let entries = try await pool.query(
                "SELECT before::text || after::text FROM audit_entries WHERE action = 'staff.apps' ORDER BY at, id"
            ).map { try $0.decode(0, as: String.self) }
            #expect(
                entries == [
                    #"{"apps": "all", "email": "a@b.c"}{"apps": "two", "email": "a@b.c"}"#,
                    #"{"apps": "two", "email": "a@b.c"}{"apps": "all", "email": "a@b.c"}"#,
                ]
            )
        }
    }

    @Test("a token's text is shown once and kept as its SHA-256")
    func tokens() async throws {
        try await Self.withBackOffice { office, pool in
            try await office.addStaff(
                email: "a@b.c",
                name: "Ada",
                role: .analyst,
                password: Self.password,
                caller: .commandLine
            )
            let issued = try await office.issueToken(named: "export", of: "a@b.c", caller: .commandLine)
            #expect(issued.text.hasPrefix("pst_"))
            #expect(issued.text.utf8.count == 68)
            let kept = try await pool.query("SELECT token_hash FROM staff_tokens").first?.decode(0, as: [UInt8].self)
            #expect(kept == SecretToken(issued.text.dropFirst(4))?.hash)
            let found = try #require(try await office.token(issued.text, app: nil))
            #expect(found.id == issued.id)
            #expect(found.role == .analyst)
            #expect(found.name == "export")
            for wrong in ["", "pst_", issued.text.uppercased(), String(issued.text.dropLast()), issued.text + "0"] {
                #expect(try await office.token(wrong, app: nil) == nil)
            }
            try await office.revokeToken(issued.id, caller: .commandLine)
            await #expect(throws: OperationsError.self) {
                try await office.revokeToken(issued.id, caller: .commandLine)
            }
            let name = await #expect(throws: OperationsError.self) {
                try await office.issueToken(named: "", of: "a@b.c", caller: .commandLine)
            }
            #expect(name?.field == "name")
            let end = await #expect(throws: OperationsError.self) {
                try await office.issueToken(named: "x", of: "a@b.c", expiresAt: .distantPast, caller: .commandLine)
            }
            #expect(end?.field == "expires")
        }
    }

    @Test("keys are listed the good ones first, then the newest")
    func listedTokens() async throws {
        try await Self.withBackOffice { office, pool in
            try await Self.addAdmin("a@b.c", office)
            for name in ["revoked", "expired", "new", "old"] {
                _ = try await office.issueToken(named: name, of: "a@b.c", caller: .commandLine)
            }
            _ = try await pool.query(
                """
                UPDATE staff_tokens k
                SET created_at = now() - make_interval(days => t.age),
                    expires_at = CASE WHEN t.name = 'expired' THEN now() - interval '1 minute' END,
                    revoked_at = CASE WHEN t.name = 'revoked' THEN now() END
                FROM (VALUES ('revoked', 1), ('expired', 2), ('new', 3), ('old', 4)) AS t(name, age)
                WHERE t.name = k.name
                """
            )
            let owners: [Staff.ID?] = [nil, try await office.staff("a@b.c").id]
            for owner in owners {
                #expect(try await office.tokens(of: owner).map(\.name) == ["new", "old", "revoked", "expired"])
            }
        }
    }

    @Test("secrets are 256 bits, differ, and are read back exactly")
    func secrets() {
        let secret = SecretToken.random()
        #expect(secret.bytes.count == 32)
        #expect(SecretToken(secret.description) == secret)
        #expect(Set((0..<100).map { _ in SecretToken.random() }).count == 100)
        for wrong in ["", "0", String(repeating: "g", count: 64), secret.description.uppercased() + "a", "é"] {
            #expect(SecretToken(wrong) == nil)
        }
    }

    private static func change(_ email: String, _ change: StaffChange, _ office: BackOffice) async throws {
        let reason = Reason(.testing, "for the test of it")
        try await office.change(try await office.staff(email).id, change, reason: reason, caller: .commandLine)
    }

    private static func addAdmin(_ email: String, _ office: BackOffice) async throws {
        try await office.addStaff(email: email, name: "Ada", role: .admin, password: password, caller: .commandLine)
    }

    private static func withBackOffice(
        passwordCost: PasswordHash.Cost = .ofTests,
        _ body: (BackOffice, Pool) async throws -> Void
    ) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(
                database: database,
                inbox: NotificationInbox(database: database),
                logger: .quiet,
                passwordCost: passwordCost
            )
            try await body(office, pool)
        }
    }
}
