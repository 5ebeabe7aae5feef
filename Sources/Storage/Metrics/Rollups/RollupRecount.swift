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
    /// True if it only asks whether anything differs, not when what is missing was known: that takes a fifth of the time. What it finds to
    /// differ is not to be kept.
    package var comparesSumsAlone = false
    /// True if it is also asked whose access is stored otherwise than events tell it.
    package var findsMisplaced = false

    init(transaction: WriteTransaction) {
        self.transaction = transaction
    }

    /// Notes what the metrics of an app say: their cells, what waits to be added, and what is known to be missing.
    package func begin(_ app: App.ID) async throws {
        let entry: Query = """
            app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at
            """
        try await transaction.pipeline([
            "INSERT INTO rollups SELECT * FROM public.rollups WHERE app_id = \(app)",
            "INSERT INTO rollup_months SELECT * FROM public.rollup_months WHERE app_id = \(app)",
            "INSERT INTO rollup_days SELECT * FROM public.rollup_days WHERE app_id = \(app)",
            "INSERT INTO rollup_entries (\(entry)) SELECT \(entry) FROM public.rollup_entries WHERE app_id = \(app)",
        ])
        try await transaction.rollups.foldAll()
        try await transaction.pipeline([
            // Months that wait to be converted are not wrong.
            "SELECT convert_months(app_id, min(month), max(month)) FROM months_to_convert WHERE app_id = \(app) GROUP BY app_id",
            "CREATE TEMPORARY TABLE told ON COMMIT DROP AS \(Self.toldSums)",
            """
            INSERT INTO told
            SELECT level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, effective_at, amount,
                count, NULL
            FROM rollup_corrections
            WHERE app_id = \(app) AND level <> 'customer'
            """,
            "TRUNCATE rollups, rollup_months, rollup_days, rollup_entries",
            "CREATE TEMPORARY TABLE people ON COMMIT DROP AS SELECT id FROM customers WHERE app_id = \(app) ORDER BY id",
            "CREATE UNIQUE INDEX ON people (id)",
            """
            CREATE TEMPORARY TABLE told_measures ON COMMIT DROP AS
            SELECT DISTINCT measure FROM subscriber_entries WHERE app_id = \(app)
            """,
            """
            CREATE TEMPORARY TABLE made (
                measure text, environment text, day date, dimension smallint, product_id uuid, country text, currency text,
                recorded_on date, effective_at timestamptz, amount bigint, count bigint
            ) ON COMMIT DROP
            """,
            "CREATE TEMPORARY TABLE made_sums (LIKE made) ON COMMIT DROP",
            "CREATE TEMPORARY TABLE made_rows (LIKE made) ON COMMIT DROP",
            "ALTER TABLE made_rows ADD COLUMN customer_id uuid",
            """
            CREATE TEMPORARY TABLE wrong (
                place text, level text, measure text, environment text, day date, dimension smallint, product_id uuid, country text,
                store text, currency text, recorded_on date, customer_id uuid, effective_at timestamptz, amount bigint, count bigint
            ) ON COMMIT DROP
            """,
            // Nobody gathers statistics of temporary tables by themselves, and of the others perhaps not since they were filled: each
            // row of a piece is looked up by its key, whatever is believed of them.
            "ANALYZE told, people",
            "SET LOCAL enable_seqscan = off",
            "SET LOCAL plan_cache_mode = force_custom_plan",
            "SET LOCAL work_mem = '64MB'",
        ])
    }

    /// The number of sums that say something else than when they are made again.
    package func differences(_ app: App.ID) async throws -> Int {
        try await transaction.pipeline(
            [
                "SET LOCAL enable_seqscan = on",
                // The years that changed.
                """
                INSERT INTO made
                SELECT measure, environment, day, dimension, product_id, country, currency, recorded_on, effective_at, amount, count
                FROM rollup_entries
                """,
            ] + Self.sums + [
                "CREATE TEMPORARY TABLE cells ON COMMIT DROP AS \(cells)",
                "ANALYZE cells",
                madeMonths(app),
                "INSERT INTO wrong \(wrong)",
                "INSERT INTO wrong \(Self.wrongMonths)",
                "INSERT INTO wrong \(Self.wrongDays)",
                "INSERT INTO wrong \(Self.wrongConversions)",
            ]
        )
        let rows = try await transaction.query("SELECT count(DISTINCT place) FROM wrong")
        return try rows.first?.decode(0, as: Int.self) ?? 0
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
    private static let toldSums: Query = """
        SELECT 'cell' AS level, measure, environment, day, dimension, product_id, country, '' AS store, currency, recorded_on,
            '-infinity'::timestamptz AS effective_at, amount, count, 0::numeric AS converted
        FROM rollups
        UNION ALL
        SELECT 'entry', measure, environment, day, dimension, product_id, country, '', currency, recorded_on, effective_at, amount,
            count, 0
        FROM rollup_entries
        UNION ALL
        SELECT 'month', measure, environment, month, dimension, product_id, country, '', currency, recorded_month, '-infinity', amount,
            count, converted
        FROM rollup_months
        UNION ALL
        SELECT 'day', measure, environment, day, dimension, NULL, '', store, currency, recorded_month, '-infinity', amount, count, 0
        FROM rollup_days
        """

    /// The result: the cells, and the entries that wait for their moment.
    private var cells: Query {
        """
        SELECT CASE WHEN effective_at = '-infinity' THEN 'cell' ELSE 'entry' END AS level, measure, environment, day, dimension,
            product_id, country, currency, recorded_on, effective_at, sum(amount)::bigint AS amount, sum(count)::bigint AS count
        FROM (
            SELECT measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count,
                CASE WHEN effective_at <= \(transaction.now) THEN '-infinity' ELSE effective_at END AS effective_at
            FROM made_sums
        ) placed
        GROUP BY measure, environment, day, dimension, product_id, country, currency, recorded_on, effective_at
        HAVING sum(amount) <> 0 OR sum(count) <> 0
        """
    }

    /// Adds up the made cells by the month, converted.
    private func madeMonths(_ app: App.ID) -> Query {
        """
        WITH rates AS MATERIALIZED (
            SELECT day, currency, cross_rate(currency, (SELECT reporting_currency FROM apps WHERE id = \(app)), day) AS rate
            FROM (SELECT DISTINCT day, currency FROM cells WHERE level = 'cell' AND is_converted_by_day(measure)) days
        ), priced AS (
            SELECT \(app) AS app_id, cells.*, rate FROM cells LEFT JOIN rates USING (day, currency) WHERE level = 'cell'
        )
        INSERT INTO rollup_months
            (app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month, amount, count, converted)
        \(RollupWrites.byMonth("priced", """
            , coalesce(sum(amount * rate) FILTER (WHERE is_converted_by_day(measure)), 0) AS converted
            """))
        """
    }

    /// The measures that are compared on each day on which they became known, too.
    private static let isComparedByKnownDay: Query = """
        measure IN ('charge', 'free_order', 'refund', 'upgrade_credit', 'refunded_charge', 'order_by_hour', 'refund_by_hour')
        """

    /// The difference of each cell; `place` is the same for those that are compared together.
    private var wrong: Query {
        let known: Query =
            comparesSumsAlone
            ? "CASE WHEN \(Self.isComparedByKnownDay) THEN recorded_on ELSE '-infinity' END" : "recorded_on"
        return """
            SELECT place, level, measure, environment, day, dimension, product_id, country, '', currency, recorded_on, NULL, effective_at,
                amount, count
            FROM (
                SELECT *, sum(amount) OVER places AS amounts, sum(count) OVER places AS counts
                FROM (
                    SELECT *, ROW('cell', measure, environment, day, dimension, product_id, country, currency,
                        CASE WHEN \(Self.isComparedByKnownDay) THEN recorded_on END)::text AS place
                    FROM (
                        SELECT level, measure, environment, day, dimension, product_id, country, currency, recorded_on, effective_at,
                            sum(amount)::bigint AS amount, sum(count)::bigint AS count
                        FROM (
                            SELECT level, measure, environment, day, dimension, product_id, country, currency, \(known) AS recorded_on,
                                effective_at, amount, count
                            FROM cells
                            UNION ALL
                            SELECT level, measure, environment, day, dimension, product_id, country, currency, \(known), effective_at, -amount,
                                -count
                            FROM told
                            WHERE level IN ('cell', 'entry')
                        ) compared
                        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
                        HAVING sum(amount) <> 0 OR sum(count) <> 0
                    ) rows
                ) placed
                WINDOW places AS (PARTITION BY place)
            ) summed
            WHERE amounts <> 0 OR counts <> 0
            """
    }

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
