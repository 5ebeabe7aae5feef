package import Billing
import Foundation
import Postgres

extension MetricsReads {
    /// A snapshot of an app's customers: how many there are, pay, and hold which plan.
    package func customerSnapshot(app: App.ID) async throws -> CustomerSnapshot {
        async let plans = reader.query("SELECT id, code, rank FROM plans WHERE app_id = \(app) ORDER BY rank")
        let cells = MetricsCells(
            app: app,
            measures: ["seen", "converted", "holder", "access", "subscriber"],
            filter: MetricsFilter(),
            days: .months,
            parts: .products
        )
        let rows = try await reader.queryAddingUp(
            """
            SELECT measure, dimension, coalesce(p.plan_id, product_id), sum(count)::bigint
            FROM (\(cells.query(now: reader.now))) cells
            LEFT JOIN products p ON p.id = product_id
            GROUP BY 1, 2, 3
            """
        )
        var snapshot = CustomerSnapshot()
        var holders: [UUID: Int64] = [:]
        for row in rows {
            let (measure, dimension, plan, count) = try row.decode(String.self, Int.self, UUID.self, Int64.self)
            switch (measure, dimension) {
            case ("seen", _): snapshot.customers += count
            case ("converted", _): snapshot.payers += count
            case ("subscriber", _): snapshot.subscribers += count
            case ("holder", 1): snapshot.trials += count
            case ("holder", _): holders[plan, default: 0] += count
            case ("access", AccessMovement.lost.rawValue): snapshot.expired += count
            case ("access", AccessMovement.regained.rawValue): snapshot.expired -= count
            default: break
            }
        }
        snapshot.plans = try await plans.map { row in
            let (id, code, rank) = try row.decode(UUID.self, String.self, Int.self)
            return CustomerSnapshot.PlanCount(plan: code, rank: rank, customers: holders[id] ?? 0)
        }
        return snapshot
    }

    /// The metrics at the end of each of the days, of the last one until now; recurring revenue in one currency, at the rate of the last
    /// day: a rate that moves is no movement of the business (metrics.md, "Subscriptions").
    package func daily(
        from first: BusinessDay,
        through last: BusinessDay,
        in currency: Currency,
        app: App.ID
    ) async throws -> DailySnapshot {
        let parts = MetricsCells(
            app: app,
            measures: ["mrr", "subscriber", "holder"],
            filter: MetricsFilter(),
            through: last,
            days: .since(first)
        )
        let rows = try await reader.queryAddingUp(
            """
            WITH cells AS MATERIALIZED (
                SELECT greatest(day, \(first)) AS day,
                    CASE measure WHEN 'holder' THEN 'trial' ELSE measure END AS measure, dimension, currency,
                    sum(amount) AS amount, sum(count) AS count
                FROM (\(parts.query(now: reader.now))) parts
                WHERE measure <> 'holder' OR dimension = 1
                GROUP BY 1, 2, 3, 4
            ), stood AS (
                SELECT d.day, measure, dimension, currency, sum(amount) AS amount, sum(count) AS count
                FROM (SELECT \(first)::date + number AS day FROM generate_series(0, \(last)::date - \(first)::date) number) d
                JOIN cells ON cells.day <= d.day
                GROUP BY 1, 2, 3, 4
            ), rates AS (
                \(Self.rates(
                    of: "SELECT DISTINCT \(last)::date AS day, currency FROM stood WHERE measure = 'mrr' AND amount <> 0",
                    in: currency
                ))
            )
            SELECT day, measure, coalesce(sum(amount), 0)::bigint, sum(count)::bigint,
                (SELECT array_agg(DISTINCT currency) FROM rates WHERE times / divided IS NULL)
            FROM (
                -- Rounded once for each kind of movement, as where the movements are shown.
                SELECT stood.day, measure, dimension, round(sum(stood.amount * (times / divided))) AS amount, sum(count) AS count
                FROM stood
                LEFT JOIN rates USING (currency)
                GROUP BY 1, 2, 3
            ) kinds
            GROUP BY 1, 2
            """
        )
        var sums: [String: [BusinessDay: (amount: Int64, count: Int64)]] = [:]
        var missing: Set<String> = []
        for row in rows {
            let (day, measure, amount, count, codes) = try row.decode(
                BusinessDay.self,
                String.self,
                Int64.self,
                Int64.self,
                [String]?.self
            )
            sums[measure, default: [:]][day] = (amount, count)
            missing.formUnion(codes ?? [])
        }
        let days = (first.number...last.number).map(BusinessDay.init(number:))
        let lacking = try missing.sorted().map { try Currency(stored: $0) }
        let today = MetricsQuery(filter: MetricsFilter(), from: last, through: last, grain: .day)
        return DailySnapshot(
            recurring: days.map { sums["mrr"]?[$0]?.amount ?? 0 },
            subscribers: days.map { sums["subscriber"]?[$0]?.count ?? 0 },
            trials: days.map { sums["trial"]?[$0]?.count ?? 0 },
            unconverted: lacking.isEmpty ? [] : try await ends(of: today, in: lacking, app: app)
        )
    }
}
