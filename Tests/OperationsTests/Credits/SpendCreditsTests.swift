import Billing
import Foundation
import Operations
import Storage
import Testing

@Suite("Spending credits") struct SpendCreditsTests {
    @Test("the plan's limit is used first, and what it has no room for is taken from the credits")
    func beside() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.usage.count("scan", 90)
            let answer = try await office.usage.count("scan", 30)
            #expect(answer.credits == SpentCredits(spent: 20, left: 30))
            #expect(answer.usage.windows.map(\.used) == [100, 100, 100])
            #expect(try await office.usage.days() == ["2026-01-01 120 0"])
            let error = await office.usage.refusal("scan", 31)
            #expect(error?.code == .blocked)
            #expect(try await office.credits() == [30, 0])
            office.usage.clock.advance(by: 86_400)
            #expect(try await office.usage.count("scan", 100).credits == nil)
            #expect(try await office.credits() == [30, 0])
        }
    }

    @Test("credits open what no plan includes, until they are spent")
    func withoutPlan() async throws {
        try await CreditsOffice.run { office in
            #expect((await office.usage.refusal("dream"))?.code == .forbidden)
            try await office.buy("t1", quantity: 2)
            #expect(try await office.usage.count("dream", 10).credits == SpentCredits(spent: 10, left: 0))
            let error = await office.usage.refusal("dream")
            #expect(error?.underlying as? UsageRefusal == .tierRequired(feature: "dream", plan: nil))
        }
    }

    @Test("of many who spend at once exactly as many are served as credits are left")
    func race() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.useUpPlan()
            let served = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<80 {
                    group.addTask {
                        let key = number.isMultiple(of: 2) ? "k\(number)" : nil
                        return (try? await office.usage.count("scan", key: key)) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(served == 50)
            #expect(try await office.credits() == [0, 0])
        }
    }

    @Test("under one key credits are spent once, and the answer stays the same")
    func once() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.useUpPlan()
            let answers = try await withThrowingTaskGroup(of: UsageAnswer.self) { group in
                for _ in 0..<20 { group.addTask { try await office.usage.count("scan", 4, key: "k1") } }
                return try await group.reduce(into: Set<UsageAnswer>()) { $0.insert($1) }
            }
            #expect(answers.map(\.credits) == [SpentCredits(spent: 4, left: 46)])
            try await office.usage.count("scan", 6)
            #expect(try await office.usage.count("scan", 4, key: "k1") == answers.first)
            #expect(try await office.credits() == [40, 0])
        }
    }

    @Test("those of a period end with it and are spent first; a renewal told twice brings its own once")
    func periods() async throws {
        try await CreditsOffice.run { office in
            let day = office.today
            let first = StoreTransaction.sold("p1", of: "p1", from: day, to: day + 30, to: office.token)
            let second = StoreTransaction.sold("p2", of: "p1", from: day + 30, to: day + 60, to: office.token)
            try await office.office.live(.told(.subscribed, on: day, first))
            try await office.buy("t1")
            #expect(try await office.credits() == [60, 0])
            // PRO has 1,000 a day.
            try await office.usage.count("scan", 1_000)
            #expect(try await office.usage.count("scan", 4).credits?.left == 56)
            office.usage.clock.advance(by: 30 * 86_400)
            #expect(try await office.credits() == [50, 0])
            try await office.office.live(
                .told(.renewed, on: day + 30, second),
                .told(.renewed, on: day + 30.01, second)
            )
            #expect(try await office.credits() == [60, 0])
        }
    }

    @Test("a free trial brings no credits")
    func trial() async throws {
        try await CreditsOffice.run { office in
            let day = office.today
            let trial = StoreTransaction.sold(
                "p1",
                of: "p1",
                from: day,
                to: day + 7,
                for: .yuan(0),
                to: office.token,
                trial: true
            )
            try await office.office.live(.told(.subscribed, on: day, trial))
            #expect(try await office.credits() == [0, 0])
        }
    }
}
