-- The field's own names, the rest of them: the dimension of a rollup's cell, why a rule rejected an event or a line, the kinds of a
-- grant, Apple's consumption request and the preference that answers it, and who asked for an undo. Rows, indexes, constraints and
-- triggers stay as they are; functions name what they read, and are made again.

ALTER TABLE rollup_entries RENAME COLUMN step TO dimension;
ALTER TABLE rollups RENAME COLUMN step TO dimension;
ALTER TABLE rollup_days RENAME COLUMN step TO dimension;
ALTER TABLE rollup_months RENAME COLUMN step TO dimension;
ALTER TABLE subscriber_entries RENAME COLUMN step TO dimension;
ALTER TABLE rollup_days RENAME COLUMN known_month TO recorded_month;
ALTER TABLE rollup_months RENAME COLUMN known_month TO recorded_month;
ALTER TABLE rollup_days RENAME CONSTRAINT months_of_knowing_begin_on_their_first_day TO recorded_months_begin_on_their_first_day;

ALTER TABLE subscription_events RENAME COLUMN refusal TO rejection_reason;
ALTER TABLE bulk_job_items RENAME COLUMN refusal TO rejection_reason;
ALTER TABLE bulk_jobs RENAME COLUMN undo_asked_by TO undo_requested_by;
ALTER TABLE bulk_jobs RENAME COLUMN undo_asked_at TO undo_requested_at;
ALTER TABLE bulk_jobs RENAME CONSTRAINT bulk_jobs_undo_asked_by_fkey TO bulk_jobs_undo_requested_by_fkey;

ALTER TABLE refund_requests RENAME COLUMN store_answer TO refund_preference;
ALTER TABLE refund_requests RENAME COLUMN store_asked_at TO consumption_requested_at;
ALTER TABLE refund_requests RENAME COLUMN answer_by TO consumption_due_at;
ALTER TABLE refund_requests RENAME CONSTRAINT store_answer_is_known TO refund_preference_is_known;
ALTER TABLE refund_requests RENAME CONSTRAINT an_answer_is_due_after_the_question TO consumption_is_due_after_its_request;

-- Given for nothing, an extension of a subscription, an upgrade to another plan; also in what takes an action back.
ALTER TABLE grants DROP CONSTRAINT kind_is_known;
UPDATE grants SET kind = CASE kind WHEN 'gift' THEN 'complimentary' ELSE 'upgrade' END WHERE kind IN ('gift', 'tier');
ALTER TABLE grants ADD CONSTRAINT kind_is_known CHECK (kind IN ('complimentary', 'extension', 'upgrade'));
UPDATE entitlement_actions
SET changes = (
    SELECT jsonb_agg(
        CASE change #>> '{gave,_0,kind}'
            WHEN 'gift' THEN jsonb_set(change, '{gave,_0,kind}', '"complimentary"')
            WHEN 'tier' THEN jsonb_set(change, '{gave,_0,kind}', '"upgrade"')
            ELSE change
        END ORDER BY place)
    FROM jsonb_array_elements(changes) WITH ORDINALITY AS e (change, place)
)
WHERE changes @? '$[*].gave._0.kind ? (@ == "gift" || @ == "tier")';

-- The scope of what is read of the business, and the parameter by which rows name their metric.
UPDATE staff_tokens SET scopes = array_replace(scopes, 'numbers:read', 'metrics:read') WHERE 'numbers:read' = ANY(scopes);
UPDATE saved_views SET query = regexp_replace(query, '(^|[?&])figure=', '\1metric=', 'g') WHERE query ~ '(^|[?&])figure=';

ALTER FUNCTION tenure_step RENAME TO tenure_bucket;
DROP FUNCTION customer_cells;

CREATE OR REPLACE FUNCTION convert_months(of_app uuid, first date, last date)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
    since date := date_trunc('month', first)::date;
    before date := (date_trunc('month', last) + interval '1 month')::date;
BEGIN
    UPDATE rollup_months m
    SET converted = told.converted, lacks_rate = told.lacks_rate
    FROM (
        SELECT measure, environment, date_trunc('month', day)::date AS month, dimension, product_id, country, currency,
            date_trunc('month', recorded_on)::date AS recorded_month, coalesce(sum(amount * rate), 0) AS converted,
            bool_or(amount <> 0 AND rate IS NULL) AS lacks_rate
        FROM rollups
        JOIN (
            SELECT day, currency, cross_rate(currency, reporting_currency, day) AS rate
            FROM (
                SELECT DISTINCT day, currency
                FROM rollups
                WHERE app_id = of_app AND is_converted_by_day(measure) AND day >= since AND day < before
            ) days
            CROSS JOIN apps
            WHERE id = of_app
        ) rates USING (day, currency)
        WHERE app_id = of_app AND is_converted_by_day(measure) AND day >= since AND day < before
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ) told
    WHERE m.app_id = of_app AND m.measure = told.measure AND m.environment = told.environment AND m.month = told.month
        AND m.dimension = told.dimension AND m.product_id = told.product_id AND m.country = told.country AND m.currency = told.currency
        AND m.recorded_month = told.recorded_month AND (m.converted, m.lacks_rate) IS DISTINCT FROM (told.converted,
            told.lacks_rate);
END $function$;

CREATE FUNCTION customer_cells(
    who uuid[],
    firsts timestamp with time zone[],
    skipped uuid[],
    moved uuid,
    mover uuid,
    upto timestamp with time zone,
    upto_id uuid)
 RETURNS TABLE(app_id uuid, customer_id uuid, measure text, day date, dimension smallint, product_id uuid, country text,
     currency text, amount bigint, count bigint)
 LANGUAGE sql
 STABLE
AS $function$
    WITH people AS (
        SELECT p.id, c.app_id, a.time_zone, (p.first AT TIME ZONE a.time_zone)::date AS first_day
        FROM unnest(who, firsts) p (id, first)
        JOIN customers c ON c.id = p.id
        JOIN apps a ON a.id = c.app_id
    ),
    chains AS (
        SELECT id, customer_id AS owner FROM subscriptions WHERE customer_id = ANY(who) AND id IS DISTINCT FROM moved
        UNION ALL
        SELECT id, mover FROM subscriptions WHERE id = moved
    ),
    -- OFFSET 0: looked up by this one key, whatever the planner believes of a table that was empty a minute ago.
    held AS (
        SELECT o.id, o.product_id, o.country, chains.owner
        FROM chains
        CROSS JOIN LATERAL (
            SELECT id, product_id, coalesce(storefront, '') AS country, environment
            FROM orders
            WHERE subscription_id = chains.id
            OFFSET 0
        ) o
        WHERE o.environment = 'production'
        UNION ALL
        SELECT o.id, o.product_id, o.country, people.id
        FROM people
        CROSS JOIN LATERAL (
            SELECT id, product_id, coalesce(storefront, '') AS country, environment, subscription_id
            FROM orders
            WHERE customer_id = people.id
            OFFSET 0
        ) o
        WHERE o.subscription_id IS NULL AND o.environment = 'production'
    ),
    told AS MATERIALIZED (
        SELECT p.id AS customer_id, p.app_id, p.first_day, t.id, t.occurred_at, t.amount, t.currency, h.product_id, h.country,
            is_charge(t.kind) AS charges, (t.occurred_at AT TIME ZONE p.time_zone)::date AS day
        FROM people p
        JOIN held h ON h.owner = p.id
        CROSS JOIN LATERAL (
            SELECT id, occurred_at, recorded_at, status, kind, amount, currency
            FROM ledger_entries
            WHERE order_id = h.id
            OFFSET 0
        ) t
        WHERE t.status = 'success' AND t.amount <> 0 AND t.id <> ALL(skipped) AND (t.recorded_at, t.id) <= (upto, upto_id)
    )
    SELECT app_id, customer_id, 'converted', date_trunc('month', first_day)::date,
        (CASE WHEN day <= first_day + 7 THEN 0 WHEN day <= first_day + 30 THEN 1 WHEN day <= first_day + 90 THEN 2 ELSE 3
            END)::smallint,
        product_id, country, currency, 0, 1
    FROM (SELECT DISTINCT ON (customer_id) * FROM told WHERE charges ORDER BY customer_id, occurred_at, id) first
    UNION ALL
    SELECT app_id, customer_id, 'paying', month, 0::smallint, product_id, country, currency, 0, 1
    FROM (
        SELECT DISTINCT ON (customer_id, date_trunc('month', day)) *, date_trunc('month', day)::date AS month
        FROM told
        WHERE charges
        ORDER BY customer_id, date_trunc('month', day), occurred_at, id
    ) first
    UNION ALL
    SELECT app_id, customer_id, 'cohort_net', day, months_between(first_day, day), product_id, country, currency, amount, 0
    FROM told
$function$;

CREATE OR REPLACE FUNCTION roll_up(
    ids uuid[],
    upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone,
    upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    WITH added AS MATERIALIZED (
        SELECT t.app_id, t.environment, t.order_id, o.subscription_id, o.product_id, o.purchased_at,
            coalesce(o.storefront, '') AS country, t.currency, t.amount, t.kind, is_charge(t.kind) AS charges,
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
    placed AS MATERIALIZED (
        SELECT added.*, tenure_bucket(purchased_at, coalesce(first_charge, purchased_at)) AS dimension
        FROM added
        LEFT JOIN chains USING (subscription_id)
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
            t.amount, t.kind, is_charge(t.kind) AS charges,
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
    ),
    found AS (
        SELECT app_id, measure, environment, f.day, f.dimension, f.product, f.country, currency, recorded_on, f.amount, f.count
        FROM placed
        CROSS JOIN LATERAL (VALUES
            ('charge', charges AND amount > 0, day, dimension, product_id, country, amount, 1),
            ('free_order', charges AND amount = 0, day, 0::smallint, product_id, country, 0, 1),
            ('order_by_hour', charges, day, hour, '00000000-0000-0000-0000-000000000000', '', amount, 1),
            ('refund', NOT charges, day, dimension, product_id, country, -amount, (kind <> 'refund_reversal')::int),
            ('refund_by_hour', NOT charges, day, hour, '00000000-0000-0000-0000-000000000000', '', -amount,
                (kind <> 'refund_reversal')::int),
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
            ('refund', NOT charges, day, -amount, (kind <> 'refund_reversal')::int),
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
END $function$;

CREATE OR REPLACE FUNCTION roll_up_customers(
    who uuid[],
    known date[],
    firsts_before timestamp with time zone[],
    skipped uuid[] DEFAULT '{}'::uuid[],
    moved uuid DEFAULT NULL::uuid,
    mover uuid DEFAULT NULL::uuid,
    upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone,
    upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    firsts timestamptz[] := (
        SELECT array_agg(c.created_at ORDER BY p.place)
        FROM unnest(who) WITH ORDINALITY p (id, place)
        JOIN customers c USING (id));
BEGIN
    WITH changed AS MATERIALIZED (
        SELECT app_id, customer_id, measure, day, dimension, product_id, country, currency, k.recorded_on,
            sum(sign * amount)::bigint AS amount, sum(sign * count)::bigint AS count
        FROM (
            SELECT 1 AS sign, now_so.* FROM customer_cells(who, firsts, '{}', NULL, NULL, upto, upto_id) now_so
            UNION ALL
            SELECT -1, before.* FROM customer_cells(who, firsts_before, skipped, moved, mover, upto, upto_id) before
        ) cells
        JOIN unnest(who, known) k (id, recorded_on) ON k.id = customer_id
        GROUP BY app_id, customer_id, measure, day, dimension, product_id, country, currency, k.recorded_on
        HAVING sum(sign * amount) <> 0 OR sum(sign * count) <> 0
    ),
    -- What is taken back on the day on which it became known is there no more.
    gone AS (
        DELETE FROM subscriber_entries e
        USING changed c
        WHERE c.count <> 0 AND e.count + c.count = 0 AND e.app_id = c.app_id AND e.measure = c.measure
            AND e.customer_id = c.customer_id AND e.day = c.day AND e.dimension = c.dimension AND e.product_id = c.product_id
            AND e.country = c.country AND e.currency = c.currency AND e.recorded_on = c.recorded_on
            AND e.effective_at = '-infinity'
        RETURNING e.measure, e.customer_id, e.day, e.dimension, e.product_id, e.country, e.currency
    ),
    kept AS (
        INSERT INTO subscriber_entries AS e
            (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                amount, count)
        SELECT app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, '-infinity', 0, count
        FROM changed
        WHERE count <> 0 AND (measure, customer_id, day, dimension, product_id, country, currency) NOT IN (SELECT * FROM gone)
        ON CONFLICT ON CONSTRAINT one_entry_per_customer_and_cell DO UPDATE SET count = e.count + excluded.count
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT app_id, measure, 'production', day, dimension, product_id, country, currency, recorded_on, sum(amount), sum(count)
    FROM changed
    GROUP BY app_id, measure, day, dimension, product_id, country, currency, recorded_on
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $function$;

CREATE OR REPLACE FUNCTION roll_up_new_customers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    WITH seen AS MATERIALIZED (
        SELECT n.app_id, n.id, (n.created_at AT TIME ZONE a.time_zone)::date AS day,
            (n.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on
        FROM added n
        JOIN apps a ON a.id = n.app_id
    ),
    kept AS (
        INSERT INTO subscriber_entries
            (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                amount, count)
        SELECT app_id, id, 'seen', day, 0, '00000000-0000-0000-0000-000000000000', '', '', recorded_on, '-infinity', 0, 1
        FROM seen
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT app_id, 'seen', 'production', day, 0, '00000000-0000-0000-0000-000000000000', '', '', recorded_on, 0, count(*)
    FROM seen
    GROUP BY app_id, day, recorded_on;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION roll_up_seen(
    customer uuid,
    first timestamp with time zone,
    environment text,
    known timestamp with time zone,
    sign integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    of_app uuid;
    first_day date;
    known_on date;
    nothing CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    SELECT c.app_id, (first AT TIME ZONE a.time_zone)::date, (known AT TIME ZONE a.time_zone)::date
    INTO of_app, first_day, known_on
    FROM customers c
    JOIN apps a ON a.id = c.app_id
    WHERE c.id = customer;
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    VALUES (of_app, 'seen', environment, first_day, 0, nothing, '', '', known_on, 0, sign);
    IF environment <> 'production' THEN
        RETURN;
    END IF;
    DELETE FROM subscriber_entries e
    WHERE e.app_id = of_app AND e.measure = 'seen' AND e.customer_id = customer AND e.day = first_day
        AND e.recorded_on = known_on AND e.count + sign = 0;
    IF NOT FOUND THEN
        INSERT INTO subscriber_entries AS e
            (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                amount, count)
        VALUES (of_app, customer, 'seen', first_day, 0, nothing, '', '', known_on, '-infinity', 0, sign)
        ON CONFLICT ON CONSTRAINT one_entry_per_customer_and_cell DO UPDATE SET count = e.count + excluded.count;
    END IF;
END $function$;
