-- What became of those who came in the same month, and who gained and lost access (docs/metrics.md).
--
-- Customers and what they pay follow the tables they are written in; access and retention are written as notifications are
-- applied and as staff give and take. What was there before this migration is added by `perennial rollups rebuild`.

-- When we first heard of a customer; `created_at` is when she was first there, by the store's clock.
ALTER TABLE customers ADD COLUMN known_at timestamptz;
UPDATE customers c
SET known_at = coalesce((SELECT min(s.created_at) FROM subscriptions s WHERE s.customer_id = c.id), c.created_at);
ALTER TABLE customers ALTER COLUMN known_at SET DEFAULT now(), ALTER COLUMN known_at SET NOT NULL;

-- What ended a stretch of access before its time, and since when its transaction is given back in full.
ALTER TABLE access_periods
    ADD COLUMN ended_by text,
    ADD COLUMN refunded_at timestamptz,
    ADD CONSTRAINT what_ends_a_period_is_known CHECK (ended_by IN ('refunded', 'revoked', 'paused', 'unpaid'));

-- Every change of what a customer may use. A change that is still to come is known already, and not yet true.
CREATE TABLE access_changes (
    id              uuid PRIMARY KEY,
    app_id          uuid NOT NULL REFERENCES apps,
    customer_id     uuid NOT NULL REFERENCES customers,
    at              timestamptz NOT NULL,
    -- What was had before and since then: a product, or the plan of a grant; NULL for nothing.
    before_id       uuid,
    after_id        uuid,
    cause           text NOT NULL,
    -- Of what is had since then, else of what was; empty where there is none.
    country         text NOT NULL,
    currency        text NOT NULL,
    -- What it came from.
    subscription_id uuid REFERENCES subscriptions,
    grant_id        uuid REFERENCES grants,
    recorded_at     timestamptz NOT NULL,
    -- When something else became known in its place; NULL for what is known now.
    retired_at      timestamptz,
    CONSTRAINT cause_is_known CHECK (cause IN (
        'bought', 'trial', 'shared', 'resumed', 'restored', 'granted', 'expired', 'trial_ended', 'unpaid', 'paused',
        'refunded', 'revoked', 'suspended', 'grant_ended', 'withdrawn')),
    CONSTRAINT a_change_changes_something CHECK (before_id IS DISTINCT FROM after_id),
    CONSTRAINT a_change_comes_from_one_thing CHECK ((subscription_id IS NULL) <> (grant_id IS NULL))
);
CREATE INDEX access_changes_newest_first ON access_changes (app_id, at DESC, id DESC) WHERE retired_at IS NULL;
CREATE INDEX access_changes_of_customers ON access_changes (customer_id, at) WHERE retired_at IS NULL;

ALTER TABLE rollups DROP CONSTRAINT measure_is_known;
ALTER TABLE rollups ADD CONSTRAINT measure_is_known CHECK (measure IN (
    'charge', 'free_order', 'refund', 'refunded_charge', 'order_by_hour', 'refund_by_hour',
    'mrr', 'subscriber', 'lost', 'trial', 'trial_converted', 'trial_abandoned',
    'seen', 'converted', 'paying', 'cohort_net', 'started', 'retained', 'holder', 'access'));

-- Months from one day's month to another's; 0 where the other is earlier.
CREATE FUNCTION months_between(first date, later date) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN greatest(0, (extract(year FROM later) - extract(year FROM first)) * 12
        + extract(month FROM later) - extract(month FROM first))::smallint;

-- What some customers add to the figures of cohorts, given when each was first there: `converted` in the month she was first
-- there, by how soon she paid (0 within 7 days, 1 within 30, 2 within 90, 3 later); `paying` in each month in which she paid;
-- `cohort_net` on the day of each ledger row, by the months since she was first there.
--
-- Ledger rows in `skipped` and those recorded after a place are left out; a subscription that moved is counted as another's.
CREATE FUNCTION customer_cells(
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
    held AS (
        SELECT o.id, o.product_id, coalesce(o.storefront, '') AS country,
            CASE WHEN s.id = moved THEN mover ELSE s.customer_id END AS owner
        FROM subscriptions s
        JOIN orders o ON o.subscription_id = s.id
        WHERE (s.customer_id = ANY(who) OR s.id = moved) AND o.environment = 'production'
        UNION ALL
        SELECT o.id, o.product_id, coalesce(o.storefront, ''), o.customer_id
        FROM orders o
        WHERE o.subscription_id IS NULL AND o.customer_id = ANY(who) AND o.environment = 'production'
    ),
    told AS MATERIALIZED (
        SELECT p.id AS customer_id, p.app_id, p.first_day, t.id, t.occurred_at, t.amount, t.currency, h.product_id, h.country,
            is_charge(t.kind) AS charges, (t.occurred_at AT TIME ZONE p.time_zone)::date AS day
        FROM people p
        JOIN held h ON h.owner = p.id
        JOIN transactions t ON t.order_id = h.id
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

-- Adds the entries that make some customers' cells what they are now, from what they were: with other first days, without some
-- ledger rows, or with a subscription that was another's.
CREATE FUNCTION roll_up_customers(
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
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT app_id, measure, 'production', day, step, product_id, country, currency, k.known_day, sum(sign * amount),
        sum(sign * count)
    FROM (
        SELECT 1 AS sign, now_so.* FROM customer_cells(who, firsts, '{}', NULL, NULL, upto, upto_id) now_so
        UNION ALL
        SELECT -1, before.* FROM customer_cells(who, firsts_before, skipped, moved, mover, upto, upto_id) before
    ) cells
    JOIN unnest(who, known) k (id, known_day) ON k.id = customer_id
    GROUP BY app_id, measure, day, step, product_id, country, currency, k.known_day
    HAVING sum(sign * amount) <> 0 OR sum(sign * count) <> 0;
END $$;

-- The same for some rows of the ledger, given those that were recorded up to a moment, as `roll_up` does.
CREATE FUNCTION roll_up_cohorts(
    ids uuid[],
    upto timestamptz DEFAULT 'infinity',
    upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    who uuid[];
    known date[];
    firsts timestamptz[];
BEGIN
    SELECT array_agg(id), array_agg(known_day), array_agg(created_at)
    INTO who, known, firsts
    FROM (
        SELECT c.id, c.created_at, max((t.recorded_at AT TIME ZONE a.time_zone)::date) AS known_day
        FROM transactions t
        JOIN orders o ON o.id = t.order_id
        LEFT JOIN subscriptions s ON s.id = o.subscription_id
        JOIN customers c ON c.id = coalesce(s.customer_id, o.customer_id)
        JOIN apps a ON a.id = c.app_id
        WHERE t.id = ANY(ids) AND t.environment = 'production' AND t.status = 'success' AND t.amount <> 0
        GROUP BY c.id, c.created_at
    ) payers;
    IF who IS NOT NULL THEN
        PERFORM roll_up_customers(who, known, firsts, skipped => ids, upto => upto, upto_id => upto_id);
    END IF;
END $$;

CREATE FUNCTION roll_up_cohorts_of_what_is_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM roll_up_cohorts((SELECT array_agg(id) FROM added));
    RETURN NULL;
END $$;
CREATE TRIGGER cohorts_follow_the_ledger AFTER INSERT ON transactions
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_cohorts_of_what_is_added();

-- Adds customers to those seen on their first days, or takes them away.
CREATE FUNCTION roll_up_seen(customer uuid, first timestamptz, environment text, known timestamptz, sign integer)
    RETURNS void LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT c.app_id, 'seen', environment, (first AT TIME ZONE a.time_zone)::date, 0, '00000000-0000-0000-0000-000000000000',
        '', '', (known AT TIME ZONE a.time_zone)::date, 0, sign
    FROM customers c
    JOIN apps a ON a.id = c.app_id
    WHERE c.id = customer;
END;

-- Where a customer counts: in the sandbox when all her subscriptions are there. Some are left out, one may be added.
CREATE FUNCTION seen_in(customer uuid, skipped uuid[] DEFAULT '{}', added text DEFAULT NULL) RETURNS text
    LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN bool_and(environment = 'sandbox') THEN 'sandbox' ELSE 'production' END
    FROM (
        SELECT environment FROM subscriptions WHERE customer_id = customer AND id <> ALL(skipped)
        UNION ALL
        SELECT added WHERE added IS NOT NULL
    ) held;
END;

CREATE FUNCTION count_as_seen(customer uuid, environment_before text, known timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz := (SELECT created_at FROM customers WHERE id = customer);
BEGIN
    IF environment_before <> seen_in(customer) THEN
        PERFORM roll_up_seen(customer, first, environment_before, known, -1);
        PERFORM roll_up_seen(customer, first, seen_in(customer), known, 1);
    END IF;
END $$;

CREATE FUNCTION roll_up_new_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT app_id, 'seen', 'production', (n.created_at AT TIME ZONE a.time_zone)::date AS day, 0,
        '00000000-0000-0000-0000-000000000000', '', '', (n.known_at AT TIME ZONE a.time_zone)::date AS known_day, 0, count(*)
    FROM added n
    JOIN apps a ON a.id = n.app_id
    GROUP BY app_id, (n.created_at AT TIME ZONE a.time_zone)::date, (n.known_at AT TIME ZONE a.time_zone)::date;
    RETURN NULL;
END $$;
CREATE TRIGGER cohorts_follow_customers AFTER INSERT ON customers
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_new_customers();

CREATE FUNCTION roll_up_first_day() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    today date := (SELECT (now() AT TIME ZONE time_zone)::date FROM apps WHERE id = NEW.app_id);
BEGIN
    PERFORM roll_up_seen(NEW.id, OLD.created_at, seen_in(NEW.id), now(), -1);
    PERFORM roll_up_seen(NEW.id, NEW.created_at, seen_in(NEW.id), now(), 1);
    PERFORM roll_up_customers(ARRAY[NEW.id], ARRAY[today], ARRAY[OLD.created_at]);
    RETURN NULL;
END $$;
CREATE TRIGGER cohorts_follow_first_days AFTER UPDATE OF created_at ON customers
    FOR EACH ROW WHEN (OLD.created_at <> NEW.created_at) EXECUTE FUNCTION roll_up_first_day();

CREATE FUNCTION roll_up_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_as_seen(customer_id, seen_in(customer_id, array_agg(id)), max(created_at))
    FROM added
    GROUP BY customer_id;
    RETURN NULL;
END $$;
CREATE TRIGGER cohorts_follow_new_subscriptions AFTER INSERT ON subscriptions
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_new_subscriptions();

CREATE FUNCTION roll_up_moved_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    who uuid[] := ARRAY[OLD.customer_id, NEW.customer_id];
    firsts timestamptz[] := (
        SELECT array_agg(c.created_at ORDER BY p.place)
        FROM unnest(who) WITH ORDINALITY p (id, place)
        JOIN customers c USING (id));
    known date := (SELECT (NEW.updated_at AT TIME ZONE time_zone)::date FROM apps WHERE id = NEW.app_id);
BEGIN
    PERFORM count_as_seen(OLD.customer_id, seen_in(OLD.customer_id, added => NEW.environment), NEW.updated_at);
    PERFORM count_as_seen(NEW.customer_id, seen_in(NEW.customer_id, ARRAY[NEW.id]), NEW.updated_at);
    PERFORM roll_up_customers(who, ARRAY[known, known], firsts, moved => NEW.id, mover => OLD.customer_id);
    RETURN NULL;
END $$;
CREATE TRIGGER cohorts_follow_moved_subscriptions AFTER UPDATE OF customer_id ON subscriptions
    FOR EACH ROW WHEN (OLD.customer_id <> NEW.customer_id) EXECUTE FUNCTION roll_up_moved_subscription();

-- As before, and the cohorts too.
CREATE OR REPLACE FUNCTION roll_up_next(of_app uuid, after_moment timestamptz, after_id uuid)
    RETURNS TABLE (last_moment timestamptz, last_id uuid, rows_taken integer) LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
    moments timestamptz[];
BEGIN
    SELECT array_agg(batch.id ORDER BY batch.recorded_at, batch.id), array_agg(batch.recorded_at ORDER BY batch.recorded_at, batch.id)
    INTO ids, moments
    FROM (
        SELECT t.id, t.recorded_at
        FROM transactions t
        WHERE t.app_id = of_app AND (t.recorded_at, t.id) > (after_moment, after_id) AND t.recorded_at < (
            SELECT ((next.recorded_at AT TIME ZONE a.time_zone)::date + 1)::timestamp AT TIME ZONE a.time_zone
            FROM transactions next
            JOIN apps a ON a.id = next.app_id
            WHERE next.app_id = of_app AND (next.recorded_at, next.id) > (after_moment, after_id)
            ORDER BY next.recorded_at, next.id
            LIMIT 1)
        ORDER BY t.recorded_at, t.id
        LIMIT 5000
    ) batch;
    rows_taken := cardinality(ids);
    IF rows_taken > 0 THEN
        last_moment := moments[rows_taken];
        last_id := ids[rows_taken];
        PERFORM roll_up(ids, last_moment, last_id);
        PERFORM roll_up_cohorts(ids, last_moment, last_id);
        RETURN NEXT;
    END IF;
END $$;
