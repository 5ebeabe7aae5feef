import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("What members of an app's own group have", .timeLimit(.minutes(15))) struct SeatAccessTests {
    private static func day(_ number: Double) -> Date { TestOffice.start.addingTimeInterval(number * 86_400) }

    @Test("is gone while the renewal is not paid, and comes back with the same seats when it is")
    func retryAndRecovery() async throws {
        try await GroupOffice.run { office, group in
            let claim = try await office.claim("ben")
            let before = try await office.version(of: "ben")
            office.office.clock.advance(by: 28 * 86_400)
            try await office.tell(group.failToRenew())
            #expect(try await office.plan(of: "ben") == nil)
            #expect(try await office.claims() == ["ben held"])
            #expect(try await office.version(of: "ben") > before)
            office.office.clock.advance(by: 3 * 86_400)
            try await office.tell(
                group.renew(as: "410000000000003", with: 3, to: Self.day(58), at: Self.day(31))
            )
            #expect(try await office.plan(of: "ben") == "PRO")
            #expect(try await office.claim("ben").id == claim.id)
            #expect(try await office.office.lines("SELECT DISTINCT kind FROM orders ORDER BY 1").count == 2)
        }
    }

    @Test("fewer seats are renewed: the newest claims lose, and Apple, which frees none by itself, is told")
    func fewerSeats() async throws {
        try await GroupOffice.run(seats: 4) { office, group in
            for member in ["ben", "cleo", "dora"] {
                try await office.claim(member)
                office.office.clock.advance(by: 120)
            }
            office.office.clock.advance(by: 28 * 86_400)
            try await office.tell(group.renew(as: "410000000000003", with: 2, to: Self.day(58)))
            try await office.work()
            #expect(try await office.claims() == ["ben held", "cleo ended surplus", "dora ended surplus"])
            #expect(try await office.plan(of: "ben") == "PRO")
            #expect(try await office.plan(of: "dora") == nil)
            #expect(try await office.claimedAtApple() == 1)
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', actor, after ->> 'endedBy') FROM audit_entries WHERE action = 'seat.end'"
                ) == ["perennial surplus", "perennial surplus"]
            )
        }
    }

    @Test(
        "Apple's list lacks one of ours: access ends; it has one that nobody knows: people are shown it, and it is left alone"
    )
    func compared() async throws {
        try await GroupOffice.run(seats: 4) { office, _ in
            let ben = try await office.claim("ben")
            try await office.claim("cleo")
            let server = try await office.seatServer()
            try await server.unclaim(
                try #require(ben.storeClaimID),
                of: GroupOffice.original,
                in: .production
            )
            let stranger = try await server.claim(UUID(), of: GroupOffice.original, for: nil, in: .production)
            office.office.clock.advance(by: 2 * 86_400)
            _ = try await office.connected.backOffice.scheduleSeatComparisons(of: office.app)
            try await office.work()
            let claims = try await office.claims()
            #expect(claims == ["ben ended missing", "cleo held"])
            #expect(try await office.plan(of: "ben") == nil)
            #expect(
                try await office.office.lines("SELECT store_claim_id FROM unknown_seats WHERE gone_at IS NULL") == [
                    stranger
                ]
            )
            #expect(try await office.listed(.unknown) == [stranger])
            #expect(try await office.claimedAtApple() == 2)
            try await server.unclaim(stranger, of: GroupOffice.original, in: .production)
            _ = try await office.office.database.writeAlone("UPDATE subscriptions SET seats_compared_at = NULL")
            _ = try await office.connected.backOffice.scheduleSeatComparisons(of: office.app)
            try await office.work()
            #expect(try await office.office.count("unknown_seats WHERE gone_at IS NULL") == 0)
        }
    }

    @Test("Apple frees a seat and says so: access ends, and nobody asks for the seat back")
    func unclaimed() async throws {
        try await GroupOffice.run { office, group in
            let ben = try await office.claim("ben")
            try await office.tell(group.unclaim([try #require(ben.storeClaimID)], at: Self.day(0)))
            #expect(try await office.claims() == ["ben ended unclaimed"])
            #expect(try await office.plan(of: "ben") == nil)
        }
    }

    @Test(
        "the purchaser's record ends in another's: members keep their seats, and who turns out to be the purchaser needs none"
    )
    func merged() async throws {
        try await GroupOffice.run(seats: 4) { office, _ in
            for member in ["ben", "cleo"] { try await office.claim(member) }
            try await office.merge("ada", into: "eva")
            #expect(try await office.claims().sorted() == ["ben held", "cleo held"])
            #expect(try await office.plan(of: "ben") == "PRO")
            try await office.merge("cleo", into: "eva")
            #expect(try await office.claims().sorted() == ["ben held", "eva ended merged to free"])
            try await office.work()
            #expect(try await office.claims().sorted() == ["ben held", "eva ended merged"])
            #expect(try await office.claimedAtApple() == 1)
        }
    }

    @Test("two members who are one have one seat, the older")
    func mergedMembers() async throws {
        try await GroupOffice.run(seats: 4) { office, _ in
            for member in ["ben", "cleo"] {
                try await office.claim(member)
                office.office.clock.advance(by: 1)
            }
            try await office.merge("cleo", into: "dora")
            try await office.merge("ben", into: "dora")
            #expect(try await office.claims() == ["dora held", "dora ended merged to free"])
            #expect(try await office.plan(of: "dora") == "PRO")
        }
    }

    @Test("a member who deletes their account leaves the seat free")
    func deleted() async throws {
        try await GroupOffice.run { office, _ in
            let ben = try await office.claim("ben")
            _ = try await office.connected.backOffice.deleteAccount(
                of: ben.member,
                app: office.app,
                caller: GroupOffice.caller
            )
            try await office.work()
            #expect(try await office.office.lines("SELECT ended_by FROM seat_claims") == ["deleted"])
            #expect(try await office.claimedAtApple() == 0)
        }
    }

    @Test("of a purchaser with two groups it is said which; a member of both has what either gives")
    func twoGroups() async throws {
        try await GroupOffice.run { office, _ in
            var other = office.group("430000000000001", seats: 2)
            other.productID = "com.readmigo.pro.yearly"
            try await office.tell(other.bought())
            let error = await #expect(throws: OperationsError.self) { try await office.claim("ben") }
            #expect(error?.field == "originalTransactionId")
            try await office.claim("ben", of: GroupOffice.original)
            try await office.claim("ben", of: "430000000000001")
            #expect(try await office.claims() == ["ben held", "ben held"])
            #expect(try await office.claimedAtApple("430000000000001") == 1)
        }
    }

    @Test("staff do nothing to the purchaser's subscription by way of a member")
    func staff() async throws {
        try await GroupOffice.run { office, _ in
            let ben = try await office.claim("ben")
            let held = try await office.office.entitlementSources(ben.member)
            let source = Entitlement.Source.subscription(ben.subscription)
            for action in [
                EntitlementAction.revoke(source), .revokeAll, .extend(source, days: 3), .restore(source),
                .transfer(ben.subscription, to: office.ada.customer),
            ] {
                let refused = #expect(throws: ActionRefused.self) {
                    try held.decide(action, at: office.office.database.now) { Identifier(UUID()) }
                }
                #expect(refused?.code == .isSeat)
            }
            let ann = try await office.office.staff("ann@example.com", .support)
            let outcome = try await office.connected.backOffice.endSeat(
                ben.id,
                of: office.app,
                reason: Reason(.goodwill, "The member asked to leave."),
                key: nil,
                caller: ann
            )
            #expect(outcome.result == ben.id.description)
            #expect(try await office.plan(of: "ben") == nil)
        }
    }
}
