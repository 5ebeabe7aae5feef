import Billing
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Seats that an app's own server hands out") struct AppServerSeatsTests {
    @Test("a seat is ended for the customer who bought its group, and for no other")
    func belonging() async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.addSeat()
            try await site.pool.withConnection { connection in
                try await connection.execute(
                    script: "UPDATE customers SET external_id = 'ada' WHERE id = '\(TestSite.customer)'"
                )
            }
            let seats = try await Self.key([.writeSeats], of: TestSite.readmigoID, site)
            let path = "/customers/ada/seats"
            let listed = try await Self.ask(.get, path, site, seats).object()["groups"] as? [[String: Any]]
            let groups = try #require(listed)
            #expect(groups.compactMap { $0["originalTransactionId"] as? String } == ["G1"])
            let ended = "seat_claims WHERE ended_at IS NOT NULL"
            for stranger in ["ben", "nobody"] {
                let theirs = "/customers/\(stranger)/seats/\(TestSite.seat)"
                #expect(try await Self.ask(.delete, theirs, site, seats).status == .notFound)
            }
            let usage = try await Self.key([.writeUsage], of: TestSite.readmigoID, site)
            #expect(try await Self.ask(.delete, "\(path)/\(TestSite.seat)", site, usage).status == .forbidden)
            let other = try await Self.key([.writeSeats], of: TestSite.kombinID, site)
            #expect(try await Self.ask(.delete, "\(path)/\(TestSite.seat)", site, other).status == .notFound)
            #expect(try await Self.ask(.delete, "\(path)/1", site, seats).status == .notFound)
            #expect(try await site.count(ended) == 0)
            for _ in 0..<2 {
                #expect(try await Self.ask(.delete, "\(path)/\(TestSite.seat)", site, seats).status == .ok)
            }
            #expect(try await site.count(ended) == 1)
        }
    }

    @Test("more than a thousand claims are read page by page, each once, the newest first")
    func pages() async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.addSeat()
            try await Self.addClaims(1_204, site)
            let seats = try await Self.key([.writeSeats], of: TestSite.readmigoID, site)
            var (path, members, sizes): (String, [String], [Int]) = ("/customers/ada/seats", [], [])
            for _ in 0..<3 {
                let answer = try await Self.ask(.get, path, site, seats).object()
                let groups = try #require(answer["groups"] as? [[String: Any]])
                let claims = try #require(groups.first?["claims"] as? [[String: Any]])
                #expect(groups.count == 1)
                sizes.append(claims.count)
                members += claims.compactMap { $0["member"] as? String }
                guard let next = groups.first?["next"] as? String else { break }
                path = "/customers/ada/seats?after=\(next)"
            }
            #expect(sizes == [1_000, 205])
            #expect(members == ["ben"] + (1...1_204).map { "m\($0)" })
            let stranger = path.replacing("/ada/", with: "/ben/")
            #expect(try await Self.ask(.get, stranger, site, seats).status.kind == .clientError)
        }
    }

    @Test("what is no id, no member and no place is refused, and nothing is written")
    func wrong() async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.addSeat()
            try await Self.addClaims(0, site)
            let seats = try await Self.key([.writeSeats], of: TestSite.readmigoID, site)
            let texts = CustomerCalls.noTexts + ["true", "[]", "{}"]
            let parts = [
                "-9223372036854775808", "10000000000000000000", "1.5", "%20", "%00", "a%00b", "%FF",
                String(repeating: "9", count: 100_000),
            ]
            try await site.app.test(.live) { client async throws in
                func status(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Int {
                    // A server closes the connection on whoever sends so much.
                    if path.count + (body ?? "").count > 10_000 {
                        return try await Self.ask(method, path, site, seats, body: body).status.code
                    }
                    let headers: HTTPFields = [.authorization: "Bearer \(seats)", .contentType: "application/json"]
                    return try await client.executeRequest(
                        uri: path,
                        method: method,
                        headers: headers,
                        body: body.map { ByteBuffer(string: $0) }
                    ).status.code
                }
                for text in texts {
                    for field in ["member", "originalTransactionId", "appTransactionId"] {
                        let member = field == "member" ? "" : "\"member\":\"cleo\","
                        let body = "{\(member)\"\(field)\":\(text)}"
                        let code = try await status(.post, "/customers/ada/seats", body)
                        #expect([400, 413, 422].contains(code), "\(field): \(text.prefix(30)): \(code)")
                    }
                }
                for body in ["", "[]", "null", "{", "{\"member\":null}"] {
                    let code = try await status(.post, "/customers/ada/seats", body)
                    #expect([400, 422].contains(code), "\(body): \(code)")
                }
                for part in parts {
                    let refusals = [400, 404, 414, 422, 431]
                    let calls: [(HTTPRequest.Method, String)] = [
                        (.get, "/customers/\(part)/seats"), (.get, "/customers/ada/seats?after=\(part)"),
                        (.delete, "/customers/\(part)/seats/\(TestSite.seat)"),
                        (.delete, "/customers/ada/seats/\(part)"),
                        (.delete, "/customers/ada/seats/\(TestSite.seat)?by=\(part)"),
                        (.post, "/customers/\(part)/seats"),
                    ]
                    for (method, path) in calls {
                        let body = method == .post ? "{\"member\":\"cleo\"}" : nil
                        let code = try await status(method, path, body)
                        #expect(refusals.contains(code), "\(method) \(path.prefix(60)): \(code)")
                    }
                }
            }
            #expect(try await site.count("seat_claims WHERE ended_at IS NULL") == 1)
            #expect(try await site.count("customers WHERE external_id = 'cleo'") == 0)
        }
    }

    /// Names the purchaser `ada`, and adds as many claims of her group, each older than the one before.
    private static func addClaims(_ count: Int, _ site: TestSite) async throws {
        try await site.pool.withConnection { connection in
            try await connection.execute(
                script: """
                    UPDATE customers SET external_id = 'ada' WHERE id = '\(TestSite.customer)';
                    WITH made AS (
                        INSERT INTO customers (id, app_id, key, external_id, created_at)
                        SELECT gen_random_uuid(), '\(TestSite.readmigo)', 'm' || i, 'm' || i, now()
                        FROM generate_series(1, \(count)) i
                        RETURNING id, key
                    )
                    INSERT INTO seat_claims
                        (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, claimed_at)
                    SELECT gen_random_uuid(), '\(TestSite.readmigo)', 'apple', 'production', '\(TestSite.group)', id, key,
                        now() - substr(key, 2)::int * interval '1 minute', now()
                    FROM made;
                    """
            )
        }
    }

    private static func key(_ scopes: Set<AppKeyScope>, of app: App.ID, _ site: TestSite) async throws -> String {
        let issued = try await site.backOffice.issueAppKey(
            named: "server",
            scopes: scopes,
            of: app,
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }

    private static func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ site: TestSite,
        _ key: String,
        body: String? = nil
    ) async throws -> CustomerCalls.Answer {
        try await CustomerCalls(site: site).ask(method, path, token: key, key: nil, body: body)
    }
}
