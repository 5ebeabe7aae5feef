-- Version 2 of the metrics' definitions (docs/metrics.md). Apps whose rollups count by an older version are counted again by the server
-- itself.

ALTER TABLE apps
    ADD COLUMN metrics_version integer NOT NULL DEFAULT 1,
    -- Within how many days after its end a trial converts.
    ADD COLUMN trial_conversion_days integer NOT NULL DEFAULT 30,
    ADD CONSTRAINT trial_conversion_days_are_plausible CHECK (trial_conversion_days BETWEEN 0 AND 365);

-- Who paid: of a refund that was paid outside the store the store gives nothing of its share back.
ALTER TABLE ledger_entries
    ADD COLUMN payer text NOT NULL DEFAULT 'store',
    ADD CONSTRAINT payer_is_known CHECK (payer IN ('store', 'elsewhere')),
    ADD CONSTRAINT charges_are_paid_at_the_store CHECK (payer = 'store' OR NOT is_charge(kind));

ALTER TABLE ledger_entries DISABLE TRIGGER ledger_rows_are_never_changed;

UPDATE ledger_entries t
SET payer = 'elsewhere'
FROM refund_requests r
WHERE r.payer = 'elsewhere' AND t.order_id = r.order_id AND t.reference = 'request:' || r.number;

ALTER TABLE ledger_entries ENABLE TRIGGER ledger_rows_are_never_changed;

-- Subscriptions stand on the day on which they were first paid for, of which a month has as many as it has days.
DROP INDEX subscriber_entries_by_period;
CREATE INDEX subscriber_entries_by_period ON subscriber_entries (app_id, dimension, day, customer_id) WHERE measure = 'retained';

CREATE OR REPLACE FUNCTION roll_up(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH added AS MATERIALIZED (
        SELECT t.app_id, t.environment, t.order_id, o.subscription_id, o.product_id, o.purchased_at,
            coalesce(o.storefront, '') AS country, t.currency, t.amount, is_charge(t.kind) AS charges,
            t.payer = 'elsewhere' AS is_paid_elsewhere, t.id, split_part(t.reference, ':corrected-', 1) AS root,
            (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
            extract(hour FROM t.occurred_at AT TIME ZONE a.time_zone)::smallint AS hour,
            (o.purchased_at AT TIME ZONE a.time_zone)::date AS charge_day,
            (t.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on
        FROM ledger_entries t
        JOIN orders o ON o.id = t.order_id
        JOIN apps a ON a.id = t.app_id
        WHERE t.id = ANY(ids) AND t.status = 'success'
    ),
    -- The first paid charge of each subscription, as it was before and as it is now.
    chains AS MATERIALIZED (
        SELECT o.subscription_id, min(t.occurred_at) FILTER (WHERE t.id <> ALL(ids)) AS first_before,
            min(t.occurred_at) AS first_charge
        FROM orders o
        JOIN ledger_entries t ON t.order_id = o.id
        WHERE o.subscription_id IN (SELECT subscription_id FROM added)
            AND t.status = 'success' AND is_charge(t.kind) AND t.amount > 0 AND (t.recorded_at, t.id) <= (upto, upto_id)
        GROUP BY o.subscription_id
    ),
    -- A refund and what corrects it are one, and none while nothing of it stands: what it counts for is said by its first row.
    refunds AS (
        SELECT told.id, (sum(standing.after) < 0)::int - (sum(standing.before) < 0)::int AS refunds
        FROM (SELECT order_id, root, min(id::text)::uuid AS id FROM added WHERE NOT charges GROUP BY order_id, root) told
        CROSS JOIN LATERAL (
            SELECT amount AS after, CASE WHEN t.id <> ALL(ids) THEN amount ELSE 0 END AS before
            FROM ledger_entries t
            WHERE t.order_id = told.order_id AND split_part(t.reference, ':corrected-', 1) = told.root AND status = 'success'
                AND (recorded_at, t.id) <= (upto, upto_id)
        ) standing
        GROUP BY told.id
    ),
    placed AS MATERIALIZED (
        SELECT added.*, coalesce(refunds, 0) AS refunds,
            tenure_bucket(purchased_at, coalesce(first_charge, purchased_at)) AS dimension
        FROM added
        LEFT JOIN chains USING (subscription_id)
        LEFT JOIN refunds USING (id)
    ),
    -- Orders of which something is given back for the first time, or no longer anything.
    turned AS (
        SELECT order_id, max(recorded_on) AS recorded_on, (sum(given.after) > 0)::int - (sum(given.before) > 0)::int AS turn
        FROM (SELECT order_id, max(recorded_on) AS recorded_on FROM added WHERE NOT charges GROUP BY order_id) orders
        CROSS JOIN LATERAL (
            SELECT coalesce(-sum(amount), 0) AS after, coalesce(-sum(amount) FILTER (WHERE id <> ALL(ids)), 0) AS before
            FROM ledger_entries t
            WHERE t.order_id = orders.order_id AND status = 'success' AND NOT is_charge(kind)
                AND (recorded_at, id) <= (upto, upto_id)
        ) given
        GROUP BY order_id
    ),
    -- What was booked before on the wrong side of the year, because an earlier charge became known only now.
    moved AS (
        SELECT t.app_id, t.environment, t.order_id, o.product_id, coalesce(o.storefront, '') AS country, t.currency,
            t.amount, is_charge(t.kind) AS charges, t.payer = 'elsewhere' AS is_paid_elsewhere,
            (NOT is_charge(t.kind) AND row_number() OVER root = 1 AND sum(t.amount) OVER root < 0)::int AS refunds,
            (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
            (o.purchased_at AT TIME ZONE a.time_zone)::date AS charge_day,
            (SELECT max(recorded_on) FROM added WHERE added.subscription_id = o.subscription_id) AS recorded_on
        FROM chains
        JOIN orders o USING (subscription_id)
        JOIN ledger_entries t ON t.order_id = o.id
        JOIN apps a ON a.id = t.app_id
        WHERE first_charge < first_before AND t.id <> ALL(ids) AND t.status = 'success' AND t.amount <> 0
            AND (t.recorded_at, t.id) <= (upto, upto_id)
            AND tenure_bucket(o.purchased_at, first_charge) <> tenure_bucket(o.purchased_at, first_before)
        WINDOW root AS (PARTITION BY t.order_id, split_part(t.reference, ':corrected-', 1) ORDER BY t.recorded_at, t.id
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ),
    found AS (
        SELECT app_id, measure, environment, f.day, f.dimension, f.product, f.country, currency, recorded_on, f.amount, f.count
        FROM placed
        CROSS JOIN LATERAL (VALUES
            ('charge', charges AND amount > 0, day, dimension, product_id, country, amount, 1),
            ('free_order', charges AND amount = 0, day, 0::smallint, product_id, country, 0, 1),
            ('order_by_hour', charges, day, hour, '00000000-0000-0000-0000-000000000000', '', amount, 1),
            ('refund', NOT charges, day, CASE WHEN is_paid_elsewhere THEN 2 ELSE dimension END, product_id, country, -amount,
                refunds),
            ('refund_by_hour', NOT charges, day, hour, '00000000-0000-0000-0000-000000000000', '', -amount, refunds),
            ('refunded_charge', NOT charges, charge_day, dimension, product_id, country, -amount, 0)
        ) f (measure, holds, day, dimension, product, country, amount, count)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, dimension, product_id, country, currency, t.recorded_on,
            0, turn
        FROM turned t
        CROSS JOIN LATERAL (SELECT * FROM placed WHERE placed.order_id = t.order_id LIMIT 1) placed
        WHERE turn <> 0
        UNION ALL
        SELECT app_id, measure, environment, f.day, side.dimension, product_id, country, currency, recorded_on,
            side.sign * f.amount, side.sign * f.count
        FROM moved
        CROSS JOIN LATERAL (VALUES
            ('charge', charges, day, amount, 1),
            ('refund', NOT charges AND NOT is_paid_elsewhere, day, -amount, refunds),
            ('refunded_charge', NOT charges, charge_day, -amount, 0)
        ) f (measure, holds, day, amount, count)
        CROSS JOIN (VALUES (0::smallint, -1), (1::smallint, 1)) side (dimension, sign)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, side.dimension, product_id, country, currency, recorded_on,
            0, side.sign
        FROM (
            SELECT app_id, environment, order_id, charge_day, product_id, country, currency, recorded_on
            FROM moved
            WHERE NOT charges
            GROUP BY app_id, environment, order_id, charge_day, product_id, country, currency, recorded_on
            HAVING sum(amount) < 0
        ) standing
        CROSS JOIN (VALUES (0::smallint, -1), (1::smallint, 1)) side (dimension, sign)
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT app_id, measure, environment, day, dimension, product::uuid, country, currency, recorded_on, sum(amount), sum(count)
    FROM found
    GROUP BY app_id, measure, environment, day, dimension, product, country, currency, recorded_on
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $$;
