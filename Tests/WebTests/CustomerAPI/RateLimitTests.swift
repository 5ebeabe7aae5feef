import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Rate limits over HTTP") struct RateLimitTests {
    @Test("each answer says where the caller stands, and who called too often is told when to come back")
    func told() async throws {
        try await CustomerCalls.run(rateLimits: RateLimits("session=2/20 customer=50/50")) { calls in
            let token = try await calls.nobody()
            let first = try await calls.ask(.get, "/entitlements", token: token)
            #expect(first.status == .ok)
            #expect(first.headers[.rateLimitPolicy] == #""session";q=2;w=20, "customer";q=50;w=50"#)
            #expect(first.headers[.rateLimit] == #""session";r=1;t=10, "customer";r=49;t=1"#)
            // A call that is refused for another reason counts as well.
            #expect(try await calls.ask(.get, "/entitlements/nothing", token: token).status == .notFound)
            let refused = try await calls.ask(.get, "/entitlements", token: token)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "10")
            #expect(refused.headers[.rateLimit] == #""session";r=0;t=10"#)
            let problem = try refused.object()
            #expect(problem["type"] as? String == "/problems/too-many-requests")
            #expect(problem["status"] as? Int == 429)
            #expect(problem["instance"] as? String == "/entitlements")
            calls.site.clock.advance(by: 10)
            #expect(try await calls.ask(.get, "/entitlements", token: token).status == .ok)
            // Another sign-in has a bucket of its own, and so has another customer.
            #expect(try await calls.ask(.get, "/entitlements", token: try await calls.nobody()).status == .ok)
            #expect(try await calls.ask(.get, "/entitlements", token: try await calls.buyer()).status == .ok)
        }
    }

    @Test(
        "an app's own limits take the place of the installation's, from the catalogue's change on; what is off stays off"
    )
    func ofApp() async throws {
        try await CustomerCalls.run(rateLimits: RateLimits("session=50/50 customer=off")) { calls in
            let token = try await calls.nobody()
            let usual = try await calls.ask(.get, "/entitlements", token: token)
            #expect(usual.headers[.rateLimitPolicy] == #""session";q=50;w=50"#)
            try await calls.site.pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        INSERT INTO app_rate_limits
                        SELECT id, policy, 2, 20 FROM apps, unnest(ARRAY['session', 'customer']) policy WHERE slug = 'readmigo'
                        """
                )
            }
            calls.site.clock.advance(by: 11)
            let own = try await calls.ask(.get, "/entitlements", token: token)
            #expect(own.status == .ok)
            #expect(own.headers[.rateLimitPolicy] == #""session";q=2;w=20"#)
            #expect(try await calls.ask(.get, "/entitlements", token: token).status == .ok)
            let refused = try await calls.ask(.get, "/entitlements", token: token)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "10")
        }
    }

    @Test("a customer with many tokens is one customer")
    func manyTokens() async throws {
        try await CustomerCalls.run(rateLimits: RateLimits("customer=3/60")) { calls in
            var statuses: [HTTPResponse.Status] = []
            for _ in 0..<4 {
                statuses.append(
                    try await calls.ask(.get, "/subscriptions/status", token: try await calls.nobody()).status
                )
            }
            #expect(statuses == [.ok, .ok, .ok, .tooManyRequests])
            #expect(try await calls.ask(.get, "/subscriptions/status", token: try await calls.buyer()).status == .ok)
        }
    }

    @Test(
        "receipts are a few a minute, whatever the call is named; to have the store asked without one is counted as one",
        arguments: [
            "/subscriptions/verify", "/subscriptions/restore", "/ios/validate-receipt", "/ios/restore",
        ]
    )
    func receipts(_ path: String) async throws {
        try await CustomerCalls.run(rateLimits: RateLimits("receipts=2/60")) { calls in
            let token = try await calls.nobody()
            let receipt = #"{"receiptData":"MIIB"}"#
            for _ in 0..<2 {
                let answer = try await calls.ask(.post, path, token: token, body: receipt)
                #expect(answer.status != .tooManyRequests)
            }
            let refused = try await calls.ask(.post, path, token: token, body: receipt)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "30")
            if path.hasSuffix("restore") {
                #expect(try await calls.ask(.post, path, token: token, body: "{}").status == .tooManyRequests)
            }
            #expect(try await calls.ask(.get, "/subscriptions/status", token: token).status == .ok)
        }
    }

    @Test("an address is counted before it is asked who calls, and only a proxy of ours can name it")
    func addresses() async throws {
        let limits = try RateLimits("address=3/60 sign-ins=2/60")
        try await CustomerCalls.run(trustedProxies: TrustedProxies("127.0.0.0/8"), rateLimits: limits) { calls in
            try await calls.site.app.test(.live) { client async throws in
                func status(_ method: HTTPRequest.Method, _ path: String, from hops: String?) async throws -> Int {
                    var headers: HTTPFields = [.contentType: "application/json"]
                    if let hops { headers[.forwardedFor] = hops }
                    return try await client.executeRequest(uri: path, method: method, headers: headers, body: nil)
                        .status.code
                }
                var statuses: [Int] = []
                for _ in 0..<4 { statuses.append(try await status(.get, "/entitlements", from: "203.0.113.9")) }
                #expect(statuses == [401, 401, 401, 429])
                #expect(try await status(.get, "/entitlements", from: "198.51.100.7, 203.0.113.9") == 429)
                #expect(try await status(.get, "/entitlements", from: "198.51.100.7") == 401)
                // One network of IPv6 is one caller.
                for host in 1...3 {
                    #expect(try await status(.get, "/entitlements", from: "2001:db8::\(host)") == 401)
                }
                #expect(try await status(.get, "/entitlements", from: "2001:db8::4") == 429)
                #expect(try await status(.get, "/entitlements", from: "2001:db8:0:1::1") == 401)
                // Sign-ins are fewer.
                for _ in 0..<2 {
                    #expect(try await status(.post, "/api/v1/auth/token/refresh", from: "192.0.2.1") != 429)
                }
                #expect(try await status(.post, "/api/v1/auth/token/refresh", from: "192.0.2.1") == 429)
                #expect(try await status(.get, "/ios/plans?app=readmigo", from: "192.0.2.2") == 200)
                // The machine itself, staff and their programs, stores and monitoring are not counted.
                for _ in 0..<5 {
                    #expect(try await status(.get, "/entitlements", from: nil) == 401)
                    #expect(try await status(.get, "/dashboard/sign-in", from: "203.0.113.9") == 200)
                    #expect(try await status(.get, "/admin/orders", from: "203.0.113.9") == 401)
                    #expect(try await status(.post, "/webhooks/apple", from: "203.0.113.9") != 429)
                    #expect(try await status(.get, "/healthz", from: "203.0.113.9") == 200)
                }
            }
        }
    }

    @Test("without a database a call is not refused for its number, but for that")
    func databaseAway() async throws {
        try await CustomerCalls.run(rateLimits: RateLimits("customer=2/60"), acquireTimeout: .seconds(4)) { calls in
            let token = try await calls.nobody()
            #expect(try await calls.ask(.get, "/entitlements", token: token).status == .ok)
            try await calls.site.breakDatabase()
            for _ in 0..<3 {
                #expect(try await calls.ask(.get, "/entitlements", token: token).status == .serviceUnavailable)
            }
        }
    }
}
