import Billing
import Foundation
import Testing

/// The entries of customers, compared with a slow reading of their periods: day by day, moment by moment.
@Suite("properties of what customers add to the metrics")
struct CustomerMetricsPropertyTests {
    static let seeds: Range<UInt64> = 0..<1_000
    static let zones = ["Asia/Shanghai", "America/New_York", "Pacific/Auckland"]

    @Test("they are what a reading day by day finds", arguments: zones)
    func slowReading(zone name: String) throws {
        let calendar = Days(in: try TimeZone.named(name))
        for seed in Self.seeds {
            let periods = RandomCustomer(seed: seed).periods
            var found = SlowReading(of: periods, calendar).metrics
            for entry in CustomerMetrics(periods, in: calendar.zone).entries {
                let place = SlowReading.Place(entry.measure, entry.day, entry.dimension, entry.cell)
                found[place, default: .init()].amount -= entry.amount
                found[place, default: .init()].count -= entry.count
            }
            #expect(found.filter { $0.value != .init() }.isEmpty, "seed \(seed)")
        }
    }

    @Test(
        "start and all movements are the end, to the cent, for every cell and every stretch of days",
        arguments: zones
    )
    func telescoping(zone name: String) throws {
        let calendar = Days(in: try TimeZone.named(name))
        var random = SplitMix64(seed: 7)
        for seed in Self.seeds {
            let periods = RandomCustomer(seed: seed).periods
            let entries = CustomerMetrics(periods, in: calendar.zone).entries
            let bounds = [calendar.any(using: &random), calendar.any(using: &random)].sorted()
            let start = SlowReading.snapshot(periods, at: calendar.end(of: bounds[0]))
            let end = SlowReading.snapshot(periods, at: calendar.end(of: bounds[1]))
            for cell in Set(periods.map(\.cell)) {
                let within = entries.filter { $0.cell == cell && $0.day > bounds[0] && $0.day <= bounds[1] }
                let revenue = within.filter { $0.measure == .mrr }.reduce(0) { $0 + $1.amount }
                let people = within.filter { $0.measure == .subscriber }.reduce(0) { $0 + $1.count }
                #expect(start.monthly[cell, default: 0] + revenue == end.monthly[cell, default: 0], "seed \(seed)")
                #expect((start.cell == cell ? 1 : 0) + people == (end.cell == cell ? 1 : 0), "seed \(seed)")
            }
        }
    }

    @Test(
        "whatever cells are left, expansions are never below zero and contractions never above, and over all cells of a currency nobody moves",
        arguments: zones
    )
    func signs(zone name: String) throws {
        let calendar = Days(in: try TimeZone.named(name))
        for seed in Self.seeds {
            let revenue = CustomerMetrics(RandomCustomer(seed: seed).periods, in: calendar.zone).entries
                .filter { $0.measure == .mrr }
            for entry in revenue {
                switch MovementClass(rawValue: entry.dimension) {
                case .new, .reactivation, .expansion: #expect(entry.amount > 0, "seed \(seed)")
                case .contraction, .churned: #expect(entry.amount < 0, "seed \(seed)")
                case .moved: #expect(entry.amount != 0, "seed \(seed)")
                case nil: Issue.record("no such movement: \(entry.dimension)")
                }
            }
            for day in Set(revenue.map(\.day)) {
                let moved = revenue.filter { $0.day == day && $0.dimension == MovementClass.moved.rawValue }
                for currency in Set(moved.map(\.cell.currency)) {
                    #expect(moved.filter { $0.cell.currency == currency }.map(\.amount).boundedSum == 0, "seed \(seed)")
                }
            }
        }
    }

    @Test("none counts before what it follows from has happened, and movements not after their day", arguments: zones)
    func visible(zone name: String) throws {
        let calendar = Days(in: try TimeZone.named(name))
        for seed in Self.seeds {
            let periods = RandomCustomer(seed: seed).periods
            let moments = Set(periods.flatMap { [$0.access.startsAt, $0.access.endsAt].compactMap { $0 } })
            for entry in CustomerMetrics(periods, in: calendar.zone).entries {
                switch entry.measure {
                case .mrr, .subscriber:
                    #expect(BusinessDay(entry.effectiveAt, in: calendar.zone) == entry.day, "seed \(seed)")
                    #expect(moments.contains(entry.effectiveAt), "seed \(seed)")
                case .lost: #expect(entry.effectiveAt > entry.day.start(in: calendar.zone), "seed \(seed)")
                case .trial, .trialConverted, .trialAbandoned, .started, .retained:
                    #expect(moments.contains(entry.effectiveAt), "seed \(seed)")
                case .holder, .access: Issue.record("what a customer may use is told elsewhere")
                case .chargeFailed: Issue.record("no stretch of access tells of a charge that failed")
                }
            }
        }
    }
}

/// The days of four months around a change of the clocks, from well before any period to well after.
private struct Days {
    let zone: TimeZone
    let all: [BusinessDay]
    private let ends: [BusinessDay: Date]

    init(in zone: TimeZone) {
        self.zone = zone
        let first = BusinessDay(.day(-40), in: zone)
        all = (0..<260).map { first.advanced(by: $0) }
        ends = Dictionary(uniqueKeysWithValues: all.map { ($0, $0.end(in: zone)) })
    }

    func end(of day: BusinessDay) -> Date { ends[day] ?? day.end(in: zone) }

    func any(using random: inout SplitMix64) -> BusinessDay {
        all.randomElement(using: &random) ?? all[0]
    }
}

/// What the definitions say, word by word; nothing is clever here.
private struct SlowReading {
    struct Place: Hashable {
        var measure: MetricsEntry.Measure
        var day: BusinessDay
        var dimension: Int
        var cell: MetricsCell

        init(_ measure: MetricsEntry.Measure, _ day: BusinessDay, _ dimension: Int, _ cell: MetricsCell) {
            (self.measure, self.day, self.dimension, self.cell) = (measure, day, dimension, cell)
        }
    }

    struct Metric: Hashable {
        var amount: Int64 = 0
        var count = 0
    }

    var metrics: [Place: Metric] = [:]

    init(of periods: [MetricsPeriod], _ calendar: Days) {
        let snapshots = calendar.all.map { Self.snapshot(periods, at: calendar.end(of: $0)) }
        move(snapshots, calendar)
        lose(snapshots, calendar)
        for subscription in Set(periods.map(\.subscription)) {
            tryOut(periods.filter { $0.subscription == subscription }, calendar)
            keep(periods.filter { $0.subscription == subscription }, calendar)
        }
    }

    /// What she has just before a moment: what is over at that very moment still counts, what begins then does not yet.
    static func snapshot(
        _ periods: [MetricsPeriod],
        at end: Date
    ) -> (monthly: [MetricsCell: Int64], cell: MetricsCell?) {
        let running = periods.filter {
            $0.access.isPaid && $0.access.startsAt < end && ($0.access.endsAt ?? .distantFuture) >= end
        }
        var monthly: [MetricsCell: Int64] = [:]
        for period in running where period.monthly > 0 { monthly[period.cell, default: 0] += period.monthly }
        let deciding = running.sorted {
            let (left, right) = ($0.access.endsAt ?? .distantFuture, $1.access.endsAt ?? .distantFuture)
            if $0.planRank != $1.planRank { return $0.planRank > $1.planRank }
            return left != right ? left > right : $0.access.transactionID < $1.access.transactionID
        }
        return (monthly, deciding.first?.cell)
    }

    private mutating func move(
        _ snapshots: [(monthly: [MetricsCell: Int64], cell: MetricsCell?)],
        _ calendar: Days
    ) {
        for index in 1..<snapshots.count {
            let (before, after, day) = (snapshots[index - 1], snapshots[index], calendar.all[index])
            let hadEver = snapshots[..<index].contains { $0.cell != nil }
            let cells = Set(before.monthly.keys).union(after.monthly.keys).sorted {
                ($0.product.uuidString, $0.country) < ($1.product.uuidString, $1.country)
            }
            for currency in Set(cells.map(\.currency)) {
                let own = cells.filter { $0.currency == currency }.map { cell in
                    (cell, after.monthly[cell, default: 0] - before.monthly[cell, default: 0])
                }
                guard before.cell != nil, after.cell != nil else {
                    for (cell, delta) in own {
                        let dimension = after.cell == nil ? 4 : hadEver ? 1 : 0
                        metrics[Place(.mrr, day, dimension, cell), default: .init()].amount += delta
                    }
                    continue
                }
                // Minor unit by minor unit: what one cell loses goes to the first that gains.
                var (gains, losses) = (own.filter { $0.1 > 0 }, own.filter { $0.1 < 0 })
                while !gains.isEmpty, !losses.isEmpty {
                    let part = min(gains[0].1, -losses[0].1)
                    metrics[Place(.mrr, day, 5, gains[0].0), default: .init()].amount += part
                    metrics[Place(.mrr, day, 5, losses[0].0), default: .init()].amount -= part
                    gains[0].1 -= part
                    losses[0].1 += part
                    gains.removeAll { $0.1 == 0 }
                    losses.removeAll { $0.1 == 0 }
                }
                for (cell, delta) in gains { metrics[Place(.mrr, day, 2, cell), default: .init()].amount += delta }
                for (cell, delta) in losses { metrics[Place(.mrr, day, 3, cell), default: .init()].amount += delta }
            }
            guard before.cell != after.cell else { continue }
            let dimension = before.cell == nil ? (hadEver ? 1 : 0) : after.cell == nil ? 4 : 5
            if let cell = before.cell { metrics[Place(.subscriber, day, dimension, cell), default: .init()].count -= 1 }
            if let cell = after.cell { metrics[Place(.subscriber, day, dimension, cell), default: .init()].count += 1 }
        }
    }

    private mutating func lose(
        _ snapshots: [(monthly: [MetricsCell: Int64], cell: MetricsCell?)],
        _ calendar: Days
    ) {
        let cells = Dictionary(uniqueKeysWithValues: zip(calendar.all, snapshots.map(\.cell)))
        for (dimension, grain) in [(1, ReportingPeriod.Grain.day), (2, .week), (3, .month)] {
            for period in Set(calendar.all.map({ ReportingPeriod(grain, containing: $0) })) {
                let before = cells[period.first.advanced(by: -1)] ?? nil
                guard let before, let after = cells[period.last], after == nil else { continue }
                metrics[Place(.lost, period.first, dimension, before), default: .init()].count += 1
            }
        }
    }

    private mutating func keep(_ subscription: [MetricsPeriod], _ calendar: Days) {
        let paid = subscription.filter(\.access.isPaid)
        guard let first = paid.min(by: { $0.access.startsAt < $1.access.startsAt }) else { return }
        let day = BusinessDay(first.access.startsAt, in: calendar.zone)
        metrics[Place(.started, day, 0, first.cell), default: .init()].count += 1
        for number in 0..<Set(paid.map(\.access.transactionID)).count {
            metrics[Place(.retained, day, number, first.cell), default: .init()].count += 1
        }
    }

    private mutating func tryOut(_ subscription: [MetricsPeriod], _ calendar: Days) {
        for trial in Set(
            subscription.filter { $0.access.isTrial && !$0.access.isFamilyShared }.map(\.access.transactionID)
        ) {
            let stretches = subscription.filter { $0.access.transactionID == trial }
            guard let first = stretches.min(by: { $0.access.startsAt < $1.access.startsAt }) else { continue }
            let day = BusinessDay(first.access.startsAt, in: calendar.zone)
            let end = stretches.map { $0.access.endsAt ?? .distantFuture }.max() ?? .distantFuture
            let isPaid = subscription.contains {
                $0.access.isPaid && $0.access.startsAt >= first.access.startsAt
                    && $0.access.startsAt.timeIntervalSince(end) <= 30 * 86_400
            }
            metrics[Place(.trial, day, 0, first.cell), default: .init()].count += 1
            // In the end every trial is one or the other, unless it never ends.
            guard isPaid || stretches.allSatisfy({ $0.access.endsAt != nil }) else { continue }
            let outcome: MetricsEntry.Measure = isPaid ? .trialConverted : .trialAbandoned
            metrics[Place(outcome, day, 0, first.cell), default: .init()].count += 1
        }
    }
}

/// A customer with up to three subscriptions, whose periods follow each other, with gaps, upgrades and trials. A seed
/// names one.
private struct RandomCustomer {
    private(set) var periods: [MetricsPeriod] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for subscription in 1...UInt8.random(in: 1...3, using: &random) {
            // Half of the moments are on the clocks' midnight of one of the zones or of UTC.
            var day = Double.random(in: 0...60, using: &random)
            var isFirst = true
            for number in 1...Int.random(in: 1...6, using: &random) {
                if random.happens(50) { day = (day * 24).rounded() / 24 }
                if random.happens(30) { day += Double.random(in: 0...20, using: &random) }
                let length = random.happens(20) ? 0.2 : Double.random(in: 1...12, using: &random)
                let isEndless = random.happens(2)
                let product = UInt8.random(in: 1...4, using: &random)
                periods.append(
                    .held(
                        "\(subscription)-\(number)",
                        from: day,
                        to: isEndless ? nil : day + length,
                        for: [1_000, 1_800, 9_999, 0].randomElement(using: &random) ?? 0,
                        in: .named(random.happens(80) ? "CNY" : "USD"),
                        product: product,
                        rank: Int(product) / 2,
                        country: random.happens(90) ? "CHN" : "TUR",
                        length: [BillingPeriod(1, .month), BillingPeriod(1, .week), BillingPeriod(1, .year), nil][
                            Int(product) - 1
                        ],
                        subscription: subscription,
                        trial: isFirst && random.happens(40),
                        family: random.happens(5)
                    )
                )
                if isEndless { break }
                day += length
                isFirst = false
            }
        }
    }
}
