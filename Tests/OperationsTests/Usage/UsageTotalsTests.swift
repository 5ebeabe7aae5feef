import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Usage by feature") struct UsageTotalsTests {
    @Test("what was counted, reserved and told later is added up by feature and day, before it is folded and after")
    func sums() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 30)
            try await office.count("scan", 5, at: office.clock.read().addingTimeInterval(-86_400))
            try await office.count("page", 2)
            let reservation = try await office.backOffice.reserve(
                "scan",
                quantity: 40,
                for: try await office.current()
            )
            let held = ["2025-12-31 scan 5 5", "2026-01-01 scan 70 0", "2026-01-01 page 2 0"]
            #expect(try await Self.totals(office) == held)
            #expect(try await office.backOffice.foldUsage() == 4)
            #expect(try await office.office.count("usage_entries") == 0)
            #expect(try await Self.totals(office) == held)
            _ = try await office.backOffice.settle(
                StoredUsageReservation.ID(reservation.id),
                of: "scan",
                quantity: 10,
                for: try await office.current()
            )
            let settled = ["2025-12-31 scan 5 5", "2026-01-01 scan 40 0", "2026-01-01 page 2 0"]
            #expect(try await Self.totals(office) == settled)
            #expect(try await office.backOffice.foldUsage() == 1)
            #expect(try await Self.totals(office) == settled)
            #expect(try await Self.totals(office, .month) == settled)
            #expect(try await Self.totals(office, feature: "page") == ["2026-01-01 page 2 0"])
            #expect(try await Self.totals(office, feature: "call").isEmpty)
        }
    }

    @Test("another app's usage is not in them, and a refused count leaves nothing")
    func apart() async throws {
        try await UsageOffice.run { office in
            #expect((await office.refusal("scan", 101))?.code == .blocked)
            #expect(try await office.office.count("usage_entries") == 0)
            try await office.count("scan", 1)
            #expect(try await Self.totals(office) == ["2026-01-01 scan 1 0"])
            let none = try await office.office.database.readPrimary { reader in
                try await reader.usage.totals(Self.question(), app: App.ID(UUID()))
            }
            #expect(none.isEmpty)
        }
    }

    @Test("a total that is wrong is found, named and mended, while entries still wait")
    func mended() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 30)
            _ = try await office.backOffice.foldUsage()
            try await office.count("scan", 12)
            #expect(try await Self.differences(office) == 0)
            _ = try await office.office.pool.query("UPDATE usage_totals SET used = used + 7")
            #expect(try await Self.differences(office) == 1)
            #expect(try await Self.totals(office) == ["2026-01-01 scan 49 0"])
            let mended = try await office.backOffice.rebuildRollups().map(\.differences)
            #expect(mended == [1])
            #expect(try await Self.totals(office) == ["2026-01-01 scan 42 0"])
            #expect(try await Self.differences(office) == 0)
        }
    }

    private static func differences(_ office: UsageOffice) async throws -> Int {
        try await office.backOffice.verifyRollups().reduce(0) { $0 + $1.differences }
    }

    private static func question(
        _ grain: ReportingPeriod.Grain = .day,
        feature: String? = nil
    ) -> UsageTotalsQuery {
        UsageTotalsQuery(
            feature: feature,
            from: BusinessDay(number: 20_453),
            through: BusinessDay(number: 20_484),
            grain: grain
        )
    }

    /// Returns the totals as `day feature units offline`.
    private static func totals(
        _ office: UsageOffice,
        _ grain: ReportingPeriod.Grain = .day,
        feature: String? = nil
    ) async throws -> [String] {
        let question = question(grain, feature: feature)
        let app = office.session.app
        return try await office.office.database.readPrimary { try await $0.usage.totals(question, app: app) }
            .map { "\($0.period.first) \($0.feature) \($0.units) \($0.offline)" }
    }
}
