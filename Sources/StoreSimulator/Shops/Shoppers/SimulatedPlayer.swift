import Billing
package import Foundation

/// Somebody who subscribes at the simulated Google Play: what happens to them, in order.
package struct SimulatedPlayer: Sendable {
    /// The account token by which the app knows them.
    package let token: UUID
    package let person: SimulatedPerson
    private(set) var steps: [Step] = []

    struct Step: Sendable {
        var at: Date
        var deed: Deed
    }

    /// Something that they, their bank, Google or a developer do.
    enum Deed: Sendable {
        /// The free days at the beginning, if there are any.
        case buy(trial: Int)
        case renew
        case grace
        case hold
        case cancel
        case pause
        case expire
        case refund
        case chargeBack
        /// A bank asks whether the last charge may be taken back.
        case review
    }

    /// The states of the first players at the end, so that there is one of each.
    enum Ending: CaseIterable {
        case review
        case chargedBack
        case inGrace
        case onHold
        case paused
        case refunded
        case new
    }

    let plan: SimulatedPlan
    private var random: SeededRandom

    /// - Parameters:
    ///   - number: counts the players; the first ones have an ending each.
    ///   - seed: the same gives the same life.
    init(number: Int, seed: UInt64, at shelf: SimulatedShelf, from start: Date, until end: Date) {
        random = SeededRandom(seed: seed, stream: UInt64(400_000 + number))
        token = random.uuid()
        person = SimulatedPerson(
            number: 400_000 + number,
            seed: seed,
            country: random.pick(["DEU", "TUR", "GBR", "DEU"]) ?? "DEU"
        )
        let item = shelf.pick(using: &random) ?? shelf.items[0]  // safe: Google's shelf has four
        let ending = Ending.allCases.indices.contains(number) ? Ending.allCases[number] : nil
        let sold = ending == nil ? item : shelf.items[0]  // safe: as above
        let parts = sold.id.split(separator: ":").map(String.init)
        plan = SimulatedPlan(
            parts.first ?? sold.id,
            parts.last ?? sold.id,
            sold.price,
            days: sold.isMonthly ? 30 : 365
        )
        if let ending { live(to: ending, at: end) } else { live(from: start, until: end) }
    }

    private mutating func live(from start: Date, until end: Date) {
        let length = end.timeIntervalSince(start)
        var now = start.addingTimeInterval((length * max(random.unit(), random.unit())).rounded())
        let trial = random.chance(0.3) ? 7 : 0
        add(.buy(trial: trial), now)
        var periodEnd = now.addingTimeInterval(Self.day * Double(trial > 0 ? trial : plan.length))
        while periodEnd < end {
            now = periodEnd
            let chance = random.unit()
            if chance < 0.07 {
                add(.cancel, periodEnd.addingTimeInterval(-(random.double(1...6) * Self.day).rounded()))
                add(.expire, periodEnd.addingTimeInterval(30))
                guard random.chance(0.35) else { break }
                now = periodEnd.addingTimeInterval((random.double(15...70) * Self.day).rounded())
                add(.buy(trial: 0), now)
            } else if chance < 0.14 {
                add(.grace, periodEnd.addingTimeInterval(-60))
                now = periodEnd.addingTimeInterval((random.double(0.4...2.5) * Self.day).rounded())
                if random.chance(0.4) {
                    add(.hold, periodEnd.addingTimeInterval(3 * Self.day))
                    now = periodEnd.addingTimeInterval((random.double(5...20) * Self.day).rounded())
                    guard random.chance(0.5) else {
                        add(.expire, periodEnd.addingTimeInterval(30 * Self.day))
                        break
                    }
                }
                add(.renew, now)
            } else if chance < 0.155 {
                add(.pause, periodEnd.addingTimeInterval(20))
                now = periodEnd.addingTimeInterval(30 * Self.day)
                add(.renew, now)
            } else {
                add(.renew, periodEnd.addingTimeInterval(10))
                if random.chance(0.015) {
                    add(.refund, periodEnd.addingTimeInterval(2 * Self.day))
                    break
                }
            }
            periodEnd = now.addingTimeInterval(Self.day * Double(plan.length))
        }
        steps.removeAll { $0.at >= end.addingTimeInterval(-3_600) }
    }

    /// A month and some days, and then what the ending says.
    private mutating func live(to ending: Ending, at end: Date) {
        func ago(_ hours: Double) -> Date { end.addingTimeInterval(-hours * 3_600) }
        let month = 30 * 24.0
        switch ending {
        case .review:
            add(.buy(trial: 0), ago(20 * 24))
            add(.review, ago(2))
        case .chargedBack:
            add(.buy(trial: 0), ago(month + 40))
            add(.renew, ago(39.9))
            add(.chargeBack, ago(5))
        case .inGrace:
            add(.buy(trial: 0), ago(month + 20))
            add(.grace, ago(20.1))
        case .onHold:
            add(.buy(trial: 0), ago(month + 5 * 24))
            add(.grace, ago(5 * 24 + 0.1))
            add(.hold, ago(2 * 24))
        case .paused:
            add(.buy(trial: 0), ago(month + 4 * 24))
            add(.pause, ago(4 * 24 - 0.1))
        case .refunded:
            add(.buy(trial: 7), ago(15 * 24))
            add(.renew, ago(8 * 24 - 0.1))
            add(.refund, ago(9))
        case .new:
            add(.buy(trial: 0), ago(1))
        }
    }

    private mutating func add(_ deed: Deed, _ moment: Date) { steps.append(Step(at: moment, deed: deed)) }

    private static let day: TimeInterval = 86_400
}
