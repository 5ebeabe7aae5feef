import APITypes
import Billing
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import TestSupport
import Testing

@testable import Desk
@testable import HTTP

@Suite("Versions of an entitlement, and entitlements that are read without a connection") struct EntitlementVersionTests
{
    @Test("the version grows with what is given and with the catalogue, and with nothing else")
    func grows() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let first = try await Self.version(calls, token)
            #expect(try await Self.version(calls, token) == first)
            try await calls.give(token)
            let second = try await Self.version(calls, token)
            #expect(second > first)
            _ = try await calls.site.pool.query("UPDATE apps SET catalog_version = catalog_version + 1")
            #expect(try await Self.version(calls, token) > second)
            _ = try await calls.site.pool.query("UPDATE subscriptions SET checked_at = now(), updated_at = now()")
            let buyer = try await calls.buyer()
            let bought = try await Self.version(calls, buyer)
            _ = try await calls.site.pool.query("UPDATE subscriptions SET checked_at = now(), updated_at = now()")
            #expect(try await Self.version(calls, buyer) == bought)
            _ = try await calls.site.pool.query("UPDATE subscriptions SET state = 'cancelled'")
            #expect(try await Self.version(calls, buyer) > bought)
        }
    }

    @Test("who has the answer is told so without it, and whoever is somebody else is not")
    func tagged() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let first = try await Self.ask(calls, "/entitlements", token)
            let tag = try #require(first.headers[.eTag])
            #expect(first.headers[.cacheControl] == "private, no-cache")
            calls.site.clock.advance(by: 60)
            let known = try await Self.ask(calls, "/entitlements", token, [.ifNoneMatch: "\"x\", W/\(tag)"])
            #expect((known.status, known.headers[.eTag]) == (.notModified, tag))
            #expect(known.body.isEmpty)
            let turkish = try await Self.ask(calls, "/entitlements", token, [.ifNoneMatch: tag, .acceptLanguage: "tr"])
            #expect(turkish.status == .ok)
            let other = try await calls.buyer()
            #expect(try await Self.ask(calls, "/entitlements", other, [.ifNoneMatch: tag]).status == .ok)
            try await calls.give(token)
            let changed = try await Self.ask(calls, "/entitlements", token, [.ifNoneMatch: tag])
            #expect(changed.status == .ok)
            #expect(changed.headers[.eTag] != tag)
        }
    }

    @Test("a call that waits answers as soon as there is news")
    func waits() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let known = try await Self.version(calls, token)
            let session = try #require(try await calls.site.backOffice.customerSession(token))
            let start = ContinuousClock.now
            async let answer = Self.version(calls, token, "?after=\(known)&wait=30")
            try await Self.untilWaiting(session.id, calls)
            try await calls.give(token)
            #expect(try await answer > known)
            #expect(.now - start < .seconds(20))
            // A newer version that exists is answered at once, and one that does not come, after the wait.
            #expect(try await Self.version(calls, token, "?after=0&wait=30") > known)
            let last = try await Self.version(calls, token)
            #expect(try await Self.version(calls, token, "?after=\(last)&wait=1") == last)
            #expect(try await Self.version(calls, token, "?after=1000000000000000") == last)
        }
    }

    @Test("who signs out while they wait is told so")
    func signsOut() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let session = try #require(try await calls.site.backOffice.customerSession(token))
            async let answer = Self.ask(calls, "/entitlements?after=1000000000000000&wait=30", token)
            try await Self.untilWaiting(session.id, calls)
            try await calls.site.backOffice.signOut(session.id)
            #expect(try await answer.status == .unauthorized)
        }
    }

    @Test(
        "a version or a wait that is none is refused by its name",
        arguments: [
            ("after=-1", "after"), ("after=", "after"), ("after=1.5", "after"), ("after=-9223372036854775808", "after"),
            ("after=10000000000000000000", "after"), ("after=1&wait=31", "wait"),
            ("after=1&wait=-1", "wait"), ("after=1&wait=1.5", "wait"), ("after=1&wait=", "wait"),
            ("after=1&wait=10000000000000000000", "wait"), ("wait=1", "after"), ("after=1&after=2", "after"),
            ("until=1", "until"),
        ]
    )
    func input(query: String, field: String) async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let answer = try await calls.ask(.get, "/entitlements?\(query)", token: token)
            #expect([.unprocessableContent, .badRequest].contains(answer.status))
            #expect(try answer.fields() == [field])
        }
    }

    @Test("what is signed says the same, is good for the app's time but not past the access, and opens nothing")
    func signed() async throws {
        try await CustomerCalls.run { calls in
            let buyer = try await calls.buyer()
            let answer = try await Self.ask(calls, "/entitlements", buyer, [.accept: "application/jwt"])
            #expect(answer.headers[.contentType] == "application/jwt")
            let token = String(decoding: answer.body, as: UTF8.self)
            let (header, claims) = (try Self.part(0, of: token), try Self.part(1, of: token))
            #expect((header["typ"] as? String, header["alg"] as? String) == ("entitlement+jwt", "ES256"))
            let plain = try await calls.ask(.get, "/entitlements", token: buyer).object()
            for (name, field) in [
                ("sub", "userId"), ("planType", "planType"), ("status", "status"), ("source", "source"),
                ("environment", "environment"), ("productId", "productId"),
            ] {
                #expect(claims[name] as? String == plain[field] as? String, "\(name)")
            }
            #expect(claims["version"] as? Int == plain["version"] as? Int)
            #expect(claims["aud"] as? String == "readmigo")
            let (start, end) = (try #require(claims["iat"] as? Int), try #require(claims["exp"] as? Int))
            #expect(end - start == 24 * 3_600)
            #expect((claims["products"] as? [String: String])?["com.readmigo.pro.forever"] == "PRO")
            #expect(try await calls.ask(.get, "/entitlements", token: token).status == .unauthorized)
            // The access ends within the hour.
            calls.site.clock.advance(by: 852_600)
            let late = try await calls.site.backOffice.beginSession(
                by: .apple,
                for: try #require(Customer.ID(TestSite.customer)),
                of: TestSite.readmigoID
            ).accessToken.revealed
            let last = try await Self.ask(
                calls,
                "/entitlements",
                late,
                [.accept: "application/json;q=0.5, application/jwt"]
            )
            let ends = try Self.part(1, of: String(decoding: last.body, as: UTF8.self))
            #expect(ends["exp"] as? Int == ends["expiresAt"] as? Int)
            for accept in ["*/*", "application/json, application/jwt;q=0.9", "application/jwt;q=0", ";;,", "text/html"]
            {
                let json = try await Self.ask(calls, "/entitlements", late, [.accept: accept])
                #expect(json.headers[.contentType]?.hasPrefix("application/json") == true, "\(accept)")
            }
        }
    }

    private static func version(_ calls: CustomerCalls, _ token: String, _ query: String = "") async throws -> Int {
        let answer = try await calls.ask(.get, "/entitlements\(query)", token: token)
        #expect(answer.status == .ok)
        return try #require(try answer.object()["version"] as? Int)
    }

    /// Returns once a call of that session waits.
    private static func untilWaiting(_ session: CustomerSession.ID, _ calls: CustomerCalls) async throws {
        let end = ContinuousClock.now + .patient
        while try await calls.site.backOffice.entitlementWatch.look(for: session) == .unknown {
            try #require(.now < end)
            await Task.yield()
        }
    }

    private static func ask(
        _ calls: CustomerCalls,
        _ path: String,
        _ token: String,
        _ headers: HTTPFields = [:]
    ) async throws -> CustomerCalls.Answer {
        try await calls.ask(.get, path, token: token, headers: headers)
    }

    private static func part(_ index: Int, of token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        var text = try #require(parts.dropFirst(index).first).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let data = try #require(Data(base64Encoded: String(text)))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
