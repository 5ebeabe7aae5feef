-- An upgrade ends the period that the customer upgraded from, and the store gives its unused part back without a message of its own:
-- it is credited in the ledger, by a kind of its own that is no refund (docs/metrics.md). Version 3 of the metrics' definitions.
ALTER TABLE apps ALTER COLUMN metrics_version SET DEFAULT 3;

ALTER TABLE orders
    -- When an upgrade took its place.
    ADD COLUMN superseded_at timestamptz,
    -- What was credited for that, less what was taken back of it.
    ADD COLUMN credited bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT status_is_known,
    ADD CONSTRAINT status_is_known CHECK (status IN (
        'pending', 'completed', 'partially_refunded', 'refunded', 'superseded', 'failed', 'cancelled')) NOT VALID,
    DROP CONSTRAINT status_tells_what_was_refunded,
    ADD CONSTRAINT status_tells_what_was_refunded CHECK (CASE status
        WHEN 'refunded' THEN refunded = amount
        WHEN 'partially_refunded' THEN refunded > 0 AND refunded < amount
        WHEN 'superseded' THEN refunded < amount OR amount = 0
        ELSE refunded = 0
        END) NOT VALID,
    ADD CONSTRAINT credited_is_never_above_what_is_left
        CHECK (credited = 0 OR (credited > 0 AND credited <= amount - refunded)) NOT VALID,
    ADD CONSTRAINT what_is_superseded_says_when
        CHECK (superseded_at IS NOT NULL OR (status <> 'superseded' AND credited = 0)) NOT VALID;
ALTER TABLE orders VALIDATE CONSTRAINT status_is_known;
ALTER TABLE orders VALIDATE CONSTRAINT status_tells_what_was_refunded;
ALTER TABLE orders VALIDATE CONSTRAINT credited_is_never_above_what_is_left;
ALTER TABLE orders VALIDATE CONSTRAINT what_is_superseded_says_when;

CREATE INDEX superseded_orders ON orders (customer_id) WHERE superseded_at IS NOT NULL;

CREATE OR REPLACE FUNCTION is_charge(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN kind NOT IN ('refund', 'revoke', 'refund_reversal', 'upgrade_credit', 'upgrade_credit_reversal');

CREATE FUNCTION is_refund(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN kind IN ('refund', 'revoke', 'refund_reversal');

CREATE FUNCTION is_upgrade_credit(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN kind IN ('upgrade_credit', 'upgrade_credit_reversal');

-- What an order keeps is its charge less what was refunded and credited.
CREATE OR REPLACE FUNCTION check_order_balance() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    kept bigint;
    booked bigint;
    of_order uuid := CASE TG_TABLE_NAME WHEN 'orders' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'order_id')::uuid END;
BEGIN
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0 ELSE amount - refunded - credited END INTO kept
    FROM orders WHERE id = of_order;
    SELECT coalesce(sum(amount), 0) INTO booked
    FROM ledger_entries WHERE order_id = of_order AND status = 'success';
    IF kept IS DISTINCT FROM booked THEN
        RAISE EXCEPTION 'order % keeps % but its ledger adds up to %', of_order, kept, booked
            USING ERRCODE = 'check_violation', CONSTRAINT = 'an_order_balances_with_its_ledger', TABLE = 'orders';
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER an_order_balances_with_its_ledger ON orders;
CREATE CONSTRAINT TRIGGER an_order_balances_with_its_ledger AFTER INSERT OR UPDATE OF amount, refunded, credited, status ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_balance();

CREATE OR REPLACE FUNCTION check_approved_refunds() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    available bigint;
    granted bigint;
BEGIN
    -- What was approved stays approved, though the store may have given some of it back meanwhile.
    IF TG_OP = 'UPDATE' AND OLD.status = 'approved' AND OLD.approved_amount = NEW.approved_amount THEN
        RETURN NULL;
    END IF;
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0 ELSE amount - refunded - credited END INTO available
    FROM orders WHERE id = NEW.order_id FOR NO KEY UPDATE;
    SELECT coalesce(sum(approved_amount), 0) INTO granted
    FROM refund_requests WHERE order_id = NEW.order_id AND status = 'approved';
    IF granted > available THEN
        RAISE EXCEPTION '% is approved of the %, but only % is left', granted, NEW.currency, available
            USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_is_never_above_what_is_left',
                TABLE = 'refund_requests';
    END IF;
    RETURN NULL;
END $$;

ALTER TABLE ledger_entries
    DROP CONSTRAINT kind_is_known,
    ADD CONSTRAINT kind_is_known CHECK (kind IN (
        'initial_purchase', 'renewal', 'upgrade', 'downgrade', 'refund', 'revoke', 'refund_reversal', 'upgrade_credit',
        'upgrade_credit_reversal')) NOT VALID,
    DROP CONSTRAINT refunds_are_negative_and_charges_are_not,
    ADD CONSTRAINT refunds_are_negative_and_charges_are_not
        CHECK (CASE WHEN kind IN ('refund', 'revoke', 'upgrade_credit') THEN amount <= 0 ELSE amount >= 0 END) NOT VALID;
ALTER TABLE ledger_entries VALIDATE CONSTRAINT kind_is_known;
ALTER TABLE ledger_entries VALIDATE CONSTRAINT refunds_are_negative_and_charges_are_not;

ALTER TABLE rollups
    DROP CONSTRAINT measure_is_known,
    ADD CONSTRAINT measure_is_known CHECK (measure IN (
        'charge', 'free_order', 'refund', 'refunded_charge', 'upgrade_credit', 'order_by_hour', 'refund_by_hour', 'mrr',
        'subscriber', 'lost', 'trial', 'trial_converted', 'trial_abandoned', 'seen', 'converted', 'paying', 'cohort_net',
        'started', 'retained', 'holder', 'access', 'charge_failed')) NOT VALID;
ALTER TABLE rollups VALIDATE CONSTRAINT measure_is_known;

-- Amounts that reports in one currency convert at the rate of their day.
CREATE OR REPLACE FUNCTION is_converted_by_day(measure text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN measure IN ('charge', 'refund', 'refunded_charge', 'upgrade_credit', 'cohort_net');

CREATE OR REPLACE FUNCTION roll_up(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH added AS MATERIALIZED (
        SELECT t.app_id, t.environment, t.order_id, o.subscription_id, o.product_id, o.purchased_at,
            coalesce(o.storefront, '') AS country, t.currency, t.amount, is_charge(t.kind) AS charges,
            is_refund(t.kind) AS gives_back, is_upgrade_credit(t.kind) AS credits,
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
        FROM (SELECT order_id, root, min(id::text)::uuid AS id FROM added WHERE gives_back GROUP BY order_id, root) told
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
        FROM (SELECT order_id, max(recorded_on) AS recorded_on FROM added WHERE gives_back GROUP BY order_id) orders
        CROSS JOIN LATERAL (
            SELECT coalesce(-sum(amount), 0) AS after, coalesce(-sum(amount) FILTER (WHERE id <> ALL(ids)), 0) AS before
            FROM ledger_entries t
            WHERE t.order_id = orders.order_id AND status = 'success' AND is_refund(kind)
                AND (recorded_at, id) <= (upto, upto_id)
        ) given
        GROUP BY order_id
    ),
    -- What was booked before on the wrong side of the year, because an earlier charge became known only now.
    moved AS (
        SELECT t.app_id, t.environment, t.order_id, o.product_id, coalesce(o.storefront, '') AS country, t.currency,
            t.amount, is_charge(t.kind) AS charges, is_refund(t.kind) AS gives_back, is_upgrade_credit(t.kind) AS credits,
            t.payer = 'elsewhere' AS is_paid_elsewhere,
            (is_refund(t.kind) AND row_number() OVER root = 1 AND sum(t.amount) OVER root < 0)::int AS refunds,
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
            ('refund', gives_back, day, CASE WHEN is_paid_elsewhere THEN 2 ELSE dimension END, product_id, country, -amount,
                refunds),
            ('refund_by_hour', gives_back, day, hour, '00000000-0000-0000-0000-000000000000', '', -amount, refunds),
            ('refunded_charge', gives_back, charge_day, dimension, product_id, country, -amount, 0),
            ('upgrade_credit', credits, day, dimension, product_id, country, -amount, 0)
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
            ('refund', gives_back AND NOT is_paid_elsewhere, day, -amount, refunds),
            ('refunded_charge', gives_back, charge_day, -amount, 0),
            ('upgrade_credit', credits, day, -amount, 0)
        ) f (measure, holds, day, amount, count)
        CROSS JOIN (VALUES (0::smallint, -1), (1::smallint, 1)) side (dimension, sign)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, side.dimension, product_id, country, currency, recorded_on,
            0, side.sign
        FROM (
            SELECT app_id, environment, order_id, charge_day, product_id, country, currency, recorded_on
            FROM moved
            WHERE gives_back
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
