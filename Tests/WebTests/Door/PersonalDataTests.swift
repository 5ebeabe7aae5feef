import Billing
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Operations
import Postgres
import Storage
import Synchronization
import Testing

@testable import Web

/// Every piece of personal data in the database carries a mark of its own; every route is asked as everybody.
@Suite("Personal data") struct PersonalDataTests {
    /// What the marks begin with, in whatever case and coding it is shown.
    private static let mark = "zqmark"
    /// The marks that somebody who may read them is shown: without one of them the tests below would prove nothing.
    private static let marks: Set<String> = [
        "name", "email", "note", "reason", "internalnote", "decision", "before", "after", "why", "address", "payload",
        "event", "line",
    ]

    @Test("who may read personal data is shown each piece of it somewhere, by page, file or JSON")
    func shown() async throws {
        try await Self.withMarks { site, client async throws in
            let seen = Mutex(Set<String>())
            let browser = try await Self.browser(of: "admin-of-all@example.com", client)
            for entry in site.map.entries where entry.method == .get {
                guard case .staff = entry.access else { continue }
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
            #expect(told == Self.marks.subtracting(["payload", "event", "line"]))
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
            #expect(answer.text.contains(#""category":"goodwill","reason":null,"internalNote":null"#), "\(answer.text)")
        }
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

    // MARK: What is asked

    private static func path(_ entry: RouteEntry) -> String {
        PermissionTests.paths(entry).first?.0 ?? entry.path
    }

    private static func browser(of email: String, _ client: any TestClientProtocol) async throws -> Browser {
        let browser = Browser(client)
        _ = try await browser.signIn(email)
        _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
        return browser
    }

    /// What a program is answered that sends the fields of every step there is.
    private static func call(
        _ entry: RouteEntry,
        _ token: String,
        _ client: any TestClientProtocol
    ) async throws -> TestResponse {
        let body = """
            {"category":"goodwill","reason":"Plain words of a test.","text":"Plain words.","type":"FULL","paidBy":"STORE",
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

    /// The marks that a text has, by their names.
    private static func marks(in text: String) -> Set<String> {
        let parts = text.lowercased().split(separator: mark + "-", omittingEmptySubsequences: false).dropFirst()
        return Set(parts.map { String($0.prefix { $0.isASCII && $0.isLetter }) })
    }

    // MARK: What there is

    private static func withMarks(
        _ body: @escaping @Sendable (TestSite, any TestClientProtocol) async throws -> Void
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

    /// One that waits and one that was rejected.
    private static func addRefunds(_ site: TestSite) async throws {
        let app = try #require(App.ID(TestSite.readmigo))
        for order in ["ORD-20260101-0002", "ORD-20260101-0001"] {
            _ = try await site.backOffice.requestRefund(
                of: order,
                app: app,
                RefundWish(kind: .full, note: "\(mark)-internalnote"),
                reason: Reason(.goodwill, "\(mark)-reason of it"),
                caller: .commandLine
            )
        }
        _ = try await site.backOffice.rejectRefund(
            "RF-000001",
            app: app,
            reason: Reason(.goodwill, "\(mark)-decision of it"),
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
            (id, subscription_id, event_id, kind, signed_at, event, state_before, state_after, recorded_at)
        SELECT gen_random_uuid(), id, 'e-1', 'renewed', now(), '{"offer": "\(mark)-event"}', 'active', 'active', now()
        FROM subscriptions;
        INSERT INTO bulk_rows (job_id, line, input, state) VALUES ('\(TestSite.bulkJobID)', 1, '\(mark)-line', 'ready');
        UPDATE audit_entries
        SET action = 'access.grant', object_type = 'customer', object_id = '\(TestSite.customer)',
            customer_id = '\(TestSite.customer)', before = '{"x": "\(mark)-before"}', after = '{"x": "\(mark)-after"}',
            reason = 'other: \(mark)-why', address = '\(mark)-address'
        WHERE id = '\(TestSite.auditEntry)';
        RESET session_replication_role;
        """
}

extension TestSite {
    /// A token of somebody, with some scopes or all of them.
    fileprivate func token(of email: String, _ scopes: [TokenScope]?) async throws -> String {
        try await backOffice.issueToken(named: "marks", of: email, scopes: scopes, caller: .commandLine).text
    }
}
