import Billing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Synchronization
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

/// Marks every piece of personal data in the database, and calls every route as everybody.
@Suite("Personal data") struct PersonalDataTests {
    /// The beginning of all marks, in whatever case and encoding they are shown.
    private static let mark = "zqmark"
    /// The marks that a reader with the permission is shown; without one of them the tests below would prove nothing.
    private static let marks: Set<String> = [
        "name", "email", "note", "reason", "internalnote", "decision", "reference", "before", "after", "why", "address",
        "payload", "event", "line", "bulk", "origin", "view", "session",
    ]
    /// The marks that programs are never shown, for JSON has nothing of the kind.
    private static let pagesOnly: Set<String> = ["payload", "event", "line", "bulk", "origin", "view", "session"]

    @Test("who may read personal data is shown each piece of it somewhere, by page, file or JSON")
    func shown() async throws {
        try await Self.withMarks { site, client async throws in
            let seen = Mutex(Set<String>())
            let browser = try await Self.browser(of: "admin-of-all@example.com", client)
            for entry in site.map.entries where entry.method == .get {
                switch entry.access {
                case .staff, .signedIn: break
                case .open, .store, .operatorOnly, .customer, .appServer, .token: continue
                }
                let text = try await browser.get(Self.path(entry)).text
                seen.withLock { $0.formUnion(Self.marks(in: text)) }
            }
            let audit = try await browser.submit("/dashboard/audit/exports", [])
            #expect(Self.marks(in: audit.text).isSuperset(of: ["before", "after", "why", "address"]))
            #expect(seen.withLock { $0 } == Self.marks)
            let token = try await site.token(of: "admin-of-all@example.com", nil)
            var told = Set<String>()
            for entry in site.map.entries where entry.method == .get {
                guard case .token = entry.access else { continue }
                told.formUnion(Self.marks(in: try await Self.call(entry, token, client).text))
            }
            #expect(told == Self.marks.subtracting(Self.pagesOnly))
        }
    }

    @Test("no page, file or form that an analyst may open shows any of it")
    func pages() async throws {
        try await Self.withMarks { site, client async throws in
            let browser = try await Self.browser(of: "analyst-of-all@example.com", client)
            for entry in site.map.entries {
                switch entry.access {
                case .staff: break
                case .signedIn where entry.method == .get: break
                case _: continue
                }
                let answer = try await browser.ask(entry.method, Self.path(entry))
                #expect(Self.marks(in: answer.text).isEmpty, "\(entry.method) \(entry.path)")
            }
            let log = try await browser.submit("/dashboard/audit/exports", [])
            #expect(log.status == .forbidden && Self.marks(in: log.text).isEmpty)
        }
    }

    @Test(
        "no token shows any of it without the scope customers:read and an owner who may",
        arguments: StaffRole.allCases
    )
    func programs(_ role: StaffRole) async throws {
        try await Self.withMarks { site, client async throws in
            let scopes = [nil] + TokenScope.all.map { [$0] } + [TokenScope.all.filter { $0.area != .customers }]
            for scopes in scopes {
                let needed = Permission.viewPersonalData.terms.scope
                if role.may(.viewPersonalData), scopes?.contains(where: { $0.covers(needed) }) ?? true { continue }
                let token = try await site.token(of: "\(role.rawValue)-of-all@example.com", scopes)
                for entry in site.map.entries {
                    guard case .token = entry.access else { continue }
                    let text = try await Self.call(entry, token, client).text
                    #expect(Self.marks(in: text).isEmpty, "\(scopes ?? []): \(entry.method) \(entry.path)")
                }
            }
        }
    }

    @Test("whoever may not read it is told so by an empty field, and everything else is there")
    func refunds() async throws {
        try await Self.withMarks { site, client async throws in
            let token = try await site.token(of: "admin-of-all@example.com", [TokenScope(.refunds, .read)])
            let entry = RouteEntry(method: .get, path: "/admin/refunds/{number}", access: .token(.viewRefunds))
            let answer = try await Self.call(entry, token, client)
            #expect(answer.status == .ok)
            let empty = #""category":"goodwill","reason":null,"internalNote":null,"reference":null"#
            #expect(answer.text.contains(empty), "\(answer.text)")
        }
    }

    @Test(
        "a view that somebody shares is not an analyst's where what it filters by may be somebody",
        arguments: [
            ("orders", "?q=1"), ("orders", "?status=failed&q=1"), ("orders", "?customer=\(TestSite.customer)"),
            ("subscriptions", "?state=active&customer=\(TestSite.customer)&sort=end"),
            ("audit", "?actor=a%40example.com"), ("audit", "?type=customer&object=\(TestSite.customer)"),
            ("orders", "?of_later=1"),
        ]
    )
    func views(_ list: String, _ query: String) async throws {
        let shown = try await Self.sharedView(list, query)
        #expect(shown == ["support": true, "analyst": false])
    }

    @Test("any other view that somebody shares is everybody's", arguments: ["", "?status=failed&sort=amount&dir=asc"])
    func otherViews(_ query: String) async throws {
        let shown = try await Self.sharedView("orders", query)
        #expect(shown == ["support": true, "analyst": true])
    }

    @Test("its own description tells nothing of it")
    func description() {
        let name: Personal<String> = "Zeynep"
        #expect("\(name)" == "(personal data)" && String(reflecting: name) == "(personal data)")
        #expect(!"\([Optional(name)])".contains("Zeynep"))
        var dumped = ""
        dump(OrderDetails.Customer(id: .init(UUID()), key: "k", externalID: nil, name: name, email: name), to: &dumped)
        #expect(!dumped.contains("Zeynep"))
    }

    // MARK: Requests

    private static func path(_ entry: RouteEntry) -> String {
        PermissionTests.paths(entry).first?.0 ?? entry.path
    }

    private static func browser(of email: String, _ client: TestClient) async throws -> Browser {
        let browser = Browser(client)
        _ = try await browser.signIn(email)
        _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
        return browser
    }

    /// Returns, by role, true if the role can find a view that an admin shares.
    private static func sharedView(_ list: String, _ query: String) async throws -> [String: Bool] {
        let shown = Mutex<[String: Bool]>([:])
        try await TestSite.run { site in
            for role in StaffRole.allCases { _ = try await site.addPerson(role, apps: nil) }
            _ = try await site.pool.query(
                """
                INSERT INTO saved_views
                    (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
                SELECT gen_random_uuid(), \(try #require(UUID(uuidString: TestSite.readmigo))), id, \(list),
                    \(mark + "-view"), \(query), 'all', true, now(), now()
                FROM staff
                WHERE email = 'admin-of-all@example.com'
                """
            )
            let app = try #require(App.ID(TestSite.readmigo))
            for role in [StaffRole.support, .analyst] {
                let staff = try await site.backOffice.staff("\(role.rawValue)-of-all@example.com").id
                let views = try await site.backOffice.database.readPrimary {
                    try await $0.savedViews.of(
                        ListName.allCases,
                        app: app,
                        staff: staff,
                        seesPersonalData: role.may(.viewPersonalData)
                    )
                }
                shown.withLock { $0[role.rawValue] = !views.isEmpty }
            }
        }
        return shown.withLock { $0 }
    }

    /// Calls a route as a program that sends the fields of every action; returns the answer.
    private static func call(
        _ entry: RouteEntry,
        _ token: String,
        _ client: TestClient
    ) async throws -> TestResponse {
        let body = """
            {"category":"goodwill","reason":"Plain strings of a test.","text":"Plain strings.","type":"FULL","paidBy":"STORE",
            "reference":"A 1","planType":"PRO","days":1}
            """
        return try await client.executeRequest(
            uri: path(entry),
            method: entry.method,
            headers: [
                .authorization: "Bearer \(token)", .app: "readmigo", .contentType: "application/json",
                .idempotencyKey: UUID().uuidString,
            ],
            body: entry.method == .get ? nil : ByteBuffer(string: body)
        )
    }

    /// Returns the names of the marks in a text.
    private static func marks(in text: String) -> Set<String> {
        let parts = text.lowercased().split(separator: mark + "-", omittingEmptySubsequences: false).dropFirst()
        return Set(parts.map { String($0.prefix { $0.isASCII && $0.isLetter }) })
    }

    // MARK: Rows

    private static func withMarks(
        _ body: @escaping @Sendable (TestSite, TestClient) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            for role in StaffRole.allCases { _ = try await site.addPerson(role, apps: nil) }
            try await site.addOrders(3)
            try await site.addBulkJob()
            try await CustomersTests.addSubscription(site)
            try await CustomersTests.addNote(of: "admin-of-all@example.com", site)
            try await ViewsTests.addView(of: "analyst-of-all@example.com", site)
            try await addRefunds(site)
            try await site.pool.withConnection { try await $0.execute(script: marked) }
            try await site.app.test(.router) { client async throws in try await body(site, client) }
        }
    }

    /// Adds a pending refund request, and one that was approved and paid by hand.
    private static func addRefunds(_ site: TestSite) async throws {
        let app = try #require(App.ID(TestSite.readmigo))
        let decision = Reason(.goodwill, "\(mark)-decision of it")
        for order in ["ORD-20260101-0002", "ORD-20260101-0001"] {
            _ = try await site.backOffice.requestRefund(
                of: order,
                app: app,
                RefundCommand(kind: .full, note: "\(mark)-internalnote"),
                reason: Reason(.goodwill, "\(mark)-reason of it"),
                caller: .commandLine
            )
        }
        _ = try await site.backOffice.approveRefund(
            "RF-000001",
            app: app,
            RefundApproval(confirmation: "1-0002"),
            reason: decision,
            caller: .commandLine
        )
        _ = try await site.backOffice.processRefund(
            "RF-000001",
            app: app,
            RefundPayment(payer: .elsewhere, reference: "\(mark)-reference"),
            reason: decision,
            caller: .commandLine
        )
    }

    private static let marked = """
        SET session_replication_role = replica;
        UPDATE customers SET name = '\(mark)-name', email = '\(mark)-email@example.com';
        UPDATE customer_notes SET text = '\(mark)-note';
        UPDATE store_notifications
        SET signed_payload = 'eyJhbGciOiJFUzI1NiJ9.\(mark)-payload.c2ln', state = 'failed';
        INSERT INTO subscription_events
            (id, subscription_id, source, event_id, kind, signed_at, event, state_before, state_after, recorded_at)
        SELECT gen_random_uuid(), id, 'clock', 'e-1', 'renewed', now(), '{"offer": "\(mark)-event"}', 'active', 'active', now()
        FROM subscriptions;
        INSERT INTO bulk_job_items (job_id, line, input, state) VALUES ('\(TestSite.bulkJobID)', 1, '\(mark)-line', 'ready');
        UPDATE bulk_jobs SET reason = 'other: \(mark)-bulk', origin = '\(mark)-origin';
        INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
        SELECT gen_random_uuid(), '\(TestSite.readmigo)', id, 'orders', '\(mark)-view', '?customer=\(TestSite.customer)',
            'all', true, now(), now()
        FROM staff WHERE email = 'support-of-all@example.com';
        INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at, expires_at, address)
        SELECT sha256('marked'), id, moment, moment, moment + interval '1 day', '\(mark)-session'
        FROM staff, to_timestamp(\(TestSite.firstMoment.timeIntervalSince1970)) AS moment
        WHERE email = 'admin-of-all@example.com';
        UPDATE audit_entries
        SET action = 'access.grant', object_type = 'customer', object_id = '\(TestSite.customer)',
            customer_id = '\(TestSite.customer)', before = '{"x": "\(mark)-before"}', after = '{"x": "\(mark)-after"}',
            reason = 'other: \(mark)-why', address = '\(mark)-address'
        WHERE id = '\(TestSite.auditEntry)';
        RESET session_replication_role;
        """
}

extension TestSite {
    /// Returns a token of a person, with some scopes or all.
    fileprivate func token(of email: String, _ scopes: [TokenScope]?) async throws -> String {
        try await backOffice.issueToken(named: "marks", of: email, scopes: scopes, caller: .commandLine).text
    }
}
