import Billing
import Postgres

/// Orders whose amount is not known yet, which no sum of money has: each says how many it leaves out. A filter for a currency leaves
/// none of them.
extension MetricsReads {
    /// Those of some days.
    func unpriced(
        from: BusinessDay,
        through: BusinessDay,
        _ filter: MetricsFilter,
        app: App.ID
    ) async throws -> Int {
        try await unpriced("day BETWEEN \(from) AND \(through)", filter, app: app)
    }

    /// Those until now of the customers who were first seen on some days.
    func unpriced(
        ofCustomersFrom from: BusinessDay,
        through: BusinessDay,
        _ filter: MetricsFilter,
        app: App.ID
    ) async throws -> Int {
        try await unpriced("seen_on BETWEEN \(from) AND \(through)", filter, app: app)
    }

    /// Those that pay for a period that runs at the end of a day, or now where that is not over.
    func unpriced(runningOn day: BusinessDay, _ filter: MetricsFilter, app: App.ID) async throws -> Int {
        try await unpriced(
            """
            day <= \(day) AND NOT is_over
                AND ends_at > least((\(day)::date + 1)::timestamp AT TIME ZONE time_zone, \(reader.now))
            """,
            filter,
            app: app
        )
    }

    private func unpriced(_ condition: Query, _ filter: MetricsFilter, app: App.ID) async throws -> Int {
        try await reader.query(
            """
            SELECT count(*)
            FROM (
                SELECT o.product_id, coalesce(o.storefront, '') AS country, o.currency,
                    (o.purchased_at AT TIME ZONE a.time_zone)::date AS day,
                    o.period_ends_at AS ends_at, a.time_zone,
                    o.superseded_at IS NOT NULL OR o.refunded_at IS NOT NULL AS is_over,
                    (c.created_at AT TIME ZONE a.time_zone)::date AS seen_on,
                    (o.created_at AT TIME ZONE a.time_zone)::date AS recorded_on
                FROM orders o
                JOIN apps a ON a.id = o.app_id
                JOIN customers c ON c.id = o.customer_id
                WHERE o.app_id = \(app) AND o.amount IS NULL AND o.joined_into IS NULL
                    AND o.environment = \(filter.environment)
            ) sold
            WHERE \(condition)\(Self.conditions(of: filter, app: app))
            """
        ).first?.decode(0, as: Int.self) ?? 0
    }
}
