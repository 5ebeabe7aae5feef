import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Usage under a key, and usage that comes late") struct KeptUsageTests {
    @Test("fifty at once under one key are counted once and answered alike")
    func once() async throws {
        try await UsageOffice.run { office in
            let answers = try await withThrowingTaskGroup(of: UsageAnswer.self) { group in
                for _ in 0..<50 { group.addTask { try await office.count("scan", 2, key: "k1") } }
                return try await group.reduce(into: Set<UsageAnswer>()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            #expect(try await office.counters() == ["2 2 2"])
            try await office.count("scan", 5)
            #expect(try await office.count("scan", 2, key: "k1") == answers.first)
            #expect(try await office.counters() == ["7 7 7"])
        }
    }

    @Test("a key that was used for another request is refused by its field, and nothing is counted")
    func otherRequest() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", key: "k1")
            for (feature, quantity) in [("scan", Int64(2)), ("page", 1)] {
                let error = await office.refusal(feature, quantity, key: "k1")
                #expect(error?.code == .invalid)
                #expect(error?.field == "key")
            }
            #expect(try await office.counters() == ["1 1 1"])
        }
    }

    @Test("what is refused leaves its key unused: it is counted under it when there is room")
    func refused() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 100)
            #expect((await office.refusal("scan", key: "k1"))?.code == .blocked)
            #expect((await office.refusal("call", key: "k1"))?.code == .forbidden)
            #expect(try await office.office.count("idempotency_keys") == 0)
            office.clock.advance(by: 86_400)
            #expect(try await office.count("scan", key: "k1").usage.tightest?.used == 1)
        }
    }

    @Test("a key answers as it did although the plan does not include the feature any more")
    func otherPlan() async throws {
        try await UsageOffice.run { office in
            try await office.give("PRO")
            let answer = try await office.count("call", key: "k1")
            office.clock.advance(by: 91 * 86_400)
            #expect(try await office.count("call", key: "k1") == answer)
            #expect((await office.refusal("call"))?.code == .forbidden)
        }
    }

    @Test("what was counted offline comes into the day and month in which it happened, marked, and may pass the limit")
    func offline() async throws {
        try await UsageOffice.run { office in
            // It is 8 o'clock in Shanghai, on the first of January.
            let now = office.clock.read()
            try await office.count("scan", 90)
            let yesterday = try await office.count("scan", 500, at: now.addingTimeInterval(-10 * 3_600))
            #expect(yesterday.isOffline)
            #expect(yesterday.usage.windows.map(\.used) == [90, 90, 590])
            let today = try await office.count("scan", 200, at: now.addingTimeInterval(-3_600), key: "k1")
            #expect(today.usage.windows.map(\.used) == [290, 290, 790])
            #expect(today.usage.tightest?.remaining == 0)
            #expect(try await office.count("scan", 200, at: now.addingTimeInterval(-3_600), key: "k1") == today)
            #expect((await office.refusal("scan"))?.code == .blocked)
            #expect(try await office.days() == ["2025-12-31 0 500", "2026-01-01 90 200"])
            office.clock.advance(by: 20 * 86_400)
            let earlier = try await office.count("scan", 7, at: now)
            #expect(earlier.usage.windows.map(\.used) == [0, 297, 797])
        }
    }

    @Test("what happened is counted although no plan includes it")
    func notIncluded() async throws {
        try await UsageOffice.run { office in
            let answer = try await office.count("call", 3, at: office.clock.read().addingTimeInterval(-60))
            #expect(answer.usage.tightest == nil)
            #expect(try await office.counters() == ["3 3 3"])
        }
    }

    @Test("what happened more than forty days ago, or is to happen, is refused by its field")
    func times() async throws {
        try await UsageOffice.run { office in
            let now = office.clock.read()
            for moment in [
                now.addingTimeInterval(-40 * 86_400 - 1), now.addingTimeInterval(301), .distantPast, .distantFuture,
            ] {
                let error = await office.refusal("scan", at: moment)
                #expect(error?.code == .invalid)
                #expect(error?.field == "occurredAt")
            }
            #expect(try await office.counters() == [])
            try await office.count("scan", at: now.addingTimeInterval(-40 * 86_400))
            try await office.count("scan", at: now.addingTimeInterval(300))
            #expect(try await office.days() == ["2025-11-22 0 1", "2026-01-01 0 1"])
        }
    }

    @Test("of each feature it is said what is used and left, included or not")
    func current() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 30)
            office.clock.advance(by: 86_400)
            try await office.count("scan", 1)
            let usage = try await office.backOffice.usage(for: try await office.current())
            #expect(usage.plan == "FREE")
            let features = Dictionary(usage.features.map { ($0.feature, $0) }) { first, _ in first }
            let scan = try #require(features["scan"])
            #expect(scan.usage.windows.map(\.used) == [1, 31, 31])
            #expect(scan.remaining == 99)
            let call = try #require(features["call"])
            #expect(!call.isIncluded)
            #expect(call.remaining == 0)
            #expect(call.requiredPlan == "PRO")
            let dream = try #require(features["dream"])
            #expect(dream.requiredPlan == nil)
            let order = usage.features.map(\.feature).filter { ["scan", "call", "page", "dream"].contains($0) }
            #expect(order == ["scan", "call", "page", "dream"])
        }
    }

    @Test("where two customers become one, what both used is used, and their keys answer as they did")
    func merged() async throws {
        try await UsageOffice.run { office in
            let other = UsageOffice(office: office.office, session: try await UsageOffice.session("u2", office.office))
            try await office.count("scan", 20)
            try await other.count("scan", 5)
            try await other.count("page", 2)
            office.clock.advance(by: 86_400)
            try await other.count("scan", 3, key: "k1")
            try await office.office.database.write {
                try await $0.customers.merge(
                    other.session.customer,
                    into: office.session.customer,
                    of: office.session.app
                )
            }
            let usage = try await office.backOffice.usage(for: try await office.current())
            let scan = try #require(usage.features.first { $0.feature == "scan" })
            #expect(scan.usage.windows.map(\.used) == [3, 28, 28])
            #expect(try await office.count("scan", 3, key: "k1").usage.tightest?.used == 3)
            #expect(try await office.office.count("usage_counters") == 2)
            #expect(try await office.days().sorted() == ["2026-01-01 2 0", "2026-01-01 25 0", "2026-01-02 3 0"])
        }
    }
}
