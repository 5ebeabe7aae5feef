package import Billing
import Postgres

extension WriteTransaction {
    package var recount: RollupRecount { RollupRecount(transaction: self) }
}

/// Compares an app's metrics with what they are when they are made again (`Database.recount`).
///
/// Numbers of customers and subscriptions are compared whenever they became known: of a subscription that was moved, those made
/// again know only whose it is now, and of a grant only how it stands. Months and days are compared with the sums of the cells as they
/// are to be, so that both say the same of every day on which something became known.
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
                effective_at, amount, count, NULL
            FROM rollup_corrections
            WHERE app_id = \(app)
            """,
            "TRUNCATE rollups, rollup_months, rollup_days, rollup_entries, subscriber_entries",
            // Nobody gathers statistics of temporary tables: a plan that was made while they were empty would read all of them for each
            // customer.
            "SET LOCAL enable_seqscan = off",
        ])
    }

    /// The number of sums that say something else than when they are made again.
    package func differences() async throws -> Int {
        try await transaction.pipeline([
            "SET LOCAL enable_seqscan = on",
            "CREATE TEMPORARY TABLE wrong ON COMMIT DROP AS \(Self.wrong)",
            "INSERT INTO wrong \(Self.wrongMonths)",
            "INSERT INTO wrong \(Self.wrongDays)",
            "INSERT INTO wrong \(Self.wrongConversions)",
        ])
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
            // An entry that takes effect later joins the other waiting entries.
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

    /// The measures that are compared on each day on which they became known, too.
    private static let isComparedByKnownDay: Query = """
        measure IN ('charge', 'free_order', 'refund', 'upgrade_credit', 'refunded_charge', 'order_by_hour', 'refund_by_hour')
        """

    /// The difference of each cell and each customer's row; `place` is the same for those that are compared together.
    private static let wrong: Query = """
        SELECT place, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
            effective_at, amount, count
        FROM (
            SELECT *, sum(amount) OVER places AS amounts, sum(count) OVER places AS counts
            FROM (
                SELECT *, ROW(replace(level, 'entry', 'cell'), measure, environment, day, dimension, product_id, country, store,
                    currency, customer_id, CASE WHEN \(isComparedByKnownDay) THEN recorded_on END)::text AS place
                FROM (
                    SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, customer_id,
                        effective_at, sum(amount)::bigint AS amount, sum(count)::bigint AS count
                    FROM (
                        SELECT * FROM (\(sums)) made
                        UNION ALL
                        SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on,
                            customer_id, effective_at, -amount, -count, -converted
                        FROM told
                    ) compared
                    WHERE level IN ('cell', 'entry', 'customer')
                    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
                    HAVING sum(amount) <> 0 OR sum(count) <> 0
                ) rows
            ) placed
            WINDOW places AS (PARTITION BY place)
        ) summed
        WHERE amounts <> 0 OR counts <> 0
        """

    /// The cells as they are once what is missing is added.
    private static let corrected: Query = """
        (
            SELECT NULL::uuid AS app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count
            FROM told
            WHERE level = 'cell'
            UNION ALL
            SELECT NULL, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count
            FROM wrong
            WHERE level = 'cell'
        )
        """

    /// The difference between the cells' sums by month and what the months say.
    private static let wrongMonths: Query = """
        SELECT ROW('month', measure, environment, month, dimension, product_id, country, currency, recorded_month)::text AS place, 'month',
            measure, environment, month, dimension, product_id, country, '', currency, recorded_month, NULL, '-infinity'::timestamptz,
            sum(amount)::bigint, sum(count)::bigint
        FROM (
            \(RollupWrites.byMonth("\(corrected) cells"))
            UNION ALL
            SELECT NULL, measure, environment, day, dimension, product_id, country, currency, recorded_on, -amount, -count
            FROM told
            WHERE level = 'month'
        ) compared
        GROUP BY measure, environment, month, dimension, product_id, country, currency, recorded_month
        HAVING sum(amount) <> 0 OR sum(count) <> 0
        """

    /// The difference between the cells' sums by day and store and what the days say.
    private static let wrongDays: Query = """
        SELECT ROW('day', measure, environment, day, dimension, store, currency, recorded_month)::text AS place, 'day', measure,
            environment, day, dimension, NULL, '', store, currency, recorded_month, NULL, '-infinity'::timestamptz, sum(amount)::bigint,
            sum(count)::bigint
        FROM (
            \(RollupWrites.byDay(corrected))
            UNION ALL
            SELECT NULL, measure, environment, day, dimension, store, currency, recorded_on, -amount, -count
            FROM told
            WHERE level = 'day'
        ) compared
        GROUP BY measure, environment, day, dimension, store, currency, recorded_month
        HAVING sum(amount) <> 0 OR sum(count) <> 0
        """

    /// The months that are converted to other amounts of the reporting currency; adding nothing to them has them converted again. Those
    /// to which something is to be added already are converted then.
    private static let wrongConversions: Query = """
        SELECT place, 'month', measure, environment, day, dimension, product_id, country, '', currency, recorded_on, NULL,
            '-infinity'::timestamptz, 0, 0
        FROM (
            SELECT *, sum(converted) OVER places AS conversions, bool_or(waits) OVER places AS is_waiting
            FROM (
                SELECT *, ROW('month', measure, environment, day, dimension, product_id, country, currency,
                    CASE WHEN \(isComparedByKnownDay) THEN recorded_on END)::text AS place
                FROM (
                    SELECT measure, environment, month AS day, dimension, product_id, country, currency, recorded_month AS recorded_on,
                        converted, false AS waits, false AS is_told
                    FROM rollup_months
                    UNION ALL
                    SELECT measure, environment, day, dimension, product_id, country, currency, recorded_on, -converted,
                        converted IS NULL, true
                    FROM told
                    WHERE level = 'month'
                ) compared
            ) placed
            WINDOW places AS (PARTITION BY place)
        ) summed
        WHERE abs(conversions) >= 0.001 AND NOT is_waiting AND is_told
        """
}
