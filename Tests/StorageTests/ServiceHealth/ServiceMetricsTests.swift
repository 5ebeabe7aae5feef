import Billing
import Foundation
import Storage
import Testing

@Suite("Health metrics") struct ServiceMetricsTests {
    private static let hours = (0..<3).map { Date(timeIntervalSince1970: 1_795_312_800 + 3_600 * Double($0)) }

    @Test("a rate is of all tries, in hundredths of a percent, and nothing where there were none")
    func rates() {
        var counts = HealthCounts(starts: Self.hours)
        Self.count(&counts, .signIn, at: 0) { tally in
            for isLetIn in [true, true, false] { tally.add(isGood: isLetIn) }
        }
        Self.count(&counts, .signIn, at: 2) { $0.add(isGood: true) }
        let metrics = ServiceMetrics(counts: counts, payments: [], failedNow: 0)
        #expect(metrics.measurement(of: .signIns) == ServiceMetrics.Measurement(value: 7_500, count: 4, good: 3))
        #expect(metrics.history(.signIns).map(\.value) == [6_667, nil, 10_000])
        #expect(metrics.measurement(of: .payments).value == nil)
        #expect(!HealthMetric.signIns.target.isMet(by: 7_500) && !HealthMetric.signIns.target.isMet(by: 9_500))
        #expect(HealthMetric.signIns.target.isMet(by: 9_501))
    }

    @Test("payments are of all days, whatever hours there are")
    func payments() {
        let days = (0..<3).map { BusinessDay(number: 20_000 + $0) }
        let metrics = ServiceMetrics(
            counts: HealthCounts(starts: Self.hours),
            payments: [
                PaymentCount(day: days[0], charged: 8, failed: 2), PaymentCount(day: days[1]),
                PaymentCount(day: days[2], charged: 12),
            ],
            failedNow: 0
        )
        #expect(metrics.measurement(of: .payments) == ServiceMetrics.Measurement(value: 9_091, count: 22, good: 20))
        #expect(metrics.history(.payments).map(\.value) == [8_000, nil, 10_000])
    }

    @Test("times are the 95th percentile of everything counted, not a mean of the hours'")
    func times() throws {
        var counts = HealthCounts(starts: Self.hours)
        Self.count(&counts, .request, of: "GET /a", at: 0) { tally in
            for _ in 0..<99 { tally.add(seconds: 0.010, isGood: true) }
        }
        Self.count(&counts, .request, of: "POST /b/{id}", at: 1) { $0.add(seconds: 5, isGood: false) }
        let metrics = ServiceMetrics(counts: counts, payments: [], failedNow: 0)
        let all = try #require(metrics.measurement(of: .answers).value)
        #expect((9...11).contains(all))
        #expect(metrics.history(.answers).map { $0.value.map { $0 > 4_500 } } == [false, true, nil])
        let routes = metrics.routes(.slowest)
        #expect(routes.map(\.path) == ["/b/{id}", "/a"] && routes.map(\.method) == ["POST", "GET"])
        #expect(routes.map(\.faults) == [1, 0] && routes.map(\.isAboveTarget) == [true, false])
        #expect(metrics.routes(.busiest).map(\.path) == ["/a", "/b/{id}"])
    }

    @Test("failed notifications are those there are now, the queue's age the longest of the time")
    func gauges() {
        var counts = HealthCounts(starts: Self.hours)
        for (hour, age) in [(0, 3.0), (1, 75), (2, 0)] {
            Self.count(&counts, .queueAge, at: hour) { $0.add(sample: age) }
            Self.count(&counts, .failedNotifications, at: hour) { $0.add(sample: age) }
        }
        let metrics = ServiceMetrics(counts: counts, payments: [], failedNow: 1)
        #expect(metrics.measurement(of: .failed).value == 1)
        #expect(metrics.history(.failed).map(\.value) == [3, 75, 0])
        #expect(metrics.measurement(of: .queueAge).value == 75_000)
        #expect(!HealthMetric.queueAge.target.isMet(by: 75_000))
        #expect(HealthMetric.failed.target.isMet(by: 0) && !HealthMetric.failed.target.isMet(by: 1))
    }

    private static func count(
        _ counts: inout HealthCounts,
        _ measure: HealthMeasure,
        of detail: String = "",
        at hour: Int,
        _ make: (inout HealthTally) -> Void
    ) {
        var tally = HealthTally()
        make(&tally)
        counts.add(HealthCell(key: .init(hour: hours[hour], measure: measure, detail: detail), tally: tally))
    }
}
