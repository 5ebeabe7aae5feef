import Billing
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Usage over HTTP") struct UsageTests {
    @Test("what is counted is answered with what is left, and is there when it is asked for")
    func counted() async throws {
        try await Self.run { site, token in
            let answer = try await Self.post("/usage/ai", "{\"quantity\":2}", site, token)
            #expect(answer.status == .ok)
            let counted = try answer.object()
            #expect(counted["feature"] as? String == "ai")
            #expect(counted["allowed"] as? Bool == true)
            #expect(counted["offline"] as? Bool == false)
            #expect(counted["quantity"] as? Int == 2)
            #expect(counted["window"] as? String == "day")
            #expect(counted["used"] as? Int == 2)
            #expect(counted["limit"] as? Int == 5)
            #expect(counted["remaining"] as? Int == 3)
            #expect(counted["resetsAt"] as? String == "2026-11-21T16:00:00Z")
            // A call without a quantity counts one.
            #expect(try await Self.post("/usage/ai", "", site, token).object()["used"] as? Int == 3)
            let shown = try await Self.ask(.get, "/usage/current", site, token)
            #expect(shown.status == .ok)
            let usage = try shown.object()
            #expect(usage["planType"] as? String == "FREE")
            let features = try #require(usage["features"] as? [[String: Any]])
            #expect(features.compactMap { $0["feature"] as? String } == ["ai", "voice-chat", "books"])
            #expect(features.compactMap { $0["included"] as? Bool } == [true, false, true])
            #expect(features.compactMap { $0["allowed"] as? Bool } == [true, false, true])
            #expect(features.compactMap { $0["used"] as? Int } == [3, 0, 0])
            #expect(features[1]["requiredPlan"] as? String == "PRO")
            #expect((features[0]["windows"] as? [[String: Any]])?.count == 3)
        }
    }

    @Test("entitlements say what the plan includes, what is left of it, and which plan has the rest")
    func entitlements() async throws {
        try await Self.run { site, token in
            #expect(try await Self.post("/usage/ai", "{\"quantity\":4}", site, token).status == .ok)
            let all = try await Self.ask(.get, "/entitlements", site, token).object()
            #expect(all["planType"] as? String == "FREE")
            #expect(all["source"] is NSNull)
            // The app account token is the same in every answer, and for ever.
            let status = try await Self.ask(.get, "/subscriptions/status", site, token).object()
            #expect(UUID(uuidString: all["appAccountToken"] as? String ?? "") != nil)
            #expect(all["appAccountToken"] as? String == status["appAccountToken"] as? String)
            let features = try #require(all["features"] as? [[String: Any]])
            #expect(features.compactMap { $0["allowed"] as? Bool } == [true, false, true])
            #expect(features.map { $0["reason"] as? String } == [nil, "tierRequired", nil])
            #expect(features.map { $0["requiredPlan"] as? String } == [nil, "PRO", nil])
            let limits = try #require(features[0]["limits"] as? [[String: Any]])
            #expect(limits.compactMap { $0["window"] as? String } == ["day"])
            #expect(limits.compactMap { $0["remaining"] as? Int } == [1])
            #expect(try await Self.post("/usage/ai", "{}", site, token).status == .ok)
            let one = try await Self.ask(.get, "/entitlements/ai", site, token).object()
            #expect((one["allowed"] as? Bool, one["reason"] as? String) == (false, "limitReached"))
            for feature in ["dreams", "%00", String(repeating: "x", count: 8_000), "1.5", "-9223372036854775808"] {
                let missing = try await Self.ask(.get, "/entitlements/\(feature)", site, token)
                #expect([.notFound, .badRequest, .uriTooLong].contains(missing.status), "\(feature.prefix(20))")
            }
        }
    }

    @Test("at the limit it is 429 with the limit, when it is counted anew, and Retry-After")
    func limited() async throws {
        try await Self.run { site, token in
            #expect(try await Self.post("/usage/ai", "{\"quantity\":5}", site, token).status == .ok)
            let answer = try await Self.post("/usage/ai", "{}", site, token)
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.contentType] == "application/problem+json")
            let seconds = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...86_400).contains(seconds))
            let problem = try answer.object()
            #expect(problem["type"] as? String == "/problems/limit-reached")
            #expect(problem["code"] as? String == "limitReached")
            #expect(problem["window"] as? String == "day")
            #expect(problem["limit"] as? Int == 5)
            #expect(problem["used"] as? Int == 5)
            #expect(problem["resetsAt"] as? String == "2026-11-21T16:00:00Z")
            #expect(problem["requiredPlan"] == nil)
        }
    }

    @Test("what no wait renews, and what the plan does not include, is 403 and says why; what there is not is 404")
    func forbidden() async throws {
        try await Self.run { site, token in
            let books = try await Self.post("/usage/books", "{\"quantity\":4}", site, token)
            #expect(books.status == .forbidden)
            #expect(books.headers[.retryAfter] == nil)
            #expect(try books.object()["code"] as? String == "limitReached")
            #expect(try books.object()["resetsAt"] == nil)
            let chat = try await Self.post("/usage/voice-chat", "{}", site, token)
            #expect(chat.status == .forbidden)
            #expect(try chat.object()["type"] as? String == "/problems/tier-required")
            #expect(try chat.object()["code"] as? String == "tierRequired")
            #expect(try chat.object()["requiredPlan"] as? String == "PRO")
            let missing = try await Self.post("/usage/dreams", "{}", site, token)
            #expect(missing.status == .notFound)
            #expect(try missing.object()["code"] as? String == "featureNotFound")
            #expect(try await site.count("usage_counters") == 0)
        }
    }

    @Test("under one key it is counted once; another body under it, and a key that is none, is 422")
    func keys() async throws {
        try await Self.run { site, token in
            let first = try await Self.post("/usage/ai", "{\"quantity\":2}", site, token, key: "k1")
            let again = try await Self.post("/usage/ai", "{ \"quantity\": 2 }", site, token, key: "k1")
            #expect(first.status == .ok)
            #expect(again.body == first.body)
            let other = try await Self.post("/usage/ai", "{\"quantity\":1}", site, token, key: "k1")
            #expect(other.status == .unprocessableContent)
            #expect(try other.fields() == ["Idempotency-Key"])
            for key in ["", String(repeating: "k", count: 256)] {
                let refused = try await Self.post("/usage/ai", "{}", site, token, key: key)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.fields() == ["Idempotency-Key"])
            }
            let stranger = try await Self.token("u2", site)
            #expect(try await Self.post("/usage/ai", "{\"quantity\":1}", site, stranger, key: "k1").status == .ok)
            #expect(try await site.count("usage_counters WHERE lifetime_used = 2") == 1)
        }
    }

    @Test("what is reserved is held until it is settled or released, and what is no reservation is 404")
    func reservations() async throws {
        try await Self.run { site, token in
            let path = "/usage/ai/reservations"
            let held = try await Self.post(path, "{\"quantity\":4,\"expiresIn\":60}", site, token, key: "k1")
            #expect(held.status == .created)
            #expect(
                try await Self.post(path, "{\"quantity\":4,\"expiresIn\":60}", site, token, key: "k1").body == held.body
            )
            let reservation = try held.object()
            let id = try #require(reservation["id"] as? String)
            #expect(reservation["remaining"] as? Int == 1)
            #expect(reservation["expiresAt"] as? String == "2026-11-21T02:41:00Z")
            #expect(try await Self.post(path, "{\"quantity\":2}", site, token).status == .tooManyRequests)
            let settled = try await Self.post("\(path)/\(id)/settle", "{\"quantity\":1}", site, token)
            #expect(settled.status == .ok)
            #expect(try settled.object()["remaining"] as? Int == 4)
            #expect(try await Self.post("\(path)/\(id)/settle", "{\"quantity\":2}", site, token).status == .conflict)
            let other = try #require(try await Self.post(path, "", site, token).object()["id"] as? String)
            for _ in 0..<2 {
                #expect(try await Self.ask(.delete, "\(path)/\(other)", site, token).status == .noContent)
            }
            for number in ["-9223372036854775808", "10000000000000000000", "1.5", "\"\"", "5"] {
                let refused = try await Self.post("\(path)/\(id)/settle", "{\"quantity\":\(number)}", site, token)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.fields() == ["quantity"])
            }
            for seconds in ["-9223372036854775808", "10000000000000000000", "0", "86401", "1.5", "\"\""] {
                let refused = try await Self.post(path, "{\"expiresIn\":\(seconds)}", site, token)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.fields() == ["expiresIn"])
            }
            for name in ["x", "00000000-0000-7000-8000-000000000009", "%20"] {
                #expect(try await Self.post("\(path)/\(name)/settle", "{}", site, token).status == .notFound)
                #expect(try await Self.ask(.delete, "\(path)/\(name)", site, token).status == .notFound)
            }
            // Another customer's is not found either.
            let stranger = try await Self.token("u2", site)
            let open = try #require(try await Self.post(path, "", site, token).object()["id"] as? String)
            #expect(try await Self.post("\(path)/\(open)/settle", "{}", site, stranger).status == .notFound)
            #expect(try await Self.ask(.delete, "\(path)/\(open)", site, stranger).status == .notFound)
            #expect(try await site.count("usage_reservations WHERE state = 'open'") == 1)
            #expect(try await site.count("usage_counters WHERE lifetime_used = 2") == 1)
        }
    }

    @Test("what was counted offline is marked, and is beyond the limit")
    func offline() async throws {
        try await Self.run { site, token in
            let body = "{\"quantity\":9,\"occurredAt\":\"2026-11-20T23:30:00+08:00\"}"
            let answer = try await Self.post("/usage/ai", body, site, token)
            #expect(answer.status == .ok)
            #expect(try answer.object()["offline"] as? Bool == true)
            #expect(try await site.count("usage_days WHERE day = '2026-11-20' AND used = 0 AND offline = 9") == 1)
        }
    }

    @Test(
        "what cannot be counted is refused by its field, and counts nothing",
        arguments: [
            ("{\"quantity\":0}", "quantity"), ("{\"quantity\":-1}", "quantity"),
            ("{\"quantity\":1000001}", "quantity"), ("{\"quantity\":-9223372036854775808}", "quantity"),
            ("{\"quantity\":9223372036854775807}", "quantity"), ("{\"quantity\":10000000000000000000}", "quantity"),
            ("{\"quantity\":1.5}", "quantity"), ("{\"quantity\":1e400}", "quantity"),
            ("{\"quantity\":\"\"}", "quantity"),
            ("{\"quantity\":\"1\"}", "quantity"), ("{\"quantity\":true}", "quantity"),
            ("{\"quantity\":[]}", "quantity"),
            ("{\"quantity\":1,\"quantity\":2}", "quantity"),
            ("{\"occurredAt\":\"\"}", "occurredAt"), ("{\"occurredAt\":\"\\u0000\"}", "occurredAt"),
            ("{\"occurredAt\":\"2026-11-20\"}", "occurredAt"), ("{\"occurredAt\":1.5}", "occurredAt"),
            ("{\"occurredAt\":\"0001-01-01T00:00:00Z\"}", "occurredAt"),
            ("{\"occurredAt\":\"9999-12-31T23:59:59Z\"}", "occurredAt"),
            ("{\"occurredAt\":\"2026-10-01T00:00:00Z\"}", "occurredAt"),
            ("{\"occurredAt\":\"\(String(repeating: "9", count: 50_000))\"}", "occurredAt"),
        ]
    )
    func input(body: String, field: String) async throws {
        try await Self.run { site, token in
            let answer = try await Self.post("/usage/ai", body, site, token, key: "k1")
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields() == [field])
            #expect(try await site.count("usage_counters") == 0)
            #expect(try await site.count("idempotency_keys") == 0)
        }
    }

    @Test(
        "a feature that is none is refused",
        arguments: [
            ("%00", 400), ("%ff%fe", 400), ("%", 400), ("%20", 404), ("AI", 404), ("ai%20", 404),
            ("-9223372036854775808", 404), ("10000000000000000000", 404), ("1.5", 404),
            (String(repeating: "a", count: 8_000), 404), (String(repeating: "a", count: 100_000), 414),
        ]
    )
    func names(name: String, status: Int) async throws {
        try await Self.run { site, token in
            let answer = try await Self.post("/usage/\(name)", "{}", site, token)
            #expect(answer.status.code == status)
            let counted = try await site.count("usage_counters")
            #expect(counted == 0)
        }
    }

    private typealias Answer = CustomerCalls.Answer

    /// Runs a test on a site whose clock says 2026-11-21T02:40:00Z, with a token of a customer on FREE.
    private static func run(_ body: @escaping @Sendable (TestSite, String) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.pool.withConnection { try await $0.execute(script: features) }
            try await body(site, try await token("u1", site))
        }
    }

    private static func token(_ customer: String, _ site: TestSite) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: customer, isAnonymous: false),
            of: try #require(App.ID(TestSite.readmigo)),
            caller: .commandLine
        ).accessToken.revealed
    }

    private static func post(
        _ path: String,
        _ body: String,
        _ site: TestSite,
        _ token: String,
        key: String? = nil
    ) async throws -> Answer {
        try await ask(.post, path, site, token, key: key, body: body)
    }

    private static func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ site: TestSite,
        _ token: String,
        key: String? = nil,
        body: String? = nil
    ) async throws -> Answer {
        try await CustomerCalls(site: site).ask(method, path, token: token, key: key, body: body)
    }

    static let features = """
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), id, p.code, p.code, p.rank
        FROM apps, (VALUES ('FREE', 0), ('PRO', 1)) AS p (code, rank)
        WHERE slug = 'readmigo'
        ON CONFLICT DO NOTHING;
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, f.code, f.code, '{}', f.position
        FROM apps, (VALUES ('ai', 0), ('voice-chat', 1), ('books', 2)) AS f (code, position)
        WHERE slug = 'readmigo';
        INSERT INTO plan_features (plan_id, feature_id, per_day, per_month, lifetime)
        SELECT p.id, f.id, x.per_day, x.per_month, x.lifetime
        FROM (VALUES ('FREE', 'ai', 5, NULL::bigint, NULL::bigint), ('PRO', 'voice-chat', NULL, 30, NULL),
            ('FREE', 'books', NULL, NULL, 3)) AS x (plan, feature, per_day, per_month, lifetime)
        JOIN apps a ON a.slug = 'readmigo'
        JOIN plans p ON p.app_id = a.id AND p.code = x.plan
        JOIN features f ON f.app_id = a.id AND f.code = x.feature;
        """
}
