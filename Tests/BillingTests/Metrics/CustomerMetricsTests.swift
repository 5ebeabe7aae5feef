import Billing
import Foundation
import Testing

@Suite("what a customer adds to the metrics of subscriptions")
struct CustomerMetricsTests {
    @Test("a trial that is paid, renewed, and left: new on the day of the charge, churned on the day of the end")
    func life() throws {
        let entries = try metrics([
            .held("t1", from: 0, to: 7, for: 0, trial: true), .held("t2", from: 7, to: 37),
            .held("t3", from: 37, to: 67),
        ])
        #expect(
            entries == [
                "2025-01-01 trial 0: 0 x1 from 0", "2025-01-01 trial_converted 0: 0 x1 from 7",
                "2025-01-08 mrr 0: 1000 x0 from 7", "2025-01-08 retained 0: 0 x1 from 7",
                "2025-01-08 retained 1: 0 x1 from 37", "2025-01-08 started 0: 0 x1 from 7",
                "2025-01-08 subscriber 0: 0 x1 from 7",
                "2025-03-01 lost 3: 0 x1 from 90", "2025-03-03 lost 2: 0 x1 from 68",
                "2025-03-09 lost 1: 0 x1 from 68", "2025-03-09 mrr 4: -1000 x0 from 67",
                "2025-03-09 subscriber 4: 0 x-1 from 67",
            ]
        )
    }

    @Test("a trial that nobody pays is abandoned when it ends, and no longer once it is paid after all")
    func abandoned() throws {
        let trial = MetricsPeriod.held("t1", from: 0, to: 7, for: 0, trial: true)
        #expect(
            try metrics([trial]) == [
                "2025-01-01 trial 0: 0 x1 from 0", "2025-01-01 trial_abandoned 0: 0 x1 from 7",
            ]
        )
        let late = try metrics([trial, .held("t2", from: 9, to: 39)]).filter { $0.contains("trial") }
        #expect(
            late == [
                "2025-01-01 trial 0: 0 x1 from 0", "2025-01-01 trial_abandoned 0: 0 x-1 from 9",
                "2025-01-01 trial_abandoned 0: 0 x1 from 7", "2025-01-01 trial_converted 0: 0 x1 from 9",
            ]
        )
    }

    @Test("a trial that is paid for long after its end stays abandoned: that is a purchase of its own")
    func paidTooLate() throws {
        let trial = MetricsPeriod.held("t1", from: 0, to: 7, for: 0, trial: true)
        func trials(paidOn day: Double, within days: Int) throws -> [String] {
            let periods = [trial, .held("t2", from: day, to: day + 30)]
            return try metrics(periods, trialConversionDays: days).filter { $0.contains("trial_") }
        }
        let abandoned = ["2025-01-01 trial_abandoned 0: 0 x1 from 7"]
        #expect(try trials(paidOn: 37.1, within: 30) == abandoned)
        #expect(try trials(paidOn: 37, within: 30).contains("2025-01-01 trial_converted 0: 0 x1 from 37"))
        #expect(try trials(paidOn: 9, within: 0) == abandoned)
    }

    @Test("an upgrade moves what was paid before to the other product, and expands that by the rest")
    func upgrade() throws {
        let entries = try metrics([.held("t1", from: 0, to: 10), .held("t2", from: 10, to: 40, for: 3_000, product: 2)])
        #expect(
            entries.filter { $0.hasPrefix("2025-01-11") } == [
                "2025-01-11 mrr 2: 2000 x0 from 10", "2025-01-11 mrr 5: -1000 x0 from 10",
                "2025-01-11 mrr 5: 1000 x0 from 10", "2025-01-11 subscriber 5: 0 x-1 from 10",
                "2025-01-11 subscriber 5: 0 x1 from 10",
            ]
        )
    }

    @Test("who comes back is reactivated; who pays less has contracted")
    func comings() throws {
        let entries = try metrics([
            .held("t1", from: 0, to: 30), .held("t2", from: 60, to: 90), .held("t3", from: 90, to: 120, for: 400),
        ])
        #expect(
            entries.filter { $0.contains("mrr") } == [
                "2025-01-01 mrr 0: 1000 x0 from 0", "2025-01-31 mrr 4: -1000 x0 from 30",
                "2025-03-02 mrr 1: 1000 x0 from 60", "2025-04-01 mrr 3: -600 x0 from 90",
                "2025-05-01 mrr 4: -400 x0 from 120",
            ]
        )
    }

    @Test("what is bought for good counts as a subscriber and adds no monthly revenue; what family shares adds neither")
    func withoutRevenue() throws {
        #expect(
            try metrics([.held("t1", from: 0, to: nil, length: nil)]) == [
                "2025-01-01 retained 0: 0 x1 from 0", "2025-01-01 started 0: 0 x1 from 0",
                "2025-01-01 subscriber 0: 0 x1 from 0",
            ]
        )
        #expect(try metrics([.held("t1", from: 0, to: 30, family: true)]).isEmpty)
    }

    @Test("paid access that begins and ends within a day has been at the end of none")
    func withinADay() throws {
        #expect(
            try metrics([.held("t1", from: 0.1, to: 0.5)]).filter {
                !$0.contains("retained") && !$0.contains("started")
            }.isEmpty
        )
    }

    @Test("what was given back in full ends retention from then on: that period and all after it, and none before")
    func retention() throws {
        var refunded = MetricsPeriod.held("t2", from: 30, to: 60)
        refunded.access.refundedAt = .day(65)
        let entries = try metrics([
            .held("t1", from: 0, to: 20), .held("t1", from: 25, to: 30), refunded, .held("t3", from: 60, to: 90),
            .held("t4", from: 90, to: 120),
        ]).filter { $0.contains("retained") || $0.contains("started") }
        #expect(
            entries == [
                "2025-01-01 retained 0: 0 x1 from 0", "2025-01-01 retained 1: 0 x-1 from 65",
                "2025-01-01 retained 1: 0 x1 from 30", "2025-01-01 retained 2: 0 x-1 from 65",
                "2025-01-01 retained 2: 0 x1 from 60", "2025-01-01 started 0: 0 x1 from 0",
            ]
        )
    }

    @Test("what is known later is written as the difference, and nothing where nothing changed")
    func difference() throws {
        let zone = try TimeZone.named("UTC")
        let before = CustomerMetrics([.held("t1", from: 0, to: 30)], in: zone).entries
        let after = CustomerMetrics([.held("t1", from: 0, to: 30), .held("t2", from: 30, to: 60)], in: zone).entries
        let change = MetricsEntry.difference(from: before, to: after)
        #expect(MetricsEntry.difference(from: after, to: after).isEmpty)
        #expect(MetricsEntry.difference(from: before + change, to: after).isEmpty)
        #expect(
            change.filter { $0.measure == .mrr }.map { "\($0.day.description) \($0.amount)" }.sorted() == [
                "2025-01-31 1000", "2025-03-02 -1000",
            ]
        )
    }

    /// "2025-01-01 mrr 0: 1000 x0 from 7": day, measure, step, amount, count, and the day from which it counts.
    private func metrics(_ periods: [MetricsPeriod], trialConversionDays: Int = 30) throws -> [String] {
        let zone = try TimeZone.named("UTC")
        return CustomerMetrics(periods, in: zone, trialConversionDays: trialConversionDays).entries.map { entry in
            let visible = Int((entry.effectiveAt.timeIntervalSince(.day(0)) / 86_400).rounded())
            let place = "\(entry.day.description) \(entry.measure.rawValue) \(entry.dimension)"
            return "\(place): \(entry.amount) x\(entry.count) from \(visible)"
        }.sorted()
    }
}

extension MetricsPeriod {
    /// A stretch of days of a monthly product, in yuan unless told otherwise.
    static func held(
        _ transactionID: String,
        from start: Double,
        to end: Double?,
        for price: Int64 = 1_000,
        in currency: Currency = .cny,
        product: UInt8 = 1,
        rank: Int = 1,
        country: String = "CHN",
        length: BillingPeriod? = BillingPeriod(1, .month),
        subscription: UInt8 = 1,
        trial: Bool = false,
        family: Bool = false
    ) -> MetricsPeriod {
        MetricsPeriod(
            subscription: Identifier(.numbered(subscription)),
            access: AccessPeriod(
                transactionID: transactionID,
                productID: "product.\(product)",
                startsAt: .day(start),
                endsAt: end.map { .day($0) },
                isTrial: trial,
                isFamilyShared: family,
                price: Money(minorUnits: price, currency: currency),
                storefront: country
            ),
            cell: MetricsCell(product: .numbered(product), country: country, currency: currency),
            planRank: rank,
            length: length
        )
    }
}

extension UUID {
    fileprivate static func numbered(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }
}
