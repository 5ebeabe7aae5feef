import Billing
import Foundation
import Postgres

/// The sums that the ledger of a few customers adds to the metrics, and that they were seen: the same as the triggers add when the rows are
/// written (`roll_up`, `roll_up_cohorts`, `roll_up_seen`), for all rows at once.
///
/// All that was recorded on one business day is taken as one change. Everything is found by the keys of customers, orders and entries, and
/// compared by windows: no plan of it depends on how many rows the planner believes there to be. Where no catalogue has terms of its own,
/// they are not looked up for each order.
struct LedgerOfCustomers {
    let customers: [UUID]

    /// Adds it to the recount's tables, and returns how many rows the ledger has of them.
    var statement: Query {
        """
        WITH \(people), \(told), \(placed), \(paid), \(counted),
        kept AS (
            INSERT INTO made_rows
                (customer_id, measure, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at)
            SELECT customer_id, measure, day, dimension, product_id, country, currency, recorded_on, 0, count, '-infinity'
            FROM counted
            WHERE environment = 'production'
        ), added AS (
            INSERT INTO made
                (measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at)
            \(Self.money)
            UNION ALL
            SELECT measure, environment, day, dimension, product_id, country, currency, recorded_on, 0, count, '-infinity'
            FROM counted
            UNION ALL
            SELECT 'cohort_net', 'production', day, months_between(first_day, day), product_id, country, currency, recorded_on,
                amount, 0, '-infinity'
            FROM told
            WHERE stands AND is_production AND amount <> 0
        )
        SELECT count(*) FROM told
        """
    }

    private var people: Query {
        """
        people AS MATERIALIZED (
            SELECT c.id, a.time_zone, (c.created_at AT TIME ZONE a.time_zone)::date AS first_day,
                (c.recorded_at AT TIME ZONE a.time_zone)::date AS known_on,
                CASE WHEN c.merged_into IS NOT NULL THEN (c.merged_at AT TIME ZONE a.time_zone)::date END AS merged_on,
                CASE WHEN (SELECT bool_and(s.environment = 'sandbox') FROM subscriptions s WHERE s.customer_id = c.id)
                    THEN 'sandbox' ELSE 'production' END AS environment
            FROM customers c
            JOIN apps a ON a.id = c.app_id
            WHERE c.id = ANY(\(customers))
        )
        """
    }

    /// The ledger's rows; `turn` is how often the order's year of paid service had changed by then.
    private var told: Query {
        """
        told AS MATERIALIZED (
            SELECT p.id AS customer_id, p.first_day, o.id AS order_id, o.product_id, o.country,
                (o.purchased_at AT TIME ZONE p.time_zone)::date AS charge_day,
                (o.terms + coalesce(o.years[t.turn + 1], o.year))::smallint AS dimension,
                t.id, t.status = 'success' AS stands, t.environment,
                t.environment = 'production' AND o.environment = 'production' AS is_production, t.currency, t.amount, t.turn,
                t.occurred_at, is_charge(t.kind) AS charges, is_refund(t.kind) AS gives_back, is_upgrade_credit(t.kind) AS credits,
                t.payer = 'elsewhere' AS is_paid_elsewhere, split_part(t.reference, ':corrected-', 1) AS root,
                (t.occurred_at AT TIME ZONE p.time_zone)::date AS day,
                extract(hour FROM t.occurred_at AT TIME ZONE p.time_zone)::smallint AS hour,
                (t.recorded_at AT TIME ZONE p.time_zone)::date AS recorded_on
            FROM people p
            CROSS JOIN LATERAL (
                SELECT id, product_id, environment, purchased_at, coalesce(storefront, '') AS country,
                    10 * CASE WHEN (SELECT EXISTS (SELECT FROM store_terms))
                        THEN store_terms_of(app_id, store, storefront, purchased_at)
                        ELSE usual_store_terms(store, storefront, purchased_at) END AS terms,
                    paid_year(paid_days) AS year,
                    changes.years, changes.moments
                FROM orders
                CROSS JOIN LATERAL (
                    SELECT array_agg(c.year_before ORDER BY c.recorded_at, c.id) AS years,
                        array_agg(c.recorded_at ORDER BY c.recorded_at, c.id) AS moments
                    FROM paid_year_changes c
                    WHERE c.order_id = orders.id
                ) changes
                WHERE customer_id = p.id
                OFFSET 0
            ) o
            CROSS JOIN LATERAL (
                SELECT id, status, environment, currency, amount, occurred_at, recorded_at, kind, payer, reference,
                    CASE WHEN o.moments IS NULL THEN 0
                        ELSE (SELECT count(*)::int FROM unnest(o.moments) changed_at WHERE changed_at < recorded_at) END AS turn
                FROM ledger_entries
                WHERE order_id = o.id
                OFFSET 0
            ) t
        )
        """
    }

    /// A refund and what corrects it are one, and none while nothing of it stands: what it counts for is said by its first row of a day.
    /// Likewise by how many orders more something is given back.
    private var placed: Query {
        """
        placed AS (
            SELECT *,
                CASE WHEN gives_back AND place_in_root = 1
                    THEN (root_after < 0)::int - (root_after - root_change < 0)::int ELSE 0 END AS refunds,
                CASE WHEN gives_back AND place_in_order = 1
                    THEN (given_after > 0)::int - (given_after - given_change > 0)::int ELSE 0 END AS turned
            FROM (
                SELECT *, sum(amount) OVER (PARTITION BY order_id, root ORDER BY recorded_on, turn) AS root_after,
                    sum(amount) OVER (PARTITION BY order_id, root, recorded_on, turn) AS root_change,
                    row_number() OVER (PARTITION BY order_id, root, recorded_on, turn, gives_back ORDER BY id) AS place_in_root,
                    coalesce(-sum(amount) FILTER (WHERE gives_back) OVER (PARTITION BY order_id ORDER BY recorded_on, turn), 0)
                        AS given_after,
                    coalesce(-sum(amount) FILTER (WHERE gives_back) OVER (PARTITION BY order_id, recorded_on, turn), 0)
                        AS given_change,
                    row_number() OVER (PARTITION BY order_id, recorded_on, turn, gives_back ORDER BY id) AS place_in_order
                FROM told
                WHERE stands
            ) summed
        )
        """
    }

    private static let money: Query = """
        SELECT measure, environment, f.day, f.dimension, f.product, f.country, currency, recorded_on, f.amount, f.count,
            '-infinity'::timestamptz
        FROM placed
        CROSS JOIN LATERAL (VALUES
            ('charge', charges AND amount > 0, day, dimension, product_id, country, amount, 1),
            ('free_order', charges AND amount = 0, day, 0::smallint, product_id, country, 0, 1),
            ('order_by_hour', charges, day, hour, '00000000-0000-0000-0000-000000000000', '', amount, 1),
            ('refund', gives_back, day, CASE WHEN is_paid_elsewhere THEN 2 ELSE dimension END, product_id, country, -amount,
                refunds),
            ('refund_by_hour', gives_back, day, hour, '00000000-0000-0000-0000-000000000000', '', -amount, refunds),
            ('refunded_charge', gives_back, charge_day, dimension, product_id, country, -amount, turned),
            ('upgrade_credit', credits, day, dimension, product_id, country, -amount, 0)
        ) f (measure, holds, day, dimension, product, country, amount, count)
        WHERE f.holds AND (f.amount <> 0 OR f.count <> 0)
        """

    /// A customer's first paid charge, of all and of each month, as it stood on each day on which it became another one, and until when.
    private var paid: Query {
        """
        paid AS (
            SELECT *, rank = min(rank) OVER (PARTITION BY customer_id ORDER BY recorded_on) AS is_first,
                rank_in_month = min(rank_in_month) OVER (PARTITION BY customer_id, month ORDER BY recorded_on) AS is_first_of_month
            FROM (
                SELECT *, date_trunc('month', day)::date AS month,
                    row_number() OVER (PARTITION BY customer_id ORDER BY occurred_at, id) AS rank,
                    row_number() OVER (PARTITION BY customer_id, date_trunc('month', day) ORDER BY occurred_at, id) AS rank_in_month
                FROM told
                WHERE stands AND charges AND is_production AND amount <> 0
            ) ranked
        ), firsts AS (
            SELECT 'converted' AS measure, customer_id, date_trunc('month', first_day)::date AS day,
                (CASE WHEN day <= first_day + 7 THEN 0 WHEN day <= first_day + 30 THEN 1 WHEN day <= first_day + 90 THEN 2 ELSE 3
                    END)::smallint AS dimension,
                product_id, country, currency, recorded_on, lead(recorded_on) OVER (PARTITION BY customer_id ORDER BY recorded_on) AS until
            FROM paid
            WHERE is_first
            UNION ALL
            SELECT 'paying', customer_id, month, 0::smallint, product_id, country, currency, recorded_on,
                lead(recorded_on) OVER (PARTITION BY customer_id, month ORDER BY recorded_on)
            FROM paid
            WHERE is_first_of_month
        )
        """
    }

    private var counted: Query {
        """
        counted AS MATERIALIZED (
            SELECT measure, customer_id, 'production' AS environment, day, dimension, product_id, country, currency,
                known.recorded_on, known.count
            FROM firsts
            CROSS JOIN LATERAL (VALUES (firsts.recorded_on, 1), (firsts.until, -1)) known (recorded_on, count)
            WHERE known.recorded_on IS NOT NULL
            UNION ALL
            SELECT 'seen', id, environment, first_day, 0::smallint, '00000000-0000-0000-0000-000000000000', '', '',
                known.recorded_on, known.count
            FROM people
            CROSS JOIN LATERAL (VALUES (known_on, 1), (merged_on, -1)) known (recorded_on, count)
            WHERE known.recorded_on IS NOT NULL
        )
        """
    }
}
