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

@Suite("What apps' own servers call") struct AppServerTests {
    @Test("a server reads what its app's customers may use, also of those whom nobody has named")
    func entitlements() async throws {
        try await TestSite.run { site in
            let key = try await Self.key([.readEntitlements], site)
            let one = try await Self.ask(.get, "/customers/user-1/entitlements", site, key)
            #expect(one.status == .ok)
            #expect(try one.object()["userId"] is NSNull)
            #expect(try one.object()["status"] as? String == "ACTIVE")
            let ids = (0..<100).map { "\"user-\($0)\"" }.joined(separator: ",")
            let many = try await Self.ask(.post, "/customers/entitlements", site, key, "{\"customers\":[\(ids)]}")
            let listed = try #require(try many.object()["entitlements"] as? [[String: Any]])
            #expect(listed.compactMap { $0["externalId"] as? String } == (0..<100).map { "user-\($0)" })
            #expect(try await site.count("customers") == 0)
        }
    }

    @Test(
        "what is no list of customers is refused by its field",
        arguments: [
            "{}", "{\"customers\":[]}", "{\"customers\":null}", "{\"customers\":\"a\"}", "{\"customers\":[1.5]}",
            "{\"customers\":[\"a\\u0000\"]}", "{\"customers\":[\"\"]}",
            "{\"customers\":[\(Array(repeating: "\"a\"", count: 101).joined(separator: ","))]}",
        ]
    )
    func noList(body: String) async throws {
        try await TestSite.run { site in
            let key = try await Self.key([.readEntitlements], site)
            let answer = try await Self.ask(.post, "/customers/entitlements", site, key, body)
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields().first?.hasPrefix("customers") == true)
        }
    }

    @Test("a server vouches for its customer: the token is theirs, for an hour")
    func mint() async throws {
        try await TestSite.run { site in
            let key = try await Self.key([.mintTokens], site)
            let minted = try await Self.ask(.post, "/customers/user-1/tokens", site, key)
            #expect(minted.status == .created)
            let token = try #require(try minted.object()["accessToken"] as? String)
            let own = try await Self.ask(.get, "/entitlements", site, token)
            #expect(try own.object()["externalId"] as? String == "user-1")
            site.clock.advance(by: 3_600)
            #expect(try await Self.ask(.get, "/entitlements", site, token).status == .unauthorized)
        }
    }

    @Test("a key does what its scopes say, for its own app, until it is revoked")
    func scopes() async throws {
        try await TestSite.run { site in
            let key = try await Self.key([.writeUsage], site)
            #expect(try await Self.ask(.get, "/customers/u/entitlements", site, key).status == .forbidden)
            #expect(try await Self.ask(.post, "/customers/u/tokens", site, key).status == .forbidden)
            let reader = try await Self.key([.readEntitlements], site)
            let other = try await Self.ask(.get, "/customers/u/entitlements?app=kombin", site, reader)
            #expect(try other.fields() == ["app"])
            for text in ["", "psk_", "pst_x", reader + "0", "\u{1}"] {
                #expect(try await Self.ask(.get, "/customers/u/entitlements", site, text).status == .unauthorized)
            }
            // Server keys open no call of customers, and none of staff.
            #expect(try await Self.ask(.get, "/entitlements", site, reader).status == .unauthorized)
            #expect(try await Self.ask(.get, "/admin/orders", site, reader).status == .unauthorized)
            try await site.pool.withConnection {
                try await $0.execute(script: "UPDATE app_keys SET revoked_at = now(), revoked_as = 'ada'")
            }
            #expect(try await Self.ask(.get, "/customers/u/entitlements", site, reader).status == .unauthorized)
        }
    }

    @Test("an id that cannot be kept is refused by its field, and makes nobody")
    func names() async throws {
        try await TestSite.run { site in
            let key = try await Self.key([.mintTokens], site)
            for id in [String(repeating: "x", count: 256), "a%00b"] {
                let answer = try await Self.ask(.post, "/customers/\(id)/tokens", site, key)
                #expect([.unprocessableContent, .badRequest].contains(answer.status))
            }
            #expect(try await site.count("customers") == 0)
        }
    }

    private typealias Answer = CustomerCalls.Answer

    private static func key(_ scopes: Set<AppKeyScope>, _ site: TestSite) async throws -> String {
        let issued = try await site.backOffice.issueAppKey(
            named: "server",
            scopes: scopes,
            of: try #require(App.ID(TestSite.readmigo)),
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }

    private static func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ site: TestSite,
        _ token: String,
        _ body: String? = nil
    ) async throws -> Answer {
        try await CustomerCalls(site: site).ask(method, path, token: token, body: body)
    }
}
