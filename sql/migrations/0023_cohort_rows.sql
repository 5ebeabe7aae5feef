-- The rows behind the figures of cohorts and of what customers may use: what each customer adds to them (docs/metrics.md).
--
-- Written in the transaction that writes the entries of the rollups, of which they are the same but for whose they are; of
-- `cohort_net` none are kept, the ledger has them. What was there before this migration is added by `perennial rollups rebuild`.

-- Who is seen has bought nothing yet, and what staff give is a plan: neither is a product.
ALTER TABLE subscriber_entries DROP CONSTRAINT subscriber_entries_product_id_fkey;

-- A cohort's subscriptions that paid for one period, without a look at those of all other periods.
CREATE INDEX subscriber_entries_by_period ON subscriber_entries (app_id, day, step, customer_id) WHERE measure = 'retained';

-- As before, and whose each change is.
CREATE OR REPLACE FUNCTION roll_up_customers(
    who uuid[],
    known date[],
    firsts_before timestamptz[],
    skipped uuid[] DEFAULT '{}',
    moved uuid DEFAULT NULL,
    mover uuid DEFAULT NULL,
    upto timestamptz DEFAULT 'infinity',
    upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    firsts timestamptz[] := (
        SELECT array_agg(c.created_at ORDER BY p.place)
        FROM unnest(who) WITH ORDINALITY p (id, place)
        JOIN customers c USING (id));
BEGIN
    WITH changed AS MATERIALIZED (
        SELECT app_id, customer_id, measure, day, step, product_id, country, currency, k.known_day,
            sum(sign * amount)::bigint AS amount, sum(sign * count)::bigint AS count
        FROM (
            SELECT 1 AS sign, now_so.* FROM customer_cells(who, firsts, '{}', NULL, NULL, upto, upto_id) now_so
            UNION ALL
            SELECT -1, before.* FROM customer_cells(who, firsts_before, skipped, moved, mover, upto, upto_id) before
        ) cells
        JOIN unnest(who, known) k (id, known_day) ON k.id = customer_id
        GROUP BY app_id, customer_id, measure, day, step, product_id, country, currency, k.known_day
        HAVING sum(sign * amount) <> 0 OR sum(sign * count) <> 0
    ),
    -- What is taken back on the day on which it became known is there no more.
    gone AS (
        DELETE FROM subscriber_entries e
        USING changed c
        WHERE c.count <> 0 AND e.count + c.count = 0 AND e.app_id = c.app_id AND e.measure = c.measure
            AND e.customer_id = c.customer_id AND e.day = c.day AND e.step = c.step AND e.product_id = c.product_id
            AND e.country = c.country AND e.currency = c.currency AND e.known_day = c.known_day
            AND e.visible_at = '-infinity'
        RETURNING e.measure, e.customer_id, e.day, e.step, e.product_id, e.country, e.currency
    ),
    kept AS (
        INSERT INTO subscriber_entries AS e
            (app_id, customer_id, measure, day, step, product_id, country, currency, known_day, visible_at, amount, count)
        SELECT app_id, customer_id, measure, day, step, product_id, country, currency, known_day, '-infinity', 0, count
        FROM changed
        WHERE count <> 0 AND (measure, customer_id, day, step, product_id, country, currency) NOT IN (SELECT * FROM gone)
        ON CONFLICT ON CONSTRAINT one_entry_per_customer_and_cell DO UPDATE SET count = e.count + excluded.count
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT app_id, measure, 'production', day, step, product_id, country, currency, known_day, sum(amount), sum(count)
    FROM changed
    GROUP BY app_id, measure, day, step, product_id, country, currency, known_day
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $$;

-- As before, and whose it is; of the sandbox there are no rows.
CREATE OR REPLACE FUNCTION roll_up_seen(customer uuid, first timestamptz, environment text, known timestamptz, sign integer)
    RETURNS void LANGUAGE plpgsql AS $$
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
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    VALUES (of_app, 'seen', environment, first_day, 0, nothing, '', '', known_on, 0, sign);
    IF environment <> 'production' THEN
        RETURN;
    END IF;
    DELETE FROM subscriber_entries e
    WHERE e.app_id = of_app AND e.measure = 'seen' AND e.customer_id = customer AND e.day = first_day
        AND e.known_day = known_on AND e.count + sign = 0;
    IF NOT FOUND THEN
        INSERT INTO subscriber_entries AS e
            (app_id, customer_id, measure, day, step, product_id, country, currency, known_day, visible_at, amount, count)
        VALUES (of_app, customer, 'seen', first_day, 0, nothing, '', '', known_on, '-infinity', 0, sign)
        ON CONFLICT ON CONSTRAINT one_entry_per_customer_and_cell DO UPDATE SET count = e.count + excluded.count;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION roll_up_new_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH seen AS MATERIALIZED (
        SELECT n.app_id, n.id, (n.created_at AT TIME ZONE a.time_zone)::date AS day,
            (n.known_at AT TIME ZONE a.time_zone)::date AS known_day
        FROM added n
        JOIN apps a ON a.id = n.app_id
    ),
    kept AS (
        INSERT INTO subscriber_entries
            (app_id, customer_id, measure, day, step, product_id, country, currency, known_day, visible_at, amount, count)
        SELECT app_id, id, 'seen', day, 0, '00000000-0000-0000-0000-000000000000', '', '', known_day, '-infinity', 0, 1
        FROM seen
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT app_id, 'seen', 'production', day, 0, '00000000-0000-0000-0000-000000000000', '', '', known_day, 0, count(*)
    FROM seen
    GROUP BY app_id, day, known_day;
    RETURN NULL;
END $$;
