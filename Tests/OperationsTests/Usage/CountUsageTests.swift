import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Counting usage") struct CountUsageTests {
    @Test("of a thousand at once exactly as many are counted as the limit leaves")
    func race() async throws {
        try await UsageOffice.run { office in
            let counted = try await Self.counted(of: 1_000, office) { try await office.count("scan") }
            #expect(counted == 100)
            #expect(try await office.counters() == ["100 100 100"])
            #expect(try await office.days() == ["2026-01-01 100 0"])
        }
    }

    @Test("the first counts of all race as the others do")
    func first() async throws {
        try await UsageOffice.run { office in
            let counted = try await Self.counted(of: 100, office) { try await office.count("page", 2) }
            #expect(counted == 1)
            #expect(try await office.counters() == ["2 2 2"])
        }
    }

    @Test("what is larger than what is left counts nothing, and what fits is counted after it")
    func whole() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 60)
            let error = await office.refusal("scan", 41)
            #expect(error?.code == .blocked)
            let answer = try await office.count("scan", 40)
            #expect(answer.usage.tightest?.remaining == 0)
            #expect((await office.refusal("page", 4))?.code == .forbidden)
            #expect(try await office.counters() == ["100 100 100"])
        }
    }

    @Test("a limit says how much is used, when it is counted anew, and how long to wait: until the app's midnight")
    func midnight() async throws {
        try await UsageOffice.run { office in
            office.clock.set(try Date("2026-01-31T15:59:30Z", strategy: .iso8601))
            try await office.count("scan", 100)
            let error = try #require(await office.refusal("scan"))
            let midnight = try Date("2026-01-31T16:00:00Z", strategy: .iso8601)
            let full = WindowUsage(window: .day, used: 100, limit: 100, resetsAt: midnight)
            #expect(error.underlying as? UsageRefusal == .limitReached(feature: "scan", full))
            #expect((error.code, error.retryAfter) == (.blocked, 30))
            office.clock.set(midnight)
            let answer = try await office.count("scan")
            #expect(answer.usage.windows.map(\.used) == [1, 1, 101])
            #expect(try await office.days() == ["2026-01-31 100 0", "2026-02-01 1 0"])
        }
    }

    @Test("of several limits the one that lasts longest says until when")
    func month() async throws {
        try await UsageOffice.run { office in
            try await office.give("PRO")
            for _ in 0..<3 {
                try await office.count("call", 10)
                office.clock.advance(by: 86_400)
            }
            let error = await office.refusal("call")
            let end = try Date("2026-01-31T16:00:00Z", strategy: .iso8601)
            let full = WindowUsage(window: .month, used: 30, limit: 30, resetsAt: end)
            #expect(error?.underlying as? UsageRefusal == .limitReached(feature: "call", full))
            #expect(error?.retryAfter == 86_400)
        }
    }

    @Test("a limit for good is forbidden, and no wait is promised")
    func lifetime() async throws {
        try await UsageOffice.run { office in
            try await office.count("page", 3)
            office.clock.advance(by: 90 * 86_400)
            let error = await office.refusal("page")
            #expect(error?.code == .forbidden)
            #expect(error?.retryAfter == nil)
            let full = WindowUsage(window: .lifetime, used: 3, limit: 3, resetsAt: nil)
            #expect(error?.underlying as? UsageRefusal == .limitReached(feature: "page", full))
        }
    }

    @Test("what the plan does not include names the lowest plan that does, and what there is not is not found")
    func tiers() async throws {
        try await UsageOffice.run { office in
            let call = await office.refusal("call")
            #expect(call?.code == .forbidden)
            #expect(call?.underlying as? UsageRefusal == .tierRequired(feature: "call", plan: "PRO"))
            let dream = await office.refusal("dream")
            #expect(dream?.underlying as? UsageRefusal == .tierRequired(feature: "dream", plan: nil))
            for name in ["", "SCAN", "scan ", "nothing", String(repeating: "a", count: 100_000)] {
                #expect((await office.refusal(name))?.code == .notFound)
            }
            let counters = try await office.counters()
            #expect(counters == [])
        }
    }

    @Test("another plan has other limits, and what was used stays used")
    func planChange() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 100)
            #expect(await office.refusal("scan") != nil)
            try await office.give("PRO")
            let answer = try await office.count("scan")
            #expect(answer.usage.tightest?.used == 101)
            #expect(answer.usage.tightest?.remaining == 899)
            try await office.give("PREMIUM")
            // PREMIUM's catalogue does not have it.
            #expect((await office.refusal("scan"))?.code == .forbidden)
            #expect(try await office.count("call", 1_000_000).usage.tightest == nil)
        }
    }

    @Test(
        "a quantity out of range is refused by its field and counts nothing",
        arguments: [Int64.min, -1, 0, 1_000_001, Int64.max]
    )
    func quantities(quantity: Int64) async throws {
        try await UsageOffice.run { office in
            for key in [nil, "k1"] {
                let error = await office.refusal("scan", quantity, key: key)
                #expect(error?.code == .invalid)
                #expect(error?.field == "quantity")
            }
            let (counters, keys) = (try await office.counters(), try await office.office.count("idempotency_keys"))
            #expect((counters, keys) == ([], 0))
        }
    }

    /// Counts that many times at once; returns how many were counted. The others have to meet the limit.
    private static func counted(
        of many: Int,
        _ office: UsageOffice,
        _ count: @escaping @Sendable () async throws -> UsageAnswer
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<many {
                group.addTask {
                    do {
                        _ = try await count()
                        return true
                    } catch let error as OperationsError where error.underlying is UsageRefusal {
                        return false
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }
}
