import APITypes
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The admin API: what customers have") struct AdminSubscriptionsTests {
    private static let path = "/admin/subscriptions/\(AccessPagesTests.customer)"
    private static let other = "00000000-0000-7000-8000-0000000000d2"
    private static let subscription = "subscription:00000000-0000-7000-8000-0000000000e1"

    @Test("a plan is given once per key, told to the audit log, and taken back")
    func grant() async throws {
        try await Self.run { site, programs in
            let before = try Programs.decode(CustomerAccess.self, try await programs.get(Self.path, as: .analyst))
            #expect(before.planType == "PRO" && before.source == "APPLE_IAP" && before.of == Self.subscription)
            let body = Self.body(#""planType":"PREMIUM","days":7,"version":\#(before.version)"#)
            let first = try await programs.post(Self.path + "/grant", body, "k1", as: .support)
            #expect(first.status == .ok, "\(first.text)")
            let change = try Programs.decode(AccessChange.self, first)
            #expect(change.access.planType == "PREMIUM" && change.access.source == "GRANT")
            #expect(change.access.expiresAt == site.clock.read().addingTimeInterval(7 * 86_400))
            #expect(change.access.grants.map(\.status) == ["RUNNING"])
            let again = try await programs.post(Self.path + "/grant", body, "k1", as: .support)
            #expect(again.text == first.text)
            #expect(try await site.count("grants") == 1)

            let answer = try await programs.get("/admin/audit/\(change.auditEntryId.uuidString.lowercased())")
            let entry = try Programs.decode(AuditRecord.self, answer)
            #expect(entry.action == "access.grant" && entry.reason == "goodwill: The reader crashed all day.")
            #expect(entry.actor == "support@example.com (token test)")
            #expect(entry.after != nil && entry.before != nil)

            let done = try #require(change.access.actions.first)
            let undo = Self.body(#""action":"\#(done.id)""#)
            let undone = try Programs.decode(
                AccessChange.self,
                try await programs.post(Self.path + "/undo", undo, "k2", as: .support)
            )
            #expect(undone.access.planType == "PRO" && Set(undone.access.actions.map(\.type)) == ["UNDO", "GRANT"])
            let twice = try await programs.post(Self.path + "/undo", undo, "k3", as: .support)
            #expect(twice.status == .conflict)
            #expect(try twice.fields() == ["action"])
        }
    }

    @Test("what gives access is extended, lifted, revoked and restored, and the same key does each once")
    func steps() async throws {
        try await Self.run { site, programs in
            func step(_ name: String, _ body: String) async throws -> CustomerAccess {
                let first = try await programs.post("\(Self.path)/\(name)", body, name)
                #expect(first.status == .ok, "\(name): \(first.text)")
                let again = try await programs.post("\(Self.path)/\(name)", body, name)
                #expect(again.text == first.text, "\(name)")
                return try Programs.decode(AccessChange.self, first).access
            }
            let extended = try await step("extend", Self.body(#""days":10"#))
            #expect(extended.grants.map(\.type) == ["EXTENSION"])
            let lifted = try await step("change-tier", Self.body(#""planType":"PREMIUM""#))
            #expect(lifted.planType == "PREMIUM")
            let unconfirmed = try await programs.post(
                Self.path + "/revoke",
                Self.body(#""of":"\#(Self.subscription)""#),
                "r"
            )
            #expect(unconfirmed.status == .unprocessableContent)
            #expect(try unconfirmed.fields() == ["confirmation"])
            let revoked = try await step(
                "revoke",
                Self.body(#""of":"\#(Self.subscription)","confirmation":"0000d1""#)
            )
            #expect(revoked.planType == "FREE" && revoked.status == "EXPIRED")
            #expect(revoked.subscriptions.first?.suspendedAt != nil)
            let restored = try await step("restore", Self.body(#""of":"\#(Self.subscription)""#))
            #expect(restored.subscriptions.first?.suspendedAt == nil && restored.source != nil)
            let moved = try await step(
                "transfer",
                Self.body(#""of":"\#(Self.subscription)","receiver":"\#(Self.other)""#)
            )
            #expect(moved.subscriptions.isEmpty)
            let receiver = try await programs.get("/admin/subscriptions/\(Self.other)")
            #expect(try Programs.decode(CustomerAccess.self, receiver).subscriptions.map(\.of) == [Self.subscription])
        }
    }

    @Test("the last that gives access is revoked once, though nothing gives any when the key comes again")
    func lastAccess() async throws {
        try await Self.run { site, programs in
            let body = Self.body(#""confirmation":"0000d1""#)
            let first = try await programs.post(Self.path + "/revoke", body, "k")
            #expect(first.text.contains(#""status":"EXPIRED""#), "\(first.text)")
            let again = try await programs.post(Self.path + "/revoke", body, "k")
            #expect(again.text == first.text)
            let other = try await programs.post(Self.path + "/revoke", body, "k2")
            #expect(other.status == .conflict)
            #expect(try other.fields() == ["of"])
            #expect(try await site.count("suspensions") == 1)
        }
    }

    @Test(
        "what is wrong is named, and nothing is done",
        arguments: [
            ("grant", "", 422, ["planType", "days"]), ("grant", #""days":-1"#, 422, ["planType", "days"]),
            ("grant", #""planType":7,"days":"7","version":1.5"#, 422, ["planType", "days", "version"]),
            ("extend", #""days":0,"of":"gift""#, 422, ["of", "days"]), ("grant", #""days":7"#, 422, ["planType"]),
            ("grant", #""planType":"GOLD","days":7"#, 422, ["planType"]),
            ("grant", #""planType":"FREE","days":7"#, 422, ["planType"]),
            ("grant", #""planType":"PRO","days":0"#, 422, ["days"]),
            ("grant", #""planType":"PRO","days":"7""#, 422, ["days"]),
            ("grant", #""planType":"PRO","days":7,"withoutEnd":true"#, 422, ["days"]),
            ("grant", #""planType":"PRO","until":"tomorrow""#, 422, ["until"]),
            ("grant", #""planType":"PRO","until":"2020-01-01T00:00:00Z""#, 422, ["until"]),
            ("grant", #""planType":"PREMIUM","days":7,"version":3"#, 409, ["version"]),
            ("grant", #""planType":"PREMIUM","days":7,"version":1.5"#, 422, ["version"]),
            ("grant", #""planType":"PREMIUM","version":0,"days":1e30"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","days":9223372036854775807"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","days":9223372036854775808"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","days":-9223372036854775808"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","until":"9999-12-31T23:59:59Z""#, 422, ["until"]),
            ("grant", #""planType":"PREMIUM","until":"0001-01-01T00:00:00Z""#, 422, ["until"]),
            ("grant", #""planType":"PREMIUM","days":7,"days":8"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","days":7,"d\u0061ys":8"#, 422, ["days"]),
            ("grant", #""planType":"PREMIUM","days":7,"other":[{"a":{"b":1,"b":2}}]"#, 422, ["other.a.b"]),
            ("extend", "", 422, ["days"]), ("extend", #""days":1,"of":"gift""#, 422, ["of"]),
            ("extend", #""days":1,"of":"grant:00000000-0000-7000-8000-0000000000e9""#, 409, ["of"]),
            ("change-tier", #""planType":"PRO""#, 422, ["planType"]), ("restore", "", 422, ["of"]),
            ("restore", #""of":"\#(subscription)""#, 409, ["of"]), ("transfer", "", 422, ["of", "receiver"]),
            ("transfer", #""of":"\#(subscription)""#, 422, ["receiver"]),
            (
                "transfer", #""of":"\#(subscription)","receiver":"00000000-0000-7000-8000-0000000000d9""#, 422,
                ["receiver"]
            ),
            ("cancel", "", 409, ["of"]), ("undo", "", 422, ["action"]),
            ("undo", #""action":"00000000-0000-7000-8000-0000000000d9""#, 404, []),
        ] as [(String, String, Int, [String])]
    )
    func mistakes(step: String, fields: String, status: Int, named: [String]) async throws {
        try await Self.run { site, programs in
            let answer = try await programs.post("\(Self.path)/\(step)", Self.body(fields), "k")
            #expect(answer.status.code == status, "\(answer.text)")
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(try answer.fields() == named, "\(answer.text)")
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test(
        "a body in another encoding than UTF-8 is refused",
        arguments: [
            String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ]
    )
    func encodings(_ encoding: String.Encoding) async throws {
        try await Self.run { site, programs in
            let body = try #require(Self.body(#""planType":"PREMIUM","days":7"#).data(using: encoding))
            let answer = try await programs.client.executeRequest(
                uri: Self.path + "/grant",
                method: .post,
                headers: [
                    .authorization: "Bearer \(programs.tokens[.admin] ?? "")", .app: "readmigo",
                    .idempotencyKey: "k", .contentType: "application/json",
                ],
                body: ByteBuffer(bytes: body)
            )
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("The body is not JSON in UTF-8."))
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test("a step needs a reason; what the readmigo document has done does without category and key, the rest does not")
    func reasonsAndKeys() async throws {
        try await Self.run { site, programs in
            let path = Self.path + "/grant"
            let bare = try await programs.post(path, #"{"planType":"PRO","days":9}"#, "k")
            #expect(bare.status == .unprocessableContent)
            #expect(try bare.fields() == ["reason"])
            let cancel = try await programs.post(Self.path + "/cancel", "{}", nil)
            #expect(cancel.status == .unprocessableContent)
            #expect(try cancel.fields() == ["category", "reason"])
            let keyless = try await programs.post(Self.path + "/cancel", Self.body(""), nil)
            #expect(try keyless.fields() == ["Idempotency-Key"])
            let strange = #"{"planType":"PREMIUM","days":7,"category":"whim","reason":"The document's parameters."}"#
            #expect(try await programs.post(path, strange, nil).fields() == ["category"])
            #expect(try await site.count("entitlement_actions") == 0)
            let grant = Self.body(#""planType":"PREMIUM","days":7"#)
            #expect(try await programs.post(path, grant, "k").status == .ok)
            let reused = try await programs.post(path, grant.replacing("7", with: "8"), "k")
            #expect(reused.status == .conflict)
            #expect(try reused.fields() == ["Idempotency-Key"])
            #expect(try await site.count("grants") == 1)
            let documented = #"{"planType":"PREMIUM","days":14,"reason":"The document's parameters."}"#
            let given = try Programs.decode(AccessChange.self, try await programs.post(path, documented, nil))
            let entry = try await programs.get("/admin/audit/\(given.auditEntryId.uuidString.lowercased())")
            #expect(try Programs.decode(AuditRecord.self, entry).reason == "other: The document's parameters.")
        }
    }

    @Test("a grant is put on the plan that everybody has by its end; what is paid for is not")
    func changeToFree() async throws {
        try await Self.run { site, programs in
            let free = Self.body(#""planType":"FREE""#)
            let paid = try await programs.post(Self.path + "/change-tier", free, "k1")
            #expect(paid.status == .unprocessableContent)
            #expect(try paid.fields() == ["planType"])
            let grant = Self.body(#""planType":"PREMIUM","days":7"#)
            #expect(try await programs.post(Self.path + "/grant", grant, "k2").status == .ok)
            let ended = try await programs.post(Self.path + "/change-tier", free, "k3")
            // The paid plan is what remains.
            let access = try Programs.decode(AccessChange.self, ended).access
            #expect(access.planType == "PRO" && access.grants.map(\.status) == ["WITHDRAWN"])
        }
    }

    @Test("support gives up to the limit, analysts look, and a token does what its scopes say")
    func rolesAndScopes() async throws {
        try await Self.run { site, programs in
            let above = Self.body(#""planType":"PREMIUM","days":31"#)
            let refused = try await programs.post(Self.path + "/grant", above, "k1", as: .support)
            #expect(refused.status == .unprocessableContent)
            #expect(try refused.fields() == ["days"])
            for action in AccessAction.allCases {
                let answer = try await programs.post("\(Self.path)/\(action.step)", "{}", "k2", as: .analyst)
                #expect(answer.status == .forbidden, "\(action)")
                let support = try await programs.post("\(Self.path)/\(action.step)", "{}", "k2", as: .support)
                #expect((support.status == .forbidden) == (action.permission == .changeAccess), "\(action)")
            }
            let reader = try await site.backOffice.issueToken(
                named: "reader",
                of: "admin@example.com",
                scopes: [TokenScope(.subscriptions, .read)],
                caller: .commandLine
            ).text
            #expect(try await programs.send(reader, .get, Self.path, nil, nil).status == .ok)
            #expect(try await programs.send(reader, .post, Self.path + "/grant", above, "k3").status == .forbidden)
            let search = try await programs.send(reader, .get, "/admin/subscriptions?q=Ada%20Love", nil, nil)
            #expect(search.text == #"{"subscriptions":[],"next":null}"#)
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test("a customer of another app is not there, and neither is one that there is not")
    func otherApp() async throws {
        try await Self.run { site, programs in
            let nobody = "/admin/subscriptions/00000000-0000-7000-8000-0000000000d9"
            for (path, app) in [(Self.path, "kombin"), (nobody, "readmigo"), ("/admin/subscriptions/x", "readmigo")] {
                #expect(try await programs.get(path, of: app).status == .notFound)
                for action in AccessAction.allCases {
                    let answer = try await programs.post("\(path)/\(action.step)", "{}", "k", of: app)
                    #expect(answer.status == .notFound, "\(path) \(action)")
                }
            }
            let list = try await programs.get("/admin/subscriptions", of: "kombin")
            #expect(list.text == #"{"subscriptions":[],"next":null}"#)
            #expect(try await site.count("entitlement_actions") == 0)
        }
    }

    @Test("the list is filtered, and paged without a row lost or shown twice, in every order")
    func list() async throws {
        try await Self.run { site, programs in
            try await site.pool.withConnection { try await $0.execute(script: Self.many) }
            for order in ["", "?dir=asc", "?sort=end", "?sort=end&dir=asc"] {
                let pages = try await programs.pages("/admin/subscriptions\(order)", SubscriptionPage.self) { $0.next }
                let ids = pages.flatMap(\.subscriptions).map(\.id)
                #expect(pages.count == 3 && ids.count == 61 && Set(ids).count == 61, "\(order)")
            }
            func count(_ query: String) async throws -> Int {
                let answer = try await programs.get("/admin/subscriptions?\(query)")
                return try Programs.decode(SubscriptionPage.self, answer).subscriptions.count
            }
            #expect(try await count("status=ACTIVE") == 1)
            #expect(try await count("status=EXPIRED&customer=\(Self.other)") == 25)
            #expect(try await count("customer=\(AccessPagesTests.customer)&source=APPLE_IAP&planType=PRO") == 1)
            #expect(try await count("source=ALIPAY") == 0)
            #expect(try await count("environment=SANDBOX") == 0)
            #expect(try await count("q=t1&renewsWithin=7") == 0)
            #expect(try await count("q=chain-60") == 1)
            for query in [
                "status=HAPPY", "planType=", "source=SHOP", "environment=MOON", "customer=me", "renewsWithin=0",
                "sort=colour", "dir=up", "after=x", "page=2",
            ] {
                let answer = try await programs.get("/admin/subscriptions?\(query)")
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == [String(query.prefix { $0 != "=" })])
            }
        }
    }

    private static func body(_ fields: String) -> String {
        let reason = #""category":"goodwill","reason":"The reader crashed all day.""#
        return fields.isEmpty ? "{\(reason)}" : "{\(fields),\(reason)}"
    }

    @Test(
        "a customer whom somebody else is changing is 503 with a reason of its own, and the same request works afterwards"
    )
    func busy() async throws {
        try await Self.run(lockTimeout: .milliseconds(300)) { site, programs in
            let before = try Programs.decode(CustomerAccess.self, try await programs.get(Self.path, as: .analyst))
            let body = Self.body(#""planType":"PREMIUM","days":7,"version":\#(before.version)"#)
            try await site.pool.withTransaction { somebody in
                _ = try await somebody.query("SELECT FROM customers FOR UPDATE")
                let refused = try await programs.post(Self.path + "/grant", body, "k1", as: .support)
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.headers[.retryAfter] == "2")
                let problem = try JSONDecoder().decode(Problem.self, from: Data(refused.text.utf8))
                #expect(problem.type == "/problems/busy")
                #expect(problem.detail.hasPrefix("Somebody is changing this customer"))
            }
            #expect(try await site.count("grants") == 0)
            #expect(try await programs.post(Self.path + "/grant", body, "k1", as: .support).status == .ok)
        }
    }

    private static func run(
        lockTimeout: Duration? = nil,
        _ body: @escaping @Sendable (TestSite, Programs) async throws -> Void
    ) async throws {
        try await Programs.run(
            lockTimeout: lockTimeout,
            { site in
                try await site.pool.withConnection { connection in
                    try await connection.execute(script: AccessPagesTests.rows)
                    try await connection.execute(script: receiver)
                }
            },
            body
        )
    }

    private static let receiver = """
        INSERT INTO customers (id, app_id, key, name, created_at)
        VALUES ('\(other)', '\(TestSite.readmigo)', 'bob', 'Bob', now());
        """

    /// Sixty subscriptions that have ended, many of them at the same time.
    private static let many = """
        INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
            product_id, started_at, period_starts_at, period_ends_at, created_at, updated_at)
        SELECT gen_random_uuid(), '\(TestSite.readmigo)', '\(other)', 'apple', 'production', 'chain-' || i, 'expired',
            '00000000-0000-7000-8000-0000000000c1', '2026-01-01'::timestamptz + i / 7 * interval '1 day', '2026-01-01',
            '2026-02-01'::timestamptz + i / 9 * interval '1 day', now(), now()
        FROM generate_series(1, 60) i;
        """
}
