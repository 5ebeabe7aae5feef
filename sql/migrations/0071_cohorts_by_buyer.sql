-- A charge counts in cohorts with whoever bought it, as it does everywhere else: an account that takes a subscription on later leaves it
-- the periods that another account paid for. Part of version 3 of the metrics' definitions.

-- What customers count for, where the order `moved` is taken for one of `mover`'s.
CREATE OR REPLACE FUNCTION customer_cells(who uuid[], firsts timestamp with time zone[], skipped uuid[], moved uuid, mover uuid, upto timestamp with time zone, upto_id uuid) RETURNS TABLE(app_id uuid, customer_id uuid, measure text, day date, dimension smallint, product_id uuid, country text, currency text, amount bigint, count bigint)
    LANGUAGE sql STABLE
    AS $$
    WITH people AS (
        SELECT p.id, c.app_id, a.time_zone, (p.first AT TIME ZONE a.time_zone)::date AS first_day
        FROM unnest(who, firsts) p (id, first)
        JOIN customers c ON c.id = p.id
        JOIN apps a ON a.id = c.app_id
    ),
    -- OFFSET 0: looked up by this one key, whatever the planner believes of a table that was empty a minute ago.
    held AS (
        SELECT o.id, o.product_id, o.country, people.id AS owner
        FROM people
        CROSS JOIN LATERAL (
            SELECT id, product_id, coalesce(storefront, '') AS country, environment
            FROM orders
            WHERE customer_id = people.id
            OFFSET 0
        ) o
        WHERE o.environment = 'production' AND o.id IS DISTINCT FROM moved
        UNION ALL
        SELECT id, product_id, coalesce(storefront, ''), mover
        FROM orders
        WHERE id = moved AND environment = 'production'
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
$$;

-- `moved` is about to become an order of `mover`'s.
CREATE OR REPLACE FUNCTION roll_up_customers(who uuid[], known date[], firsts_before timestamp with time zone[], skipped uuid[] DEFAULT '{}'::uuid[], moved uuid DEFAULT NULL::uuid, mover uuid DEFAULT NULL::uuid, upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
            SELECT 1 AS sign, now_so.* FROM customer_cells(who, firsts, '{}', moved, mover, upto, upto_id) now_so
            UNION ALL
            SELECT -1, before.* FROM customer_cells(who, firsts_before, skipped, NULL, NULL, upto, upto_id) before
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
END $$;

CREATE OR REPLACE FUNCTION roll_up_cohorts(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    who uuid[];
    known date[];
    firsts timestamptz[];
BEGIN
    SELECT array_agg(id), array_agg(recorded_on), array_agg(created_at)
    INTO who, known, firsts
    FROM (
        SELECT c.id, c.created_at, max((t.recorded_at AT TIME ZONE a.time_zone)::date) AS recorded_on
        FROM ledger_entries t
        JOIN orders o ON o.id = t.order_id
        JOIN customers c ON c.id = o.customer_id
        JOIN apps a ON a.id = c.app_id
        WHERE t.id = ANY(ids) AND t.environment = 'production' AND t.status = 'success' AND t.amount <> 0
        GROUP BY c.id, c.created_at
    ) payers;
    IF who IS NOT NULL THEN
        -- Who bought need not be who is locked for the subscription. A rebuild has the ledger to itself.
        IF upto = 'infinity' THEN
            PERFORM FROM customers WHERE id = ANY(who) ORDER BY id FOR NO KEY UPDATE;
        END IF;
        PERFORM roll_up_customers(who, known, firsts, skipped => ids, upto => upto, upto_id => upto_id);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION roll_up_cohorts_of_entry(entry uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
    JOIN customers c ON c.id = o.customer_id
    JOIN apps a ON a.id = c.app_id
    WHERE t.id = entry AND t.environment = 'production' AND t.status = 'success' AND t.amount <> 0
    FOR NO KEY UPDATE OF c;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF e.charges THEN
        -- The customer's other paid charges.
        SELECT coalesce(bool_or((t.occurred_at, t.id) > (e.occurred_at, entry)), false) AS later, count(*) AS known,
            coalesce(bool_or(date_trunc('month', t.occurred_at AT TIME ZONE e.time_zone) = date_trunc('month', e.day)), false)
                AS within_the_month
        INTO others
        FROM orders o
        JOIN ledger_entries t ON t.order_id = o.id
        WHERE o.customer_id = e.customer_id AND o.environment = 'production' AND t.status = 'success' AND t.amount <> 0
            AND is_charge(t.kind) AND t.id <> entry;
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

CREATE OR REPLACE FUNCTION roll_up_moved_subscription() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    PERFORM count_as_seen(OLD.customer_id, seen_in(OLD.customer_id, added => NEW.environment), NEW.updated_at);
    PERFORM count_as_seen(NEW.customer_id, seen_in(NEW.customer_id, ARRAY[NEW.id]), NEW.updated_at);
    RETURN NULL;
END $$;

-- Before each row: those of the same statement that were moved before it are seen as moved.
CREATE FUNCTION roll_up_moved_order() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    who uuid[] := ARRAY[OLD.customer_id, NEW.customer_id];
    known date := (SELECT (NEW.updated_at AT TIME ZONE time_zone)::date FROM apps WHERE id = NEW.app_id);
    firsts timestamptz[];
BEGIN
    PERFORM FROM customers WHERE id = ANY(who) ORDER BY id FOR NO KEY UPDATE;
    firsts := (
        SELECT array_agg(c.created_at ORDER BY p.place)
        FROM unnest(who) WITH ORDINALITY p (id, place)
        JOIN customers c USING (id));
    PERFORM roll_up_customers(who, ARRAY[known, known], firsts, moved => NEW.id, mover => NEW.customer_id);
    RETURN NEW;
END $$;

CREATE TRIGGER cohorts_follow_moved_orders BEFORE UPDATE OF customer_id ON orders
    FOR EACH ROW WHEN (OLD.customer_id <> NEW.customer_id) EXECUTE FUNCTION roll_up_moved_order();
