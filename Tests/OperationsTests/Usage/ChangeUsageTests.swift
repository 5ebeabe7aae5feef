import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Limits that staff raise, and usage that they reset") struct ChangeUsageTests {
    @Test(
        "of a thousand at once exactly as many are counted as the raised limit leaves, the first count of all among them"
    )
    func race() async throws {
        try await UsageOffice.run { office in
            try await Self.change("scan", .day, .raise(by: 150, until: nil), office)
            let counted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        do {
                            try await office.count("scan")
                            return true
                        } catch let error as OperationsError where error.underlying is UsageRefusal {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(counted == 250)
            #expect(try await office.counters() == ["250 250 250"])
            #expect(try await office.days() == ["2026-01-01 250 0"])
        }
    }

    @Test(
        "what is raised holds for counts, reservations, refusals and meters alike, also in one piece above the plan's limit"
    )
    func everywhere() async throws {
        try await UsageOffice.run { office in
            #expect((await office.refusal("scan", 101))?.code == .blocked)
            try await Self.change("scan", .day, .raise(by: 50, until: nil), office)
            let answer = try await office.count("scan", 120)
            #expect(answer.usage.tightest?.limit == 150)
            #expect(answer.usage.tightest?.remaining == 30)
            let held = try await office.backOffice.reserve("scan", quantity: 20, for: office.session)
            #expect(held.usage.tightest?.remaining == 10)
            let refusal = await office.refusal("scan", 11)
            guard case .limitReached(_, let reached) = refusal?.underlying as? UsageRefusal else {
                Issue.record("not refused by the limit")
                return
            }
            #expect((reached.used, reached.limit) == (140, 150))
            let usage = try await office.backOffice.usage(for: office.session)
            #expect(usage.features.first { $0.feature == "scan" }?.usage.tightest?.limit == 150)
            let meters = try #require(
                try await office.backOffice.meters(of: office.session.customer, app: office.session.app)
            )
            let meter = try #require(meters.features.first { $0.feature.feature.code == "scan" }?.windows.first)
            #expect((meter.usage.used, meter.usage.limit) == (140, 150))
            #expect((meter.reserved, meter.increase?.amount) == (20, 50))
        }
    }

    @Test("it ends at its end, and restored it ends at once; what was used stays used")
    func end() async throws {
        try await UsageOffice.run { office in
            let end = office.clock.read().addingTimeInterval(3_600)
            try await Self.change("page", .lifetime, .raise(by: 2, until: end), office)
            try await office.count("page", 5)
            try await Self.change("scan", .day, .raise(by: 5, until: nil), office)
            try await office.count("scan", 105)
            try await Self.change("scan", .day, .restore, office)
            #expect((await office.refusal("scan"))?.code == .blocked)
            #expect(await Self.refusal("scan", .day, .restore, office)?.code == .conflict)
            office.clock.set(end)
            #expect((await office.refusal("page"))?.code == .forbidden)
            #expect(await Self.refusal("page", .lifetime, .restore, office)?.code == .conflict)
            // A later increase takes the place of an earlier one.
            try await Self.change("page", .lifetime, .raise(by: 4, until: nil), office)
            #expect(try await office.count("page", 2).usage.tightest?.remaining == 0)
        }
    }

    @Test("a reset begins the window anew with those in it; the days and what is reserved stay")
    func reset() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 60)
            let held = try await office.backOffice.reserve("scan", quantity: 40, for: office.session)
            #expect((await office.refusal("scan"))?.code == .blocked)
            try await Self.change("scan", .day, .reset, office)
            #expect(try await office.counters() == ["40 100 100"])
            try await office.count("scan", 60)
            let id = StoredUsageReservation.ID(held.id)
            try await office.backOffice.release(id, of: "scan", for: office.session)
            #expect(try await office.counters() == ["60 120 120"])
            try await Self.change("scan", .lifetime, .reset, office)
            #expect(try await office.counters() == ["0 0 0"])
            #expect(try await office.days() == ["2026-01-01 120 0"])
            #expect(await Self.refusal("scan", .day, .reset, office)?.code == .conflict)
        }
    }

    @Test("each is audited with what held before and after, once under its key")
    func audit() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 7)
            let admin = try await office.office.staff("admin@example.com", .admin)
            let key = try office.office.key("k1", admin)
            for _ in 0..<2 {
                try await Self.change("scan", .day, .raise(by: 10, until: nil), office, as: admin, key: key)
            }
            try await Self.change("scan", .day, .reset, office, as: admin)
            let entries = try await office.office.lines(
                """
                SELECT concat_ws(' ', action, customer_id = \(office.session.customer), before ->> 'used', before ->> 'limit',
                    after ->> 'used', after ->> 'limit', reason IS NOT NULL)
                FROM audit_entries
                WHERE action LIKE 'usage.%'
                ORDER BY at, id
                """
            )
            #expect(Set(entries) == ["usage.raise_limit t 7 100 7 110 t", "usage.reset t 7 110 0 110 t"])
        }
    }

    @Test("support raises for as many days as it may give, and resets what begins anew; analysts do neither")
    func roles() async throws {
        try await UsageOffice.run { office in
            try await office.count("page", 3)
            let support = try await office.office.staff("support@example.com", .support)
            let far = office.clock.read().addingTimeInterval(5_000 * 86_400)
            let distant = office.clock.read().addingTimeInterval(3_000 * 86_400)
            for until in [nil, distant] {
                let error = await Self.refusal("scan", .day, .raise(by: 1, until: until), office, as: support)
                #expect(error?.field == "until")
            }
            #expect(await Self.refusal("scan", .day, .raise(by: 1, until: far), office)?.field == "until")
            let tomorrow = office.clock.read().addingTimeInterval(86_400)
            try await Self.change("scan", .day, .raise(by: 1, until: tomorrow), office, as: support)
            #expect(await Self.refusal("page", .lifetime, .reset, office, as: support)?.field == "window")
            let analyst = try await office.office.staff("analyst@example.com", .analyst)
            #expect(await Self.refusal("page", .lifetime, .reset, office, as: analyst)?.code == .forbidden)
            #expect(try await office.counters().contains("3 3 3"))
        }
    }

    @Test("what cannot be raised is refused by its field, and changes nothing")
    func refused() async throws {
        try await UsageOffice.run { office in
            for amount in [Int64.min, -1, 0, 1_000_000_000_001, .max] {
                let error = await Self.refusal("scan", .day, .raise(by: amount, until: nil), office)
                #expect(error?.field == "amount")
            }
            let past = office.clock.read()
            #expect(await Self.refusal("scan", .day, .raise(by: 1, until: past), office)?.field == "until")
            #expect(await Self.refusal("scan", .month, .raise(by: 1, until: nil), office)?.field == "window")
            #expect(await Self.refusal("call", .day, .raise(by: 1, until: nil), office)?.field == "window")
            for name in ["", "nothing", "SCAN", String(repeating: "a", count: 100_000)] {
                #expect(await Self.refusal(name, .day, .raise(by: 1, until: nil), office)?.field == "feature")
            }
            let counters = try await office.counters()
            #expect(counters == [])
        }
    }

    @Test("where two customers become one, the survivor's increase holds, and the other's where there is none")
    func merged() async throws {
        try await UsageOffice.run { office in
            let other = UsageOffice(office: office.office, session: try await UsageOffice.session("u2", office.office))
            try await Self.change("scan", .day, .raise(by: 10, until: nil), office)
            try await Self.change("scan", .day, .raise(by: 99, until: nil), other)
            try await Self.change("page", .lifetime, .raise(by: 4, until: nil), other)
            try await office.office.database.write {
                try await $0.customers.merge(
                    other.session.customer,
                    into: office.session.customer,
                    of: office.session.app
                )
            }
            let usage = try await office.backOffice.usage(for: office.session)
            #expect(usage.features.first { $0.feature == "scan" }?.usage.tightest?.limit == 110)
            #expect(usage.features.first { $0.feature == "page" }?.usage.tightest?.limit == 7)
        }
    }

    private static func change(
        _ feature: String,
        _ window: UsageWindow,
        _ command: UsageCommand,
        _ office: UsageOffice,
        as caller: Caller? = nil,
        key: IdempotencyKey? = nil
    ) async throws {
        let admin = try await office.office.lines("SELECT id::text FROM staff WHERE email = 'boss@example.com'")
        let boss: Caller
        if let caller {
            boss = caller
        } else if let id = admin.first.flatMap({ Staff.ID($0) }) {
            boss = Caller(.staff(id), actor: "boss@example.com", role: .admin)
        } else {
            boss = try await office.office.staff("boss@example.com", .admin)
        }
        _ = try await office.backOffice.change(
            feature,
            window,
            command,
            of: office.session.customer,
            app: office.session.app,
            reason: Reason(.goodwill, "The service was down for a day."),
            key: key,
            caller: boss
        )
    }

    private static func refusal(
        _ feature: String,
        _ window: UsageWindow,
        _ command: UsageCommand,
        _ office: UsageOffice,
        as caller: Caller? = nil
    ) async -> OperationsError? {
        await #expect(throws: OperationsError.self) { try await change(feature, window, command, office, as: caller) }
    }
}
