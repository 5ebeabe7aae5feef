import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Calls from web pages") struct CrossOriginTests {
    @Test("a page that the app lists may ask, with its token and what else a call sends")
    func preflight() async throws {
        try await Self.run { calls in
            let answer = try await Self.preflight("/entitlements", from: Self.page, calls)
            #expect(answer.status == .noContent)
            #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
            #expect(answer.headers[.accessControlAllowMethods] == "GET")
            #expect(answer.headers[.accessControlMaxAge] == "7200")
            #expect(answer.headers[.accessControlAllowCredentials] == nil)
            #expect(answer.headers[.vary]?.contains("Origin") == true)
            let headers = answer.headers[.accessControlAllowHeaders]?.components(separatedBy: ", ") ?? []
            for name in ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-App"] {
                #expect(headers.contains(name), "\(name)")
            }
            #expect(
                try await Self.preflight("/usage/ai", from: Self.page, calls).headers[.accessControlAllowMethods]
                    == "POST"
            )
        }
    }

    @Test(
        "no other page may",
        arguments: [
            "https://evil.example", "https://app.example.com.evil.example", "https://app.example.com:8443",
            "http://app.example.com", "HTTPS://APP.EXAMPLE.COM", "https://app.example.com/", "null", "*", "",
            String(repeating: "a", count: 5_000),
        ]
    )
    func strangers(_ origin: String) async throws {
        try await Self.run { calls in
            let asked = try await Self.preflight("/entitlements", from: origin, calls)
            #expect(asked.headers[.accessControlAllowOrigin] == nil)
            let token = try await calls.nobody()
            let answer = try await Self.call(.get, "/entitlements", from: origin, token: token, calls)
            #expect(answer.status == .ok)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
            #expect(answer.headers[.vary]?.contains("Origin") == true)
        }
    }

    @Test("the answer lets the page of the token's app read it, errors as well, and no page of another app")
    func answers() async throws {
        try await Self.run { calls in
            let token = try await calls.nobody()
            let answer = try await Self.call(.get, "/entitlements", from: Self.page, token: token, calls)
            #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
            let exposed = answer.headers[.accessControlExposeHeaders]?.components(separatedBy: ", ") ?? []
            for name in ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After"] {
                #expect(exposed.contains(name), "\(name)")
            }
            let missing = try await Self.call(.get, "/entitlements/nothing", from: Self.page, token: token, calls)
            #expect(missing.status == .notFound)
            #expect(missing.headers[.accessControlAllowOrigin] == Self.page)
            let other = try await Self.call(.get, "/entitlements", from: Self.otherPage, token: token, calls)
            #expect(other.headers[.accessControlAllowOrigin] == nil)
            let named = try await Self.call(.get, "/ios/plans?app=kombin", from: Self.page, token: nil, calls)
            #expect(named.headers[.accessControlAllowOrigin] == nil)
            let own = try await Self.call(.get, "/ios/plans?app=readmigo", from: Self.page, token: nil, calls)
            #expect(own.headers[.accessControlAllowOrigin] == Self.page)
        }
    }

    @Test(
        "what is not for customers is for no page of others",
        arguments: [
            "/dashboard/orders", "/dashboard/sign-in", "/admin/orders", "/admin/customers", "/webhooks/apple",
            "/ios/webhook",
            "/customers/entitlements", "/customers/u1/tokens", "/openapi.json", "/metrics", "/healthz", "/nothing",
        ]
    )
    func others(_ path: String) async throws {
        try await Self.run { calls in
            let asked = try await Self.preflight(path, from: Self.page, calls)
            #expect(asked.headers[.accessControlAllowOrigin] == nil)
            #expect(asked.headers[.accessControlAllowMethods] == nil)
            let answer = try await Self.call(.get, path, from: Self.page, token: nil, calls)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
    }

    private static let page = "https://app.example.com"
    private static let otherPage = "http://localhost:5173"

    private static func run(_ body: @Sendable (CustomerCalls) async throws -> Void) async throws {
        try await CustomerCalls.run { calls in
            for (slug, origin) in [("readmigo", page), ("kombin", otherPage)] {
                _ = try await calls.site.pool.query(
                    "UPDATE apps SET cors_origins = ARRAY[\(origin)] WHERE slug = \(slug)"
                )
            }
            // The cache of apps expires.
            calls.site.clock.advance(by: 60)
            try await body(calls)
        }
    }

    private static func preflight(
        _ path: String,
        from origin: String,
        _ calls: CustomerCalls
    ) async throws -> TestResponse {
        try await execute(.options, path, [.origin: origin, .accessControlRequestMethod: "POST"], calls)
    }

    private static func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        from origin: String,
        token: String?,
        _ calls: CustomerCalls
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.origin: origin]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await execute(method, path, headers, calls)
    }

    private static func execute(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields,
        _ calls: CustomerCalls
    ) async throws -> TestResponse {
        try await calls.site.app.test(.router) { client in
            try await client.executeRequest(uri: path, method: method, headers: headers, body: nil)
        }
    }
}
