import Billing
import Foundation
import Testing

@Suite("A bought period is given back") struct TakenBackPeriodTests {
    private static let pro = Plan(code: "PRO", rank: 1)
    private static let max = Plan(code: "MAX", rank: 2)

    @Test("the running one ends now, and the next one begins then, as long as it was") func running() {
        let taken = TakenBackPeriod(0, of: [held(0, 30), held(30, 60), held(60, 91)], at: .day(8))
        #expect(taken.endsAt == .day(8))
        #expect(taken.moves == [move(1, 8, 38), move(2, 38, 69)])
    }

    @Test("one that was bought ahead is gone, and the one behind it closes the gap; the running one stays") func ahead()
    {
        let taken = TakenBackPeriod(1, of: [held(0, 30), held(30, 60), held(60, 90)], at: .day(8))
        #expect(taken.endsAt == .day(30))
        #expect(taken.moves == [move(2, 30, 60)])
        #expect(TakenBackPeriod(2, of: [held(0, 30), held(30, 60), held(60, 90)], at: .day(8)).moves.isEmpty)
    }

    @Test("one that is over changes nothing") func spent() {
        let taken = TakenBackPeriod(0, of: [held(0, 30), held(30, 60)], at: .day(30))
        #expect(taken.endsAt == nil && taken.moves.isEmpty)
    }

    @Test("a lower plan that waits for a higher one begins when that is given back, and what a store renews stays")
    func plans() {
        let lower = [held(0, 30, Self.max), held(30, 60), held(40, 70, value: nil)]
        #expect(TakenBackPeriod(0, of: lower, at: .day(8)).moves == [move(1, 8, 38)])
        // Another store's renewing period of the plan still runs: the next one waits for it.
        let beside = [held(0, 30), held(10, 20, value: nil), held(30, 60)]
        #expect(TakenBackPeriod(0, of: beside, at: .day(8)).moves == [move(2, 20, 50)])
    }

    @Test("in any stack nothing overlaps afterwards, nothing is later or shorter than it was, and no gap comes about")
    func anyStack() {
        var random = SplitMix64(seed: 35)
        for round in 0..<2_000 {
            var (start, stack): (Double, [HeldPeriod]) = (0, [])
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let end = start + Double(Int.random(in: 1...400, using: &random))
                stack.append(held(start, end))
                start = end
            }
            let index = Int.random(in: stack.indices, using: &random)
            let now = Date.day(Double.random(in: 0..<start, using: &random))
            let taken = TakenBackPeriod(index, of: stack, at: now)
            var after = stack
            for move in taken.moves {
                let (before, length) = (stack[move.index], move.endsAt.timeIntervalSince(move.startsAt))
                #expect(move.startsAt < before.startsAt && move.startsAt >= now, "round \(round)")
                #expect(abs(length - before.endsAt.timeIntervalSince(before.startsAt)) < 0.001, "round \(round)")
                (after[move.index].startsAt, after[move.index].endsAt) = (move.startsAt, move.endsAt)
            }
            #expect((taken.endsAt == nil) == (stack[index].endsAt <= now), "round \(round)")
            #expect(taken.endsAt.map { $0 >= now && $0 >= stack[index].startsAt } ?? true, "round \(round)")
            guard taken.endsAt != nil else {
                #expect(after == stack, "round \(round)")
                continue
            }
            after.remove(at: index)
            let left = after.filter { $0.endsAt > now }
            for (one, next) in zip(left, left.dropFirst()) {
                #expect(abs(next.startsAt.timeIntervalSince(one.endsAt)) < 0.001, "round \(round)")
            }
            if let first = left.first { #expect(first.startsAt <= now, "round \(round)") }
        }
    }

    private func held(_ start: Double, _ end: Double, _ plan: Plan = pro, value: Int64? = 1_800) -> HeldPeriod {
        HeldPeriod(
            plan: plan,
            startsAt: .day(start),
            endsAt: .day(end),
            renews: value == nil,
            value: value.map { Money(minorUnits: $0, currency: .cny) }
        )
    }

    private func move(_ index: Int, _ start: Double, _ end: Double) -> TakenBackPeriod.Move {
        TakenBackPeriod.Move(index: index, startsAt: .day(start), endsAt: .day(end))
    }
}
