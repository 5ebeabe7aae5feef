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
        _ key: String
    ) async throws -> CustomerCalls.Answer {
        try await CustomerCalls(site: site).ask(method, path, token: key, key: nil, body: nil)
    }
}
