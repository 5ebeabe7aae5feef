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

@Suite("Usage that an app's own server counts, and batches") struct AppServerUsageTests {
    @Test("a server counts for its customer, who is made by it and sees it in their own app")
    func count() async throws {
        try await Self.run { site, key in
            let first = try await Self.ask(.post, "/customers/u1/usage/ai", site, key, "{\"quantity\":2}", once: "k1")
            #expect(first.status == .ok)
            #expect(try first.object()["remaining"] as? Int == 3)
            let again = try await Self.ask(.post, "/customers/u1/usage/ai", site, key, "{\"quantity\":2}", once: "k1")
            #expect(again.body == first.body)
            // The key is the app's: it fits no other customer, and no other quantity.
            for (customer, quantity) in [("u2", 2), ("u1", 1)] {
                let body = "{\"quantity\":\(quantity)}"
                let other = try await Self.ask(.post, "/customers/\(customer)/usage/ai", site, key, body, once: "k1")
                #expect(other.status == .unprocessableContent)
                #expect(try other.fields() == ["Idempotency-Key"])
            }
            let token = try await Self.token("u1", site)
            // And the customer's own key is another one.
            let own = try await Self.ask(.post, "/usage/ai", site, token, "{\"quantity\":3}", once: "k1")
            #expect(try own.object()["used"] as? Int == 5)
            let full = try await Self.ask(.post, "/customers/u1/usage/ai", site, key, "{}")
            #expect(full.status == .tooManyRequests)
            #expect(try full.object()["code"] as? String == "limitReached")
            #expect(try await site.count("usage_counters") == 1)
        }
    }

    @Test("a server reserves, settles and releases for its customer, and for no other")
    func reservations() async throws {
        try await Self.run { site, key in
            let path = "/customers/u1/usage/ai/reservations"
            let held = try await Self.ask(.post, path, site, key, "{\"quantity\":4,\"expiresIn\":60}")
            #expect(held.status == .created)
            let id = try #require(try held.object()["id"] as? String)
            _ = try await Self.token("u2", site)
            for stranger in ["u2", "nobody"] {
                let theirs = "/customers/\(stranger)/usage/ai/reservations/\(id)"
                #expect(try await Self.ask(.post, "\(theirs)/settle", site, key, "{}").status == .notFound)
                #expect(try await Self.ask(.delete, theirs, site, key).status == .notFound)
            }
            let settled = try await Self.ask(.post, "\(path)/\(id)/settle", site, key, "{\"quantity\":1}")
            #expect(try settled.object()["remaining"] as? Int == 4)
            let other = try #require(try await Self.ask(.post, path, site, key, "{}").object()["id"] as? String)
            #expect(try await Self.ask(.delete, "\(path)/\(other)", site, key).status == .noContent)
            #expect(try await site.count("usage_counters WHERE lifetime_used = 1") == 1)
        }
    }

    @Test(
        "a batch is answered item by item: what is refused undoes none of the others, and sent again it counts nothing twice"
    )
    func batch() async throws {
        try await Self.run { site, key in
            let items = [
                "{\"customer\":\"u1\",\"feature\":\"ai\",\"quantity\":4,\"key\":\"a\"}",
                "{\"customer\":\"u1\",\"feature\":\"ai\",\"quantity\":2,\"key\":\"b\"}",
                "{\"customer\":\"u2\",\"feature\":\"books\",\"key\":\"c\"}",
                "{\"customer\":\"u2\",\"feature\":\"books\",\"quantity\":2,\"key\":\"c\"}",
                "{\"customer\":\"u2\",\"feature\":\"voice-chat\",\"key\":\"d\"}",
                "{\"customer\":\"u2\",\"feature\":\"dreams\",\"key\":\"e\"}",
                "{\"customer\":\"u2\",\"feature\":\"books\"}", "{\"feature\":\"books\",\"key\":\"f\"}",
                "{\"customer\":\"u2\",\"key\":\"g\"}",
                "{\"customer\":\"u2\",\"feature\":\"ai\",\"quantity\":1.5,\"key\":\"h\"}", "7",
                "{\"customer\":\"u1\",\"feature\":\"ai\",\"quantity\":9,\"key\":\"i\",\"occurredAt\":\"2026-11-20T23:30:00+08:00\"}",
                "{\"customer\":\"\(String(repeating: "x", count: 256))\",\"feature\":\"ai\",\"key\":\"j\"}",
            ]
            let body = "{\"items\":[\(items.joined(separator: ","))]}"
            let statuses = [200, 429, 200, 422, 403, 404, 422, 422, 422, 422, 422, 200, 422]
            for _ in 0..<2 {
                let answer = try await Self.ask(.post, "/customers/usage", site, key, body)
                #expect(answer.status == .ok)
                let answered = try #require(try answer.object()["items"] as? [[String: Any]])
                #expect(answered.compactMap { $0["status"] as? Int } == statuses)
                for item in answered {
                    #expect((item["usage"] is NSNull) == (item["status"] as? Int != 200))
                    #expect((item["problem"] is NSNull) == (item["status"] as? Int == 200))
                }
                let problems = answered.map { $0["problem"] as? [String: Any] }
                let fields = problems.map { problem in
                    (problem?["errors"] as? [[String: Any]])?.first?["field"] as? String
                }
                #expect(fields[3] == "key")
                #expect(Array(fields[6...9]) == ["key", "customer", "feature", "quantity"])
                #expect(fields[12] == "customer")
                #expect((problems[12]?["detail"] as? String)?.hasPrefix("customer: ") == true)
                #expect(problems[1]?["code"] as? String == "limitReached")
                #expect(problems[4]?["requiredPlan"] as? String == "PRO")
            }
            #expect(try await site.count("usage_counters WHERE lifetime_used = 13 AND day_used = 4") == 1)
            #expect(try await site.count("usage_counters") == 2)
        }
    }

    @Test("an app's offline queue is counted item by item under the keys of its own calls")
    func offlineQueue() async throws {
        try await Self.run { site, _ in
            let token = try await Self.token("u1", site)
            #expect(try await Self.ask(.post, "/usage/ai", site, token, "{\"quantity\":2}", once: "k1").status == .ok)
            let items = [
                "{\"feature\":\"ai\",\"quantity\":2,\"key\":\"k1\"}", "{\"feature\":\"ai\",\"key\":\"k2\"}",
                "{\"feature\":\"ai\",\"key\":\"\"}", "{\"feature\":\"ai\",\"quantity\":0,\"key\":\"k3\"}",
            ]
            let body = "{\"items\":[\(items.joined(separator: ","))]}"
            let answer = try await Self.ask(.post, "/usage", site, token, body)
            let answered = try #require(try answer.object()["items"] as? [[String: Any]])
            #expect(answered.compactMap { $0["status"] as? Int } == [200, 200, 422, 422])
            #expect(try await site.count("usage_counters WHERE lifetime_used = 3") == 1)
        }
    }

    @Test(
        "what is no list of items is refused by its field, and counts nothing",
        arguments: [
            "{}", "{\"items\":[]}", "{\"items\":null}", "{\"items\":1.5}", "{\"items\":\"\"}", "{\"items\":{}}",
            "{\"items\":[\(Array(repeating: "{}", count: 101).joined(separator: ","))]}",
        ]
    )
    func noList(body: String) async throws {
        try await Self.run { site, key in
            let token = try await Self.token("u1", site)
            for (path, caller) in [("/customers/usage", key), ("/usage", token)] {
                let answer = try await Self.ask(.post, path, site, caller, body)
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == ["items"])
            }
            #expect(try await site.count("usage_counters") == 0)
        }
    }

    @Test("a server sees its customer; whom the app has not named it does not find, and makes nobody")
    func customer() async throws {
        try await Self.run { site, _ in
            let key = try await Self.key([.readCustomers], site)
            #expect(try await Self.ask(.get, "/customers/u1", site, key).status == .notFound)
            #expect(try await site.count("customers") == 0)
            _ = try await Self.token("u1", site)
            let answer = try await Self.ask(.get, "/customers/u1", site, key)
            let customer = try answer.object()
            #expect(
                Set(customer.keys) == [
                    "userId", "externalId", "planType", "status", "expiresAt", "firstSeenAt", "appAccountToken",
                    "serverTime",
                ]
            )
            #expect(customer["externalId"] as? String == "u1")
            #expect(customer["planType"] as? String == "FREE")
            #expect(customer["status"] as? String == "ACTIVE")
            #expect(customer["firstSeenAt"] as? String == "2026-11-21T02:40:00Z")
            #expect(customer["appAccountToken"] is String)
            // This key reads, and counts nothing.
            #expect(try await Self.ask(.post, "/customers/u1/usage/ai", site, key, "{}").status == .forbidden)
            #expect(try await Self.ask(.post, "/customers/usage", site, key, "{}").status == .forbidden)
        }
    }

    private typealias Answer = CustomerCalls.Answer

    /// Runs a test on a site with the features of `UsageTests`, and a key that may count.
    private static func run(_ body: @escaping @Sendable (TestSite, String) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.pool.withConnection { try await $0.execute(script: UsageTests.features) }
            try await body(site, try await key([.writeUsage], site))
        }
    }

    private static func key(_ scopes: Set<AppKeyScope>, _ site: TestSite) async throws -> String {
        let issued = try await site.backOffice.issueAppKey(
            named: "server",
            scopes: scopes,
            of: TestSite.readmigoID,
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }

    private static func token(_ customer: String, _ site: TestSite) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: customer, isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        ).accessToken.revealed
    }

    private static func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ site: TestSite,
        _ caller: String,
        _ body: String? = nil,
        once key: String? = nil
    ) async throws -> Answer {
        try await CustomerCalls(site: site).ask(method, path, token: caller, key: key, body: body)
    }
}
