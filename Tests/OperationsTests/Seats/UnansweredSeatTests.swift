import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Seats that a store gives no answer about", .timeLimit(.minutes(15))) struct UnansweredSeatTests {
    /// An app transaction id that the simulated Apple cannot find.
    private static let nobodys = "404000000000001"

    @Test(
        "about an account that Apple cannot find it is asked less and less often, and after an hour staff see its words"
    )
    func lessAndLess() async throws {
        try await GroupOffice.run(seats: 4) { office, _ in
            let ben = try await office.claim("ben", as: Self.nobodys)
            #expect(ben.state == .asked)
            var pauses: [Double] = []
            for _ in 0..<12 {
                try await office.work()
                let wait = try #require(try await office.kept(ben.id).wait)
                let pause = wait.until.timeIntervalSince(office.office.database.now)
                pauses.append(pause.rounded())
                // Worked on again before that, it stays as it is.
                try await office.work()
                #expect(try await office.kept(ben.id).wait == wait)
                office.office.clock.advance(by: pause + 1)
            }
            #expect(pauses == [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600, 21_600])
            #expect(try await office.plan(of: "ben") == nil)
            let wait = try #require(try await office.kept(ben.id).wait)
            #expect(wait.times == 12 && wait.isLong(at: office.office.database.now))
            #expect(wait.words.contains("4049998") && wait.words.contains("App transaction id not found"))
            #expect(try await office.listed(.waiting) == ["ben"])
            #expect(try await office.office.count("jobs WHERE state = 'discarded'") == 0)
        }
    }

    @Test("it keeps none of the group's other members waiting, and is asked about at once with another account")
    func others() async throws {
        try await GroupOffice.run(seats: 4) { office, _ in
            let ben = try await office.claim("ben", as: Self.nobodys)
            try await office.claim("cleo")
            try await office.claim("cleo", as: "700000000000002")
            try await office.work()
            #expect(try await office.claims() == ["ben asked", "cleo held"])
            #expect(try await office.office.count("seat_claims WHERE is_to_be_named") == 0)
            // Apple's list is held against ours all the same.
            #expect(try await office.office.count("subscriptions WHERE seats_compared_at IS NULL") == 0)
            #expect(try await office.claim("ben", as: "700000000000001").id == ben.id)
            #expect(try await office.claims() == ["ben held", "cleo held"])
            #expect(try await office.kept(ben.id).wait == nil)
            #expect(try await office.claimedAtApple() == 2)
        }
    }

    @Test("who is to be told of, and cannot be found, keeps the seat")
    func associated() async throws {
        try await GroupOffice.run { office, _ in
            let ben = try await office.claim("ben")
            try await office.claim("ben", as: Self.nobodys)
            try await office.work()
            #expect(try await office.claims() == ["ben held"])
            #expect(try await office.kept(ben.id).wait?.times == 1)
            #expect(try await office.plan(of: "ben") == "PRO")
        }
    }

    @Test("ended by the app, nothing of it is asked any more, and no seat stays taken")
    func ended() async throws {
        try await GroupOffice.run { office, _ in
            let ben = try await office.claim("ben", as: Self.nobodys)
            try await office.work()
            _ = try await office.connected.backOffice.endSeat(
                ben.id,
                by: .left,
                of: office.app,
                caller: GroupOffice.caller
            )
            try await office.work()
            #expect(try await office.claims() == ["ben ended left"])
            #expect(try await office.kept(ben.id).wait == nil)
            #expect(try await office.claimedAtApple() == 0)
            #expect(try await office.office.count("jobs WHERE kind = 'seat_group' AND state = 'available'") == 0)
        }
    }

    @Test("of more than a thousand claims each is held against Apple's list")
    func many() async throws {
        try await GroupOffice.run(seats: 3_000) { office, _ in
            try await office.claim("ben")
            _ = try await office.office.pool.query(
                """
                WITH made AS (
                    INSERT INTO customers (id, app_id, key, created_at)
                    SELECT gen_random_uuid(), s.app_id, 'm' || i, s.created_at
                    FROM subscriptions s, generate_series(1, 1200) i
                    RETURNING id, key
                )
                INSERT INTO seat_claims
                    (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, claimed_at)
                SELECT gen_random_uuid(), s.app_id, s.store, s.environment, s.id, made.id, made.key, s.created_at - interval '1 day',
                    s.created_at - interval '1 day'
                FROM made, subscriptions s
                """
            )
            office.office.clock.advance(by: 2 * 86_400)
            _ = try await office.connected.backOffice.scheduleSeatComparisons(of: office.app)
            try await office.work()
            #expect(try await office.office.count("seat_claims WHERE ended_by = 'missing'") == 1_200)
            #expect(try await office.office.count("seat_claims WHERE ended_at IS NULL") == 1)
            #expect(try await office.plan(of: "ben") == "PRO")
        }
    }

    @Test("Apple's clock is behind ours: what it signed before our claim began ends the claim that it names")
    func clocks() async throws {
        try await GroupOffice.run { office, group in
            let ben = try await office.claim("ben")
            try await office.tell(
                group.unclaim([try #require(ben.storeClaimID)], at: office.office.database.now.addingTimeInterval(-120))
            )
            #expect(try await office.claims() == ["ben ended unclaimed"])
            #expect(try await office.office.count("seat_claims WHERE ended_at >= requested_at") == 1)
            #expect(try await office.plan(of: "ben") == nil)
            // A member who comes back has another claim, which the old message does not name.
            let again = try await office.claim("ben")
            try await office.work()
            #expect(again.id != ben.id)
            #expect(try await office.plan(of: "ben") == "PRO")
        }
    }
}
