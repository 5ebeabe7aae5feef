package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var rollups: RollupWrites { RollupWrites(transaction: self) }
}

/// Keeps the rollups, in which the ledger's entries are added up.
package struct RollupWrites: Sendable {
    let transaction: WriteTransaction

    /// Adds waiting entries into their cells and takes them away, but for those whose moment has not come. Where
    /// another server does so at this moment, nothing.
    ///
    /// - Returns: how many entries there were; fewer than `limit` when no more are waiting.
    package func fold(limit: Int = 5_000) async throws -> Int {
        guard try await isAddingAlone() else { return 0 }
        return try await foldEntries(limit: limit)
    }

    /// False while another server adds to the cells.
    func isAddingAlone() async throws -> Bool {
        let isOurs = try await transaction.query("SELECT pg_try_advisory_xact_lock(hashtext('rollups'))")
        return try isOurs.first?.decode(0, as: Bool.self) ?? false
    }

    /// Adds up all entries that wait in a recount's tables (`Database.recount`).
    package func foldAll() async throws {
        while try await foldEntries(limit: 50_000) > 0 {}
    }

    /// True if an app's rollups were counted by an older version of the definitions, or by other settings.
    package func countsOtherwise(_ app: App.ID) async throws -> Bool {
        let rows = try await transaction.query("SELECT metrics_version FROM apps WHERE id = \(app)")
        return try rows.first.map { try $0.decode(0, as: Int32.self) } != Int32(clamping: MetricDefinitions.version)
    }

    /// Notes that an app's rollups count as they are defined now.
    package func noteVersion(_ app: App.ID) async throws {
        let version: Query = "\(MetricDefinitions.version, as: Int32.self)"
        try await transaction.query(
            "UPDATE apps SET metrics_version = \(version) WHERE id = \(app) AND metrics_version <> \(version)"
        )
    }

    /// Moves what was booked of an app's orders whose year of paid service became the other one, on the days on which it did.
    package func addChangedYears(_ app: App.ID) async throws {
        try await transaction.query(
            "SELECT roll_up_paid_years(coalesce(array_agg(id), '{}')) FROM paid_year_changes WHERE app_id = \(app)"
        )
    }

    /// The rows to take are an array of their places, found once: as a subquery PostgreSQL asks it again for each row
    /// of a table that it takes for empty, which this one often is a moment before thousands of entries wait.
    private func foldEntries(limit: Int) async throws -> Int {
        let rows = try await transaction.query(
            """
            WITH taken AS (
                DELETE FROM rollup_entries
                WHERE ctid = ANY(ARRAY(
                    SELECT ctid
                    FROM rollup_entries
                    WHERE effective_at <= \(transaction.now)
                    ORDER BY effective_at, id
                    LIMIT \(limit)
                    FOR UPDATE SKIP LOCKED))
                RETURNING *
            ), cells AS (
                INSERT INTO rollups AS r
                    (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
                SELECT app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, sum(amount),
                    sum(count)
                FROM taken
                GROUP BY app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on
                ON CONFLICT ON CONSTRAINT one_cell_per_key
                DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count
            ), rates AS MATERIALIZED (
                SELECT app_id, day, currency, cross_rate(currency, reporting_currency, day) AS rate
                FROM (SELECT DISTINCT app_id, day, currency FROM taken WHERE is_converted_by_day(measure)) days
                JOIN apps ON apps.id = app_id
            ), months AS (
                INSERT INTO rollup_months AS r
                    (app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month, amount, count,
                     converted, lacks_rate)
                \(Self.byMonth("(SELECT * FROM taken LEFT JOIN rates USING (app_id, day, currency)) priced", """
                    , coalesce(sum(amount * rate) FILTER (WHERE is_converted_by_day(measure)), 0) AS converted,
                    bool_or(is_converted_by_day(measure) AND amount <> 0 AND rate IS NULL) AS lacks_rate
                    """))
                ON CONFLICT ON CONSTRAINT one_month_per_key
                DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count,
                    converted = r.converted + excluded.converted, lacks_rate = r.lacks_rate OR excluded.lacks_rate
            ), days AS (
                INSERT INTO rollup_days AS r
                    (app_id, measure, environment, day, dimension, store, currency, recorded_month, amount, count)
                \(Self.byDay("taken"))
                ON CONFLICT ON CONSTRAINT one_day_per_key
                DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count
            )
            SELECT count(*) FROM taken
            """
        )
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }

    /// Entries or cells added up by the month.
    ///
    /// - Parameter others: further sums, beginning with a comma.
    static func byMonth(_ source: Query, _ others: Query = "") -> Query {
        """
        SELECT app_id, measure, environment, date_trunc('month', day)::date AS month, dimension, product_id, country, currency,
            date_trunc('month', recorded_on)::date AS recorded_month, sum(amount) AS amount, sum(count) AS count\(others)
        FROM \(source)
        WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
        """
    }

    /// Entries or cells added up by the day, of all products of a store.
    static func byDay(_ source: Query) -> Query {
        """
        SELECT cells.app_id, measure, environment, day, dimension, coalesce(sold.store, '') AS store, currency,
            date_trunc('month', recorded_on)::date AS recorded_month, sum(amount) AS amount, sum(count) AS count
        FROM \(source) cells
        LEFT JOIN products sold ON sold.id = product_id
        WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
        """
    }
}
