package import Billing
import Postgres

extension WriteTransaction {
    package var recount: RollupRecount { RollupRecount(transaction: self) }
}

/// Compares an app's metrics with what they are when they are made again (`Database.recount`).
///
/// Numbers of customers and subscriptions are compared whenever they became known: of a subscription that was moved, those made
/// again know only whose it is now, and of a grant only how it stands.
package struct RollupRecount: Sendable {
    let transaction: WriteTransaction

    /// Notes what the metrics of an app say: their cells, what waits to be added, and what is known to be missing.
    package func begin(_ app: App.ID) async throws {
        let entry: Query = """
            app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at
            """
        try await transaction.pipeline([
            "INSERT INTO rollups SELECT * FROM public.rollups WHERE app_id = \(app)",
            "INSERT INTO rollup_months SELECT * FROM public.rollup_months WHERE app_id = \(app)",
            "INSERT INTO rollup_days SELECT * FROM public.rollup_days WHERE app_id = \(app)",
            "INSERT INTO subscriber_entries SELECT * FROM public.subscriber_entries WHERE app_id = \(app)",
            "INSERT INTO rollup_entries (\(entry)) SELECT \(entry) FROM public.rollup_entries WHERE app_id = \(app)",
        ])
        try await transaction.rollups.foldAll()
        try await transaction.pipeline([
            "CREATE TEMPORARY TABLE told ON COMMIT DROP AS SELECT * FROM (\(Self.sums)) sums",
            """
            INSERT INTO told
            SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
                effective_at, amount, count, 0
            FROM rollup_corrections
            WHERE app_id = \(app)
            """,
            "TRUNCATE rollups, rollup_months, rollup_days, rollup_entries, subscriber_entries",
        ])
    }

    /// The number of sums that say something else than when they are made again.
    package func differences() async throws -> Int {
        try await transaction.query("CREATE TEMPORARY TABLE wrong ON COMMIT DROP AS \(Self.wrong)")
        let rows = try await transaction.query("SELECT count(DISTINCT place) FROM wrong")
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }

    /// The customers whose stretches of access, or the changes of what they may use, are others when they are made again.
    package func misplacedCustomers(of app: App.ID) async throws -> [Customer.ID] {
        func differing(_ table: Query, _ columns: Query) -> Query {
            let told: Query = "SELECT \(columns) FROM public.\(table) WHERE app_id = \(app) AND retired_at IS NULL"
            let made: Query = "SELECT \(columns) FROM \(table) WHERE retired_at IS NULL"
            return "(\(told) EXCEPT ALL \(made)) UNION ALL (\(made) EXCEPT ALL \(told))"
        }
        let periods = differing(
            "access_periods",
            """
            customer_id, subscription_id, transaction_id, product_id, plan_rank, period_count, period_unit, starts_at, ends_at, is_trial,
            is_family_shared, price, currency, country, environment, ended_by, refunded_at
            """
        )
        let changes = differing(
            "access_changes",
            "customer_id, at, before_id, after_id, cause, country, currency, subscription_id, grant_id"
        )
        return try await transaction.query(
            """
            SELECT customer_id FROM (\(periods)) periods
            UNION
            SELECT customer_id FROM (\(changes)) changes
            ORDER BY 1
            """
        ).map { try $0.decode(0, as: Customer.ID.self) }
    }

    /// Keeps what is missing, to be added in pieces (`RollupWrites.correct`), and that the app is counted as it is defined now.
    package func keep(_ app: App.ID) async throws {
        try await transaction.pipeline([
            """
            INSERT INTO rollup_recounts AS r (app_id, turn, recounted_at) VALUES (\(app), 1, \(transaction.now))
            ON CONFLICT (app_id) DO UPDATE SET turn = r.turn + 1, recounted_at = excluded.recounted_at
            """,
            """
            INSERT INTO rollup_corrections
                (app_id, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
                 effective_at, amount, count)
            SELECT \(app), level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on,
                customer_id, effective_at, amount, count
            FROM wrong
            WHERE level <> 'entry'
            ORDER BY level, day, customer_id
            """,
            // What takes effect later is added like all that does.
            """
            INSERT INTO public.rollup_entries
                (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at)
            SELECT \(app), measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count,
                effective_at
            FROM wrong
            WHERE level = 'entry'
            """,
        ])
        try await transaction.rollups.noteVersion(app)
    }

    /// The tables' rows, each with the table that it is of.
    private static let sums: Query = """
        SELECT 'cell' AS level, measure, environment, day, dimension, product_id, country, '' AS store, currency, recorded_on,
            NULL::uuid AS customer_id, '-infinity'::timestamptz AS effective_at, amount, count, 0::numeric AS converted
        FROM rollups
        UNION ALL
        SELECT 'entry', measure, environment, day, dimension, product_id, country, '', currency, recorded_on, NULL, effective_at,
            amount, count, 0
        FROM rollup_entries
        UNION ALL
        SELECT 'customer', measure, 'production', day, dimension, product_id, country, '', currency, recorded_on, customer_id,
            effective_at, amount, count, 0
        FROM subscriber_entries
        UNION ALL
        SELECT 'month', measure, environment, month, dimension, product_id, country, '', currency, recorded_month, NULL, '-infinity',
            amount, count, converted
        FROM rollup_months
        UNION ALL
        SELECT 'day', measure, environment, day, dimension, NULL, '', store, currency, recorded_month, NULL, '-infinity', amount,
            count, 0
        FROM rollup_days
        """

    /// The difference of each row; `place` is the same for those that are compared together.
    private static let wrong: Query = """
        SELECT place, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
            effective_at, amount, count
        FROM (
            SELECT *, sum(amount) OVER places AS amounts, sum(count) OVER places AS counts, sum(converted) OVER places AS conversions
            FROM (
                SELECT *, ROW(replace(level, 'entry', 'cell'), measure, environment, day, dimension, product_id, country, store,
                    currency, customer_id, CASE WHEN measure IN ('charge', 'free_order', 'refund', 'upgrade_credit', 'refunded_charge',
                        'order_by_hour', 'refund_by_hour') THEN recorded_on END)::text AS place
                FROM (
                    SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
                        effective_at, sum(amount)::bigint AS amount, sum(count)::bigint AS count,
                        sum(round(converted * 1000)) AS converted
                    FROM (
                        SELECT * FROM (\(sums)) made
                        UNION ALL
                        SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on,
                            customer_id, effective_at, -amount, -count, -converted
                        FROM told
                    ) compared
                    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
                    HAVING sum(amount) <> 0 OR sum(count) <> 0 OR sum(round(converted * 1000)) <> 0
                ) rows
            ) placed
            WINDOW places AS (PARTITION BY place)
        ) summed
        WHERE amounts <> 0 OR counts <> 0 OR conversions <> 0
        """
}
