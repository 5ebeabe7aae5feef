-- The ledger grows by one entry at a time. What such an entry adds to the metrics is told by a few short statements, unless it
-- changes what was told of others: then, and for many at once, roll_up() and roll_up_cohorts() tell what was and what is.

CREATE FUNCTION roll_up_entry(entry uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    e record;
    chain record;
BEGIN
    SELECT t.app_id, t.environment, t.kind, t.amount, t.currency, t.occurred_at, is_charge(t.kind) AS charges,
        (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
        extract(hour FROM t.occurred_at AT TIME ZONE a.time_zone)::smallint AS hour,
        (t.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on,
        o.subscription_id, o.product_id, o.purchased_at, coalesce(o.storefront, '') AS country
    INTO e
    FROM ledger_entries t
    JOIN orders o ON o.id = t.order_id
    JOIN apps a ON a.id = t.app_id
    WHERE t.id = entry AND t.status = 'success';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- The first paid charge of the subscription, as it was before and as it is now.
    SELECT min(t.occurred_at) FILTER (WHERE t.id <> entry) AS first_before, min(t.occurred_at) AS first_charge
    INTO chain
    FROM orders o
    JOIN ledger_entries t ON t.order_id = o.id
    WHERE o.subscription_id = e.subscription_id AND t.status = 'success' AND is_charge(t.kind) AND t.amount > 0;
    IF NOT e.charges OR chain.first_charge < chain.first_before THEN
        PERFORM roll_up(ARRAY[entry]);
        RETURN;
    END IF;
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT e.app_id, f.measure, e.environment, e.day, f.dimension, f.product, f.country, e.currency, e.recorded_on, e.amount, 1
    FROM (VALUES
        ('charge', e.amount > 0, tenure_bucket(e.purchased_at, coalesce(chain.first_charge, e.purchased_at)), e.product_id,
            e.country),
        ('free_order', e.amount = 0, 0::smallint, e.product_id, e.country),
        ('order_by_hour', true, e.hour, '00000000-0000-0000-0000-000000000000'::uuid, '')
    ) f (measure, holds, dimension, product, country)
    WHERE f.holds;
END $$;

CREATE FUNCTION roll_up_cohorts_of_entry(entry uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    e record;
    others record;
    cell record;
    converts boolean := false;
    pays boolean := false;
BEGIN
    SELECT t.app_id, t.amount, t.currency, t.occurred_at, is_charge(t.kind) AS charges,
        (t.occurred_at AT TIME ZONE a.time_zone)::date AS day, (t.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on,
        o.product_id, coalesce(o.storefront, '') AS country, c.id AS customer_id, a.time_zone,
        (c.created_at AT TIME ZONE a.time_zone)::date AS first_day
    INTO e
    FROM ledger_entries t
    JOIN orders o ON o.id = t.order_id
    LEFT JOIN subscriptions s ON s.id = o.subscription_id
    JOIN customers c ON c.id = coalesce(s.customer_id, o.customer_id)
    JOIN apps a ON a.id = c.app_id
    WHERE t.id = entry AND t.environment = 'production' AND t.status = 'success' AND t.amount <> 0;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF e.charges THEN
        -- The customer's other paid charges.
        SELECT coalesce(bool_or((t.occurred_at, t.id) > (e.occurred_at, entry)), false) AS later, count(*) AS known,
            coalesce(bool_or(date_trunc('month', t.occurred_at AT TIME ZONE e.time_zone) = date_trunc('month', e.day)), false)
                AS within_the_month
        INTO others
        FROM (
            SELECT o.id, o.environment
            FROM subscriptions s
            JOIN orders o ON o.subscription_id = s.id
            WHERE s.customer_id = e.customer_id
            UNION ALL
            SELECT id, environment FROM orders WHERE customer_id = e.customer_id AND subscription_id IS NULL
        ) o
        JOIN ledger_entries t ON t.order_id = o.id
        WHERE o.environment = 'production' AND t.status = 'success' AND t.amount <> 0 AND is_charge(t.kind) AND t.id <> entry;
        IF others.later THEN
            PERFORM roll_up_cohorts(ARRAY[entry]);
            RETURN;
        END IF;
        converts := others.known = 0;
        pays := NOT others.within_the_month;
    END IF;
    FOR cell IN
        SELECT v.measure, v.day, v.dimension
        FROM (VALUES
            ('converted', converts, date_trunc('month', e.first_day)::date,
                (CASE WHEN e.day <= e.first_day + 7 THEN 0 WHEN e.day <= e.first_day + 30 THEN 1
                    WHEN e.day <= e.first_day + 90 THEN 2 ELSE 3 END)::smallint),
            ('paying', pays, date_trunc('month', e.day)::date, 0::smallint)
        ) v (measure, holds, day, dimension)
        WHERE v.holds
    LOOP
        -- What was taken back on the day on which it became known, and comes back on that day, was never gone.
        DELETE FROM subscriber_entries s
        WHERE s.app_id = e.app_id AND s.measure = cell.measure AND s.customer_id = e.customer_id AND s.day = cell.day
            AND s.dimension = cell.dimension AND s.product_id = e.product_id AND s.country = e.country
            AND s.currency = e.currency AND s.recorded_on = e.recorded_on AND s.effective_at = '-infinity' AND s.count = -1;
        IF NOT FOUND THEN
            INSERT INTO subscriber_entries AS s
                (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at, amount,
                    count)
            VALUES (e.app_id, e.customer_id, cell.measure, cell.day, cell.dimension, e.product_id, e.country, e.currency,
                e.recorded_on, '-infinity', 0, 1)
            ON CONFLICT ON CONSTRAINT one_entry_per_customer_and_cell DO UPDATE SET count = s.count + 1;
        END IF;
        INSERT INTO rollup_entries
            (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
        VALUES (e.app_id, cell.measure, 'production', cell.day, cell.dimension, e.product_id, e.country, e.currency,
            e.recorded_on, 0, 1);
    END LOOP;
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    VALUES (e.app_id, 'cohort_net', 'production', e.day, months_between(e.first_day, e.day), e.product_id, e.country, e.currency,
        e.recorded_on, e.amount, 0);
END $$;

CREATE OR REPLACE FUNCTION roll_up_what_is_added() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode TO force_custom_plan
    SET enable_seqscan TO off
AS $$
DECLARE
    ids uuid[] := (SELECT array_agg(id) FROM added);
BEGIN
    IF cardinality(ids) <= 100 THEN SET LOCAL plan_cache_mode = force_generic_plan; END IF;
    IF cardinality(ids) = 1 THEN
        PERFORM roll_up_entry(ids[1]);
        PERFORM roll_up_cohorts_of_entry(ids[1]);
    ELSE
        PERFORM roll_up(ids);
        PERFORM roll_up_cohorts(ids);
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER cohorts_follow_the_ledger ON ledger_entries;
DROP FUNCTION roll_up_cohorts_of_what_is_added();
