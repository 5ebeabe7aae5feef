package import Billing
import Postgres

extension RollupWrites {
    /// Adds the next of what recounts found to be missing (`RollupRecount.keep`) to the cells, and takes it away. Where another server
    /// adds at this moment, nothing.
    ///
    /// - Returns: how many corrections there were.
    package func correct(limit: Int = 5_000) async throws -> Int {
        guard try await isAddingAlone(), try await hasCorrections(where: "level <> 'customer'") else { return 0 }
        let results = try await transaction.pipeline([
            """
            CREATE TEMPORARY TABLE IF NOT EXISTS taken_corrections ON COMMIT DROP AS
            SELECT app_id, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on, amount, count
            FROM rollup_corrections
            WITH NO DATA
            """,
            """
            WITH taken AS (
                DELETE FROM rollup_corrections
                WHERE id = ANY(ARRAY(SELECT id FROM rollup_corrections WHERE level <> 'customer' ORDER BY id LIMIT \(limit)))
                RETURNING *
            )
            INSERT INTO taken_corrections
            SELECT app_id, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on,
                sum(amount), sum(count)
            FROM taken
            GROUP BY app_id, level, measure, environment, day, dimension, product_id, country, store, currency, recorded_on
            """,
            """
            INSERT INTO rollups AS r
                (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
            SELECT app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count
            FROM taken_corrections
            WHERE level = 'cell'
            ON CONFLICT ON CONSTRAINT one_cell_per_key
            DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count
            """,
            """
            INSERT INTO rollup_months AS r
                (app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month, amount, count)
            SELECT app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count
            FROM taken_corrections
            WHERE level = 'month'
            ON CONFLICT ON CONSTRAINT one_month_per_key
            DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count
            """,
            """
            INSERT INTO rollup_days AS r
                (app_id, measure, environment, day, dimension, store, currency, recorded_month, amount, count)
            SELECT app_id, measure, environment, day, dimension, store, currency, recorded_on, amount, count
            FROM taken_corrections
            WHERE level = 'day'
            ON CONFLICT ON CONSTRAINT one_day_per_key
            DO UPDATE SET amount = r.amount + excluded.amount, count = r.count + excluded.count
            """,
            """
            UPDATE rollup_months m
            SET converted = 0, lacks_rate = false
            FROM taken_corrections t
            WHERE t.level = 'month' AND NOT is_converted_by_day(t.measure) AND m.app_id = t.app_id AND m.measure = t.measure
                AND m.environment = t.environment AND m.month = t.day AND m.dimension = t.dimension AND m.product_id = t.product_id
                AND m.country = t.country AND m.currency = t.currency AND m.recorded_month = t.recorded_on AND m.converted <> 0
            """,
            // Months are converted by their days' cells, which stand before them among the corrections.
            """
            SELECT convert_months(app_id, min(day), max(day))
            FROM taken_corrections
            WHERE level = 'month' AND is_converted_by_day(measure)
            GROUP BY app_id
            """,
        ])
        return results[1].affectedRows  // safe: one answer a statement
    }

    /// Does the same for the rows behind the numbers, each with its customer locked. Of a customer who is being changed nothing is
    /// added this time.
    ///
    /// - Returns: how many corrections there were.
    package func correctRows(limit: Int = 500) async throws -> Int {
        guard try await isAddingAlone() else { return 0 }
        let rows = try await transaction.query(
            """
            SELECT id
            FROM customers
            WHERE id IN (
                SELECT customer_id
                FROM (SELECT customer_id FROM rollup_corrections WHERE level = 'customer' ORDER BY id LIMIT \(limit)) next)
            ORDER BY id
            FOR NO KEY UPDATE SKIP LOCKED
            """
        )
        let customers = try rows.map { try $0.decode(0, as: Customer.ID.self).uuid }
        let ids = try await transaction.query(
            "SELECT id FROM rollup_corrections WHERE level = 'customer' AND customer_id = ANY(\(customers))"
        ).map { try $0.decode(0, as: Int64.self) }
        guard !ids.isEmpty else { return 0 }
        let results = try await transaction.pipeline([
            """
            MERGE INTO subscriber_entries AS e
            USING (
                SELECT app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                    sum(amount)::bigint AS amount, sum(count)::bigint AS count
                FROM rollup_corrections
                WHERE id = ANY(\(ids))
                GROUP BY app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at
                HAVING sum(amount) <> 0 OR sum(count) <> 0
            ) AS added
            ON e.app_id = added.app_id AND e.measure = added.measure AND e.customer_id = added.customer_id AND e.day = added.day
                AND e.dimension = added.dimension AND e.product_id = added.product_id AND e.country = added.country
                AND e.currency = added.currency AND e.recorded_on = added.recorded_on AND e.effective_at = added.effective_at
            WHEN MATCHED AND e.amount + added.amount = 0 AND e.count + added.count = 0 THEN DELETE
            WHEN MATCHED THEN UPDATE SET amount = e.amount + added.amount, count = e.count + added.count
            WHEN NOT MATCHED THEN
                INSERT (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at, amount,
                    count)
                VALUES (added.app_id, added.customer_id, added.measure, added.day, added.dimension, added.product_id, added.country,
                    added.currency, added.recorded_on, added.effective_at, added.amount, added.count)
            """,
            "DELETE FROM rollup_corrections WHERE id = ANY(\(ids))",
        ])
        return results[1].affectedRows  // safe: one answer a statement
    }

    /// True while corrections of an app wait to be added.
    package func lacksCorrections(_ app: App.ID) async throws -> Bool {
        try await hasCorrections(where: "app_id = \(app)")
    }

    private func hasCorrections(where condition: Query) async throws -> Bool {
        let rows = try await transaction.query(
            "SELECT EXISTS (SELECT FROM rollup_corrections WHERE \(condition))"
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }
}
