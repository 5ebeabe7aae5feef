import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Redeeming promo codes") struct RedeemPromoCodeTests {
    @Test("a code gives its plan once; sent again by the same customer it answers the same")
    func redeem() async throws {
        try await PromoOffice.run { office in
            let code = try await office.codes(try await office.batch())[0]
            let session = try await office.session("u1")
            let answer = try await office.redeem(code.lowercased(), session)
            let end = TestOffice.start.addingTimeInterval(30 * 86_400)
            #expect((answer.name, answer.plan, answer.endsAt) == ("Spring fair", "PRO", end))
            #expect((answer.currentPlan, answer.currentUntil) == ("PRO", end))
            #expect(try await office.office.entitlement(session.customer)?.plan.code == "PRO")
            office.clock.advance(by: 60)
            #expect(try await office.redeem(code, session) == answer)
            #expect(try await office.office.count("promo_redemptions") == 1)
            #expect(try await office.office.count("grants") == 1)
            #expect(await office.refusal(code, try await office.session("u2")) == .usedUp)
            let log = try await office.office.lines(
                "SELECT concat_ws(' ', actor, object_type, customer_id) FROM audit_entries WHERE action = 'promo_code.redeem'"
            )
            #expect(log == ["customer customer \(session.customer)"])
        }
    }

    @Test("of a thousand customers at once exactly as many redeem a code as it has uses", .timeLimit(.minutes(15)))
    func race() async throws {
        try await PromoOffice.run { office in
            let code = try await office.codes(try await office.batch(uses: 100))[0]
            var sessions: [CustomerSession] = []
            for number in 0..<1_000 { sessions.append(try await office.session("u\(number)")) }
            let redeemed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for session in sessions {
                    group.addTask {
                        do {
                            try await office.redeem(code, session)
                            return true
                        } catch let error as OperationsError where error.underlying as? PromoRefusal == .usedUp {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(redeemed == 100)
            #expect(try await office.office.count("promo_redemptions") == 100)
            #expect(try await office.office.count("grants") == 100)
            let uses = try await office.office.lines("SELECT uses::text FROM promo_codes")
            #expect(uses == ["100"])
        }
    }

    @Test("one customer with all of a batch's codes at once redeems as many as one can")
    func greedy() async throws {
        try await PromoOffice.run { office in
            let codes = try await office.codes(try await office.batch(codes: 20, perCustomer: 3))
            let session = try await office.session("u1")
            let redeemed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for code in codes {
                    group.addTask {
                        do {
                            try await office.redeem(code, session)
                            return true
                        } catch let error as OperationsError
                            where error.underlying as? PromoRefusal == .alreadyRedeemed
                        {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(redeemed == 3)
            // They add up: three times thirty days.
            let until = try await office.office.entitlement(session.customer)?.until
            #expect(until == TestOffice.start.addingTimeInterval(90 * 86_400))
        }
    }

    @Test("why a code gives nothing is told apart, and the code stays as good as it was")
    func refusals() async throws {
        try await PromoOffice.run { office in
            let session = try await office.session("u1")
            let later = try await office.codes(try await office.batch(startsIn: 3_600))[0]
            #expect(await office.refusal(later, session) == .notYetValid)
            let short = try await office.codes(try await office.batch(expiresIn: 60))[0]
            let id = try await office.batch()
            let stopped = try await office.codes(id)[0]
            _ = try await office.backOffice.stopPromoBatch(
                id,
                of: office.app,
                reason: Reason(.fraud, "The codes were on a forum."),
                key: nil,
                caller: office.ada
            )
            #expect(await office.refusal(stopped, session) == .stopped)
            office.clock.advance(by: 60)
            #expect(await office.refusal(short, session) == .expired)
            #expect(await office.refusal("0000-0000-0000", session) == .unknown)
            let shared = try await office.codes(try await office.batch(uses: 5))[0]
            try await office.redeem(shared, session)
            #expect(await office.refusal(shared, session) == .alreadyRedeemed)
            #expect(try await office.office.count("promo_redemptions") == 1)
            _ = try await office.backOffice.resumePromoBatch(
                id,
                of: office.app,
                reason: Reason(.correction, "It was another batch."),
                key: nil,
                caller: office.ada
            )
            try await office.redeem(stopped, session)
        }
    }

    @Test("whoever pays for the plan keeps the code, and what they pay for")
    func paid() async throws {
        try await PromoOffice.run { office in
            let (customer, _) = try await office.office.buyer()
            let code = try await office.codes(try await office.batch())[0]
            let id = try await office.office.database.write { transaction in
                try await transaction.customerSessions.begin(
                    .minted,
                    for: customer,
                    of: office.app,
                    until: transaction.now.addingTimeInterval(86_400)
                )
            }
            let session = try #require(
                try await office.office.database.readPrimary { try await $0.customerSession(id) }
            )
            let before = try await office.office.entitlementSources(customer)
            #expect(await office.refusal(code, session) == .alreadyCovered)
            #expect(try await office.office.entitlementSources(customer) == before)
            try await office.redeem(code, try await office.session("u2"))
        }
    }

    @Test("a key answers once and alike, and nothing else under it")
    func key() async throws {
        try await PromoOffice.run { office in
            let batch = try await office.batch(uses: 9)
            let other = try await office.codes(try await office.batch())[0]
            let (code, session) = (try await office.codes(batch)[0], try await office.session("u1"))
            let answer = try await office.redeem(code, session, key: "k")
            #expect(try await office.redeem(code, session, key: "k") == answer)
            let error = await #expect(throws: OperationsError.self) {
                try await office.redeem(other, session, key: "k")
            }
            #expect(error?.code == .invalid)
            #expect(try await office.office.count("promo_redemptions") == 1)
        }
    }

    @Test("after ten wrong codes a customer waits until the hour is over, also with a right one")
    func throttled() async throws {
        try await PromoOffice.run { office in
            let (code, session) = (try await office.codes(try await office.batch())[0], try await office.session("u1"))
            for number in 0..<10 {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.redeem("no code \(number)", session, from: nil)
                }
                #expect(error?.code == .notFound)
            }
            for wrong in ["no code", code] {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.redeem(wrong, session, from: nil)
                }
                #expect((error?.code, error?.retryAfter) == (.blocked, 3_600))
            }
            office.clock.advance(by: 3_600)
            try await office.redeem(code, session, from: nil)
        }
    }

    @Test("thirty wrong codes behind one address keep no good code from anybody, and no wrong one is looked at there")
    func address() async throws {
        try await PromoOffice.run { office in
            for number in 0..<30 {
                let session = try await office.session("u\(number)")
                #expect(await office.refusal("no code", session) == .unknown)
            }
            let (code, session) = (try await office.codes(try await office.batch())[0], try await office.session("v"))
            let error = await #expect(throws: OperationsError.self) { try await office.redeem("no code", session) }
            #expect(error?.code == .blocked)
            #expect(await office.refusal("no code", session, from: "192.0.2.2") == .unknown)
            // A call without an address of its own is counted by customer.
            #expect(await office.refusal("no code", session, from: nil) == .unknown)
            try await office.redeem(code, session)
        }
    }

    @Test("a code is one of its app's alone")
    func apps() async throws {
        try await PromoOffice.run { office in
            let code = try await office.codes(try await office.batch())[0]
            let session = try await office.session("u1")
            let other = UUID()
            _ = try await office.office.pool.query(
                """
                INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
                VALUES (\(other), 'other', 'Other', 'UTC', 'USD', now(), now())
                """
            )
            _ = try await office.office.pool.query("UPDATE promo_batches SET app_id = \(other)")
            #expect(await office.refusal(code, session) == .unknown)
        }
    }

    @Test("what is no text of a code is said at its field", arguments: ["", String(repeating: "7", count: 100_000)])
    func input(_ text: String) async throws {
        try await PromoOffice.run { office in
            let session = try await office.session("u1")
            let error = await #expect(throws: OperationsError.self) { try await office.redeem(text, session) }
            #expect((error?.code, error?.field) == (.invalid, "code"))
        }
    }

    @Test("NUL and what no keyboard has is a code that there is not")
    func odd() async throws {
        try await PromoOffice.run { office in
            let session = try await office.session("u1")
            for text in ["\0", "7K3M\0Q01D2XVA", "\u{10FFFF}", "'; DROP TABLE promo_codes"] {
                #expect(await office.refusal(text, session) == .unknown)
            }
        }
    }
}
