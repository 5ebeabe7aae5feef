import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Seats of a group that the app invites to", .timeLimit(.minutes(15))) struct SeatClaimTests {
    @Test("a member has access once Apple has given the seat, pays nothing, and asking again is the same claim")
    func claimed() async throws {
        try await GroupOffice.run { office, _ in
            let first = try await office.claim("ben", as: "700000000000001")
            #expect(first.heldSince != nil)
            #expect(try await office.claim("ben") == first)
            #expect(try await office.plan(of: "ben") == "PRO")
            #expect(try await office.claimedAtApple() == 1)
            #expect(try await office.office.count("orders") == 1)
            let held = try await office.office.entitlementSources(first.member).subscriptions
            #expect(held.map(\.seat) == [first.id])
            #expect(held.allSatisfy { $0.originalTransactionID == nil && $0.subscription.renewalPrice == nil })
            try await office.work()
            #expect(try await office.claims() == ["ben held"])
        }
    }

    @Test("of two who want the last seat at once one has it, and the other is told to buy seats")
    func lastSeat() async throws {
        try await GroupOffice.run(seats: 2) { office, _ in
            let second = office.office.anotherServer(
                secret: TestOffice.secret,
                gateways: StoreGateways([
                    AppleGateway(policy: AppleRetryPolicy(pauses: [.milliseconds(1)], longestWait: .seconds(60)))
                ])
            )
            async let ben = outcome { try await office.claim("ben") }
            async let cleo = outcome { try await office.claim("cleo", on: second) }
            let outcomes = try await [ben, cleo]
            #expect(outcomes.contains("held"))
            // Whose answer is not kept yet may be whom Apple lists: then the queue asks again, and is told no.
            #expect(outcomes.contains { ["noSeatsLeft", "asked"].contains($0) })
            try await office.work()
            #expect(
                try await office.claims().map { $0.split(separator: " ").dropFirst().joined(separator: " ") }.sorted()
                    == [
                        "ended no_seats", "held",
                    ]
            )
            #expect(try await office.claimedAtApple() == 1)
            #expect(try await outcome { try await office.claim("dora") } == "noSeatsLeft")
        }
    }

    private func outcome(_ ask: @Sendable () async throws -> SeatClaim) async throws -> String {
        do {
            return try await ask().heldSince == nil ? "asked" : "held"
        } catch let error as OperationsError {
            return error.reason?.rawValue ?? error.message
        }
    }

    @Test(
        "Apple does it and its answer is lost: no access yet, and the queue asks under the same identifier, which takes no second seat"
    )
    func lostAnswer() async throws {
        try await GroupOffice.run { office, _ in
            office.connected.store.fail(SimulatedFault(.hangUpAfterEffect, onPath: "/seats", times: 20))
            let claim = try await office.claim("ben")
            #expect(claim.state == .asked)
            #expect(try await office.plan(of: "ben") == nil)
            office.connected.store.mend()
            try await office.work()
            #expect(try await office.claims() == ["ben held"])
            #expect(try await office.plan(of: "ben") == "PRO")
            #expect(try await office.claimedAtApple() == 1)
        }
    }

    @Test(
        "a member who leaves before Apple has answered has no access, and the seat that was given all the same becomes free"
    )
    func leftMeanwhile() async throws {
        try await GroupOffice.run { office, _ in
            office.connected.store.fail(SimulatedFault(.hangUpAfterEffect, onPath: "/seats", times: 20))
            let claim = try await office.claim("ben")
            office.connected.store.mend()
            _ = try await office.connected.backOffice.endSeat(
                claim.id,
                by: .left,
                of: office.app,
                caller: GroupOffice.caller
            )
            try await office.work()
            #expect(try await office.claims() == ["ben ended left"])
            #expect(try await office.plan(of: "ben") == nil)
            #expect(try await office.claimedAtApple() == 0)
            // A member who comes back has another claim.
            #expect(try await office.claim("ben").id != claim.id)
            #expect(try await office.claimedAtApple() == 1)
        }
    }

    @Test("Apple's own no is kept with its number; the member may ask again")
    func refused() async throws {
        try await GroupOffice.run { office, _ in
            office.connected.store.fail(SimulatedFault(.error(code: 4_040_005), onPath: "/seats"))
            let said = try await outcome { try await office.claim("ben") }
            #expect(said == "seatRefused")
            #expect(
                try await office.office.lines("SELECT concat_ws(' ', ended_by, refused_code) FROM seat_claims")
                    == ["refused 4040005"]
            )
            #expect(try await office.claim("ben").heldSince != nil)
        }
    }

    @Test(
        "a group that the App Store invites to, one that does not run, and the purchaser's own seat are refused before Apple is asked"
    )
    func notAGroup() async throws {
        try await GroupOffice.run { office, group in
            #expect(try await outcome { try await office.claim("ada") }.contains("needs no claim"))
            _ = try await office.connected.backOffice.customerOrNew(named: "zoe", of: office.app)
            let other = try SeatRequest(
                purchaser: "zoe",
                member: "ben",
                originalTransactionID: nil,
                appTransactionID: nil
            )
            #expect(
                try await outcome {
                    try await office.connected.backOffice.claimSeat(other, of: office.app, caller: GroupOffice.caller)
                } == "noSeatGroup"
            )
            let asked = office.connected.store.asked.count
            office.office.clock.advance(by: 28 * 86_400)
            try await office.tell(group.failToRenew())
            #expect(try await outcome { try await office.claim("ben") } == "seatGroupNotRunning")
            #expect(office.connected.store.asked.count == asked)
        }
    }

    @Test("an account at the store that is learnt later is told later, once")
    func namedLater() async throws {
        try await GroupOffice.run { office, _ in
            try await office.claim("ben")
            try await office.claim("ben", as: "700000000000001")
            #expect(try await office.office.lines("SELECT is_to_be_named::text FROM seat_claims") == ["true"])
            try await office.work()
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', app_transaction_id, is_to_be_named) FROM seat_claims"
                )
                    == ["700000000000001 f"]
            )
        }
    }
}
