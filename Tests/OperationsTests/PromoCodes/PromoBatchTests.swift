import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Batches of promo codes") struct PromoBatchTests {
    @Test("codes differ, are the same whenever they are asked for, and are kept as keyed hashes alone")
    func codes() async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch(codes: 12_000)
            let codes = try await office.codes(id, limit: 20_000)
            #expect(codes.count == 12_000)
            #expect(Set(codes).count == 12_000)
            #expect(try await office.codes(id, limit: 20_000) == codes)
            let code = try #require(PromoCode(codes[0]))
            let rows = try await office.office.lines(
                """
                SELECT b::text FROM promo_batches b UNION ALL SELECT c::text FROM promo_codes c
                UNION ALL SELECT e::text FROM audit_entries e WHERE action LIKE 'promo_code.%'
                """
            )
            #expect(rows.count == 12_002)
            #expect(rows.allSatisfy { !$0.contains(code.text) && !$0.contains(code.grouped) })
            let numbers = try await office.backOffice.promoCodes(of: id, after: 11_998, limit: 10).map(\.number)
            #expect(numbers == [11_999, 12_000])
        }
    }

    @Test("another installation's secret makes other codes")
    func secret() async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch()
            let other = office.office.anotherServer(secret: "another installation, another secret")
            let (mine, theirs) = (
                try await office.codes(id), try await other.promoCodes(of: id, after: 0, limit: 1).map(\.code.grouped)
            )
            #expect(mine != theirs)
            #expect(await office.refusal(theirs[0], try await office.session("u1")) == .unknown)
        }
    }

    @Test("a form that is sent twice makes one batch")
    func once() async throws {
        try await PromoOffice.run { office in
            let key = try office.office.key("k", office.ada)
            let first = try await office.batch(key: key)
            #expect(try await office.batch(key: key) == first)
            #expect(try await office.office.count("promo_batches") == 1)
        }
    }

    @Test("everything that is wrong is said at once")
    func wrong() throws {
        let now = TestOffice.start
        func fields(_ name: String?, days: String?, codes: String?, uses: String?, ends: Date? = nil) -> [String] {
            do throws(OperationsError) {
                _ = try NewPromoBatch(
                    name: name,
                    channel: "fair",
                    plan: "PRO",
                    days: days,
                    codes: codes,
                    usesPerCode: uses,
                    expiresAt: ends,
                    now: now
                )
                return []
            } catch {
                return error.problems.map(\.field)
            }
        }
        #expect(fields("Fair", days: "30", codes: "1", uses: nil).isEmpty)
        #expect(
            fields("", days: "0", codes: "100001", uses: "1.5", ends: now) == [
                "name", "days", "codes", "usesPerCode", "expiresAt",
            ]
        )
        let numbers = ["-9223372036854775808", "10000000000000000000", "1.5", "x", "\0", "3651"]
        for number in numbers {
            #expect(fields("Fair", days: number, codes: "1", uses: nil) == ["days"])
            #expect(fields("Fair", days: "1", codes: number + "0", uses: nil) != [] || number == "3651")
        }
        for name in ["\0", "a\u{7}b", String(repeating: "x", count: 101), String(repeating: "x", count: 100_000)] {
            #expect(fields(name, days: "30", codes: "1", uses: nil) == ["name"])
        }
    }

    @Test("the plan that everybody has is none, nor one that there is not")
    func plan() async throws {
        try await PromoOffice.run { office in
            for code in ["FREE", "GOLD"] {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.promoPlan(code, of: office.app)
                }
                #expect((error?.code, error?.field) == (.invalid, "plan"))
            }
        }
    }

    @Test("only admins make and stop them", arguments: [StaffRole.support, .analyst])
    func roles(_ role: StaffRole) async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch()
            let eve = try await office.office.staff("eve@example.com", role)
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.stopPromoBatch(
                    id,
                    of: office.app,
                    reason: Reason(.testing, "It was for a test alone."),
                    key: nil,
                    caller: eve
                )
            }
            #expect(error?.code == .forbidden)
        }
    }

    @Test("a stop says who and why; twice is a conflict")
    func stop() async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch()
            let reason = Reason(.fraud, "The codes were on a forum.")
            func stop() async throws {
                _ = try await office.backOffice.stopPromoBatch(
                    id,
                    of: office.app,
                    reason: reason,
                    key: nil,
                    caller: office.ada
                )
            }
            try await stop()
            let error = await #expect(throws: OperationsError.self) { try await stop() }
            #expect(error?.code == .conflict)
            let log = try await office.office.lines(
                "SELECT concat_ws(' ', actor, object_id, reason) FROM audit_entries WHERE action = 'promo_code.stop'"
            )
            #expect(log == ["ada@example.com \(id) \(reason.forAudit)"])
        }
    }

    @Test("a report counts codes, customers, and those whose first charge came afterwards")
    func report() async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch(codes: 3)
            let codes = try await office.codes(id)
            try await office.redeem(codes[0], try await office.session("u1"))
            office.clock.advance(by: 86_400)
            try await office.redeem(codes[1], try await office.session("u2"))
            let (report, days, channels) = try await office.office.database.readPrimary { reader in
                let screens = reader.screens
                return (
                    try await screens.promoReport(of: id), try await screens.promoDays(of: id, zone: .gmt),
                    try await screens.promoChannelReports(of: office.app)
                )
            }
            let expected = PromoReport(
                codes: 3,
                redeemedCodes: 2,
                redemptions: 2,
                customers: 2,
                neverPaid: 2,
                converted: 0
            )
            #expect(report == expected)
            #expect(report.conversionRate == 0)
            #expect(days.map(\.redemptions) == [1, 1])
            #expect(days.map(\.day.description) == ["2026-01-02", "2026-01-01"])
            #expect(channels == [PromoReport.Channel(channel: "fair", batches: 1, report: expected)])
        }
    }

    @Test("who gives up a lost secret stops what was made of it")
    func lostSecret() async throws {
        try await PromoOffice.run { office in
            let id = try await office.batch()
            _ = try await office.backOffice.forgetSecret(
                reason: Reason(.other, "The disk of the server is gone."),
                caller: .commandLine
            )
            let batch = try await office.office.database.readPrimary {
                try await $0.screens.promoBatch(id, of: office.app)
            }
            #expect(batch?.terms.state(at: office.clock.read()) == .stopped)
        }
    }
}
