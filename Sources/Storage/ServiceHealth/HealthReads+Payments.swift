package import Billing
package import Foundation
import Postgres

extension HealthReads {
    /// The metrics of the service, for the page and the API.
    package func metrics(_ span: HealthSpan, in zone: TimeZone, app: App.ID) async throws -> ServiceMetrics {
        let today = BusinessDay(reader.now, in: zone)
        async let counts = counts(span, in: zone, app: app)
        async let failed = failedNotifications(app: app)
        async let payments = payments(from: today.advanced(by: 1 - span.days), through: today, app: app)
        return ServiceMetrics(counts: try await counts, payments: try await payments, failedNow: try await failed)
    }

    /// The charges that the store tried, by business day; each day between has a count.
    package func payments(
        from first: BusinessDay,
        through last: BusinessDay,
        app: App.ID
    ) async throws -> [PaymentCount] {
        let conditions: Query = """
            app_id = \(app) AND measure IN ('charge', 'charge_failed') AND environment = 'production'
            AND day BETWEEN \(first) AND \(last)
            """
        let rows = try await reader.query(
            """
            SELECT day, coalesce(sum(count) FILTER (WHERE measure = 'charge'), 0)::bigint,
                coalesce(sum(count) FILTER (WHERE measure = 'charge_failed'), 0)::bigint
            FROM (
                SELECT day, measure, count FROM rollups WHERE \(conditions)
                UNION ALL
                SELECT day, measure, count FROM rollup_entries WHERE \(conditions) AND effective_at <= \(reader.now)
            ) cells
            GROUP BY day
            """
        )
        var counts: [BusinessDay: PaymentCount] = [:]
        for row in rows {
            let (day, charged, failed) = try row.decode(BusinessDay.self, Int64.self, Int64.self)
            counts[day] = PaymentCount(day: day, charged: charged, failed: failed)
        }
        return (first.number...last.number).map { number in
            let day = BusinessDay(number: number)
            return counts[day] ?? PaymentCount(day: day)
        }
    }
}

extension HealthSpan {
    /// The number of its business days; 24 hours touch two.
    fileprivate var days: Int {
        switch self {
        case .day: 2
        case .week: 7
        case .month: 30
        }
    }
}
