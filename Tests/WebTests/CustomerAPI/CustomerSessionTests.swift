import Foundation
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import Desk

@Suite("Where a customer is signed in") struct CustomerSessionTests {
    private static let path = "/api/v1/auth/sessions"

    @Test("it is listed, the newest first, and says which one asks and when each was used")
    func listed() async throws {
        try await CustomerCalls.run { calls in
            let first = try await calls.buyer()
            calls.site.clock.advance(by: 60)
            let second = try await calls.buyer()
            let sessions = try await Self.sessions(second, calls)
            #expect(sessions.compactMap { $0["method"] as? String } == ["apple", "apple"])
            #expect(sessions.compactMap { $0["current"] as? Bool } == [true, false])
            #expect(sessions[0]["createdAt"] as? String == "2026-11-21T02:41:00Z")
            #expect(sessions[1]["lastUsedAt"] is NSNull)
            _ = try await calls.ask(.get, "/subscriptions/status", token: first)
            let used = try await Self.sessions(second, calls)[1]["lastUsedAt"] as? String
            #expect(used == "2026-11-21T02:41:00Z")
            // It is not written again for each call.
            calls.site.clock.advance(by: 599)
            _ = try await calls.ask(.get, "/subscriptions/status", token: first)
            #expect(try await Self.sessions(second, calls)[1]["lastUsedAt"] as? String == used)
            calls.site.clock.advance(by: 1)
            _ = try await calls.ask(.get, "/subscriptions/status", token: first)
            #expect(try await Self.sessions(second, calls)[1]["lastUsedAt"] as? String != used)
        }
    }

    @Test("one is ended, and opens nothing any more")
    func ended() async throws {
        try await CustomerCalls.run { calls in
            let (first, second) = (try await calls.buyer(), try await calls.buyer())
            let other = try #require(
                try await Self.sessions(second, calls).first { $0["current"] as? Bool == false }?["id"] as? String
            )
            #expect(try await calls.ask(.delete, "\(Self.path)/\(other)", token: second).status == .noContent)
            #expect(try await calls.ask(.get, Self.path, token: first).status == .unauthorized)
            #expect(try await calls.ask(.delete, "\(Self.path)/\(other)", token: second).status == .notFound)
            #expect(try await Self.sessions(second, calls).count == 1)
        }
    }

    @Test("all others are ended, and nobody else's")
    func others() async throws {
        try await CustomerCalls.run { calls in
            let (first, second, third) = (try await calls.buyer(), try await calls.buyer(), try await calls.buyer())
            let stranger = try await calls.nobody()
            #expect(try await calls.ask(.delete, Self.path, token: second).status == .noContent)
            #expect(try await calls.ask(.get, Self.path, token: first).status == .unauthorized)
            #expect(try await calls.ask(.get, Self.path, token: third).status == .unauthorized)
            #expect(try await calls.ask(.get, Self.path, token: second).status == .ok)
            #expect(try await calls.ask(.get, Self.path, token: stranger).status == .ok)
        }
    }

    @Test("another customer's is not there, nor is what is no session")
    func belonging() async throws {
        try await CustomerCalls.run { calls in
            let (mine, theirs) = (try await calls.buyer(), try await calls.nobody())
            let id = try #require(try await Self.sessions(theirs, calls).first?["id"] as? String)
            for name in [
                id, "x", "-9223372036854775808", "10000000000000000000", "1.5", "%00",
                "00000000-0000-0000-0000-000000000000", String(repeating: "9", count: 5_000),
            ] {
                let answer = try await calls.ask(.delete, "\(Self.path)/\(name)", token: mine)
                #expect([.notFound, .badRequest].contains(answer.status), "\(name.prefix(40))")
            }
            #expect(try await calls.ask(.get, Self.path, token: theirs).status == .ok)
        }
    }

    private static func sessions(_ token: String, _ calls: CustomerCalls) async throws -> [[String: Any]] {
        let answer = try await calls.ask(.get, path, token: token)
        #expect(answer.status == .ok)
        return try #require(try answer.object()["sessions"] as? [[String: Any]])
    }
}
