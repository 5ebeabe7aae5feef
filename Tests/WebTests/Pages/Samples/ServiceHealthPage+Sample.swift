import Billing
import Desk
import Foundation
import HTTP
import Storage

extension ServiceHealthPage {
    static let sample = sample(in: .english)

    /// Returns the page of a day in which most went well: too many payments failed, and one route is slow.
    static func sample(in language: Language) -> ServiceHealthPage {
        ServiceHealthPage(
            metrics: metrics,
            view: HealthView(),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    /// The page of a new installation, as an analyst sees it.
    static let emptySample = ServiceHealthPage(
        metrics: ServiceMetrics(
            counts: HealthCounts(starts: HealthSpan.week.starts(until: Sample.now, in: zone)),
            payments: [],
            failedNow: 0
        ),
        view: HealthView(span: .week, order: .busiest),
        viewer: Sample.analyst,
        now: Sample.now
    )

    private static let zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt

    private static let metrics: ServiceMetrics = {
        var counts = HealthCounts(starts: HealthSpan.day.starts(until: Sample.now, in: zone))
        func count(
            _ measure: HealthMeasure,
            of detail: String = "",
            at hour: Int,
            _ make: (inout HealthTally) -> Void
        ) {
            var tally = HealthTally()
            make(&tally)
            let key = HealthCell.Key(hour: counts.starts[hour], measure: measure, detail: detail)
            counts.add(HealthCell(key: key, tally: tally))
        }
        for hour in [3, 4, 8, 20, 23] {
            count(.request, of: "GET /dashboard/orders", at: hour) { tally in
                for index in 1...20 { tally.add(seconds: 0.002 * Double(index), isGood: true) }
            }
            count(.request, of: "GET /dashboard/exports/ledger", at: hour) { $0.add(seconds: 0.75, isGood: hour != 8) }
            count(.synced, at: hour) { $0.add(seconds: 2.5, isGood: true) }
            count(.applied, at: hour) { $0.add(seconds: 0.04, isGood: true) }
            count(.queueAge, at: hour) { $0.add(sample: Double(hour)) }
            count(.failedNotifications, of: Sample.uuid(1).uuidString, at: hour) { $0.add(sample: hour > 8 ? 2 : 0) }
        }
        count(.signIn, at: 8) { tally in
            for index in 0..<40 { tally.add(isGood: index != 0) }
        }
        counts.writtenAt = Sample.now.addingTimeInterval(-4)
        let today = BusinessDay(Sample.now, in: zone)
        return ServiceMetrics(
            counts: counts,
            payments: [
                PaymentCount(day: today.advanced(by: -1), charged: 30, failed: 3),
                PaymentCount(day: today, charged: 5, failed: 1),
            ],
            failedNow: 2
        )
    }()
}
