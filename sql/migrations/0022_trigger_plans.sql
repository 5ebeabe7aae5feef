-- The statements that keep the rollups are long and touch a few rows: planning one took ten to thirty times as long as running
-- it, and because they are given arrays, PostgreSQL planned them anew each time. For a few rows they are now planned once a
-- connection; for many, with their number in mind. All they read they find by key, also while a young table has no statistics.

CREATE OR REPLACE FUNCTION roll_up_what_is_added() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
DECLARE
    ids uuid[] := (SELECT array_agg(id) FROM added);
BEGIN
    IF cardinality(ids) <= 100 THEN SET LOCAL plan_cache_mode = force_generic_plan; END IF;
    PERFORM roll_up(ids);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION roll_up_cohorts_of_what_is_added() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
DECLARE
    ids uuid[] := (SELECT array_agg(id) FROM added);
BEGIN
    IF cardinality(ids) <= 100 THEN SET LOCAL plan_cache_mode = force_generic_plan; END IF;
    PERFORM roll_up_cohorts(ids);
    RETURN NULL;
END $$;

ALTER FUNCTION roll_up_first_day() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION roll_up_first_day() SET enable_seqscan = off;
ALTER FUNCTION roll_up_moved_subscription() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION roll_up_moved_subscription() SET enable_seqscan = off;

-- Thousands of rows at a time.
ALTER FUNCTION roll_up_next(uuid, timestamptz, uuid) SET plan_cache_mode = force_custom_plan;

-- A function in SQL is planned each time it is called.
CREATE OR REPLACE FUNCTION seen_in(customer uuid, skipped uuid[] DEFAULT '{}', added text DEFAULT NULL) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN bool_and(held.environment = 'sandbox') THEN 'sandbox' ELSE 'production' END
        FROM (
            SELECT s.environment FROM subscriptions s WHERE s.customer_id = customer AND s.id <> ALL(skipped)
            UNION ALL
            SELECT added WHERE added IS NOT NULL
        ) held);
END $$;

CREATE OR REPLACE FUNCTION customer_cells(
    who uuid[],
    firsts timestamptz[],
    skipped uuid[],
    moved uuid,
    mover uuid,
    upto timestamptz,
    upto_id uuid
) RETURNS TABLE (
    app_id uuid, customer_id uuid, measure text, day date, step smallint, product_id uuid, country text, currency text,
    amount bigint, count bigint
) LANGUAGE sql STABLE AS $$
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
            FROM transactions
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
$$;
