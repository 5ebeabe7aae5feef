-- A store's share falls after a year of paid service, counted in days that were paid for (docs/metrics.md, "proceeds"), and differs by
-- storefront and date. Until now the year began with the first charge and was one of the calendar, and terms were the same everywhere.
ALTER TABLE orders
    ADD COLUMN paid_days integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT paid_days_are_counted_from_zero CHECK (paid_days >= 0);
COMMENT ON COLUMN orders.paid_days IS 'Whole days of paid service before it, by the subscription''s events (Billing.PaidService).';

-- 1 after a year of paid service.
CREATE FUNCTION paid_year(paid_days integer) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN paid_days >= 365 THEN 1 ELSE 0 END::smallint;

-- Days that are known already, but for grace periods and extensions, which only the events tell: they are counted when the subscription is
-- next heard of.
UPDATE orders o
SET paid_days = counted.days
FROM (
    SELECT id, floor(coalesce(sum(seconds) OVER (PARTITION BY subscription_id, run ORDER BY purchased_at, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) / 86400 + 0.5)::integer AS days
    FROM (
        SELECT *, count(*) FILTER (WHERE purchased_at > ended_before + interval '60 days')
            OVER (PARTITION BY subscription_id ORDER BY purchased_at, id) AS run
        FROM (
            SELECT id, subscription_id, purchased_at,
                CASE WHEN is_paid THEN greatest(0, extract(epoch FROM
                    least(ends_at, lead(purchased_at) OVER own) - purchased_at)) ELSE 0 END AS seconds,
                max(ends_at) OVER (own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_before
            FROM (
                SELECT s.id, s.subscription_id, s.purchased_at,
                    NOT s.is_trial AND coalesce(s.amount > 0, s.refunded_at IS NULL) AND NOT coalesce(given.back >= s.amount, false) AS is_paid,
                    least(s.period_ends_at, CASE WHEN given.back > 0 AND (s.quantity = 1 OR given.back >= s.amount)
                        THEN greatest(given.at, s.purchased_at) END) AS ends_at
                FROM orders s
                LEFT JOIN LATERAL (
                    SELECT -sum(t.amount) AS back, max(t.occurred_at) AS at
                    FROM ledger_entries t
                    WHERE s.has_refunds AND t.order_id = s.id AND t.status = 'success' AND t.payer = 'store' AND is_refund(t.kind)
                ) given ON true
                WHERE s.joined_into IS NULL AND s.period_ends_at IS NOT NULL
            ) told
            WINDOW own AS (PARTITION BY subscription_id ORDER BY purchased_at, id)
        ) spans
    ) runs
) counted
WHERE o.id = counted.id AND counted.days > 0;

-- When an order's year of service turned out to be the other one, because an earlier charge or a refund became known only then: what was
-- booked of it moves that day.
CREATE TABLE paid_year_changes (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id       uuid NOT NULL REFERENCES apps,
    order_id     uuid NOT NULL REFERENCES orders,
    year_before  smallint NOT NULL,
    year_after   smallint NOT NULL,
    recorded_at  timestamptz NOT NULL,
    CONSTRAINT a_year_is_the_first_or_later CHECK (year_before IN (0, 1) AND year_after = 1 - year_before)
);
CREATE INDEX paid_year_changes_by_order ON paid_year_changes (order_id, recorded_at, id);
CREATE INDEX paid_year_changes_by_app ON paid_year_changes (app_id, recorded_at);

-- The terms that a store has for some storefronts since a date, as an app's catalogue says (Billing.StoreTerms). Of a storefront that is
-- here no others hold.
CREATE TABLE store_terms (
    app_id       uuid NOT NULL REFERENCES apps,
    store        text NOT NULL,
    storefront   text NOT NULL,
    since        timestamptz NOT NULL,
    number       smallint NOT NULL,
    first_year   integer NOT NULL,
    later        integer NOT NULL,
    CONSTRAINT one_row_per_storefront_and_date PRIMARY KEY (app_id, store, storefront, since),
    CONSTRAINT one_row_per_number UNIQUE (app_id, store, number),
    CONSTRAINT numbers_are_not_those_of_the_product CHECK (number BETWEEN 100 AND 2999),
    CONSTRAINT storefront_is_iso_3166 CHECK (storefront ~ '^[A-Z]{3}$'),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT terms_are_parts_of_the_whole CHECK (first_year BETWEEN 0 AND 10000 AND later BETWEEN 0 AND 10000)
);

-- A catalogue may say where an app is sold without a share of its own.
ALTER TABLE store_fees
    ALTER COLUMN first_year DROP NOT NULL,
    ALTER COLUMN later DROP NOT NULL,
    ADD COLUMN on_ios_only boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT both_years_have_a_share CHECK ((first_year IS NULL) = (later IS NULL));

-- The numbers of Billing.StoreTerms.usual; a test compares them.
CREATE FUNCTION usual_store_terms(of_store text, of_storefront text, bought_at timestamptz) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN of_store <> 'apple' THEN 0
        WHEN of_storefront = 'CHN' AND bought_at >= '2026-03-15 00:00:00+00' THEN 1
        WHEN of_storefront = ANY ('{AUT,BEL,BGR,HRV,CYP,CZE,DNK,EST,FIN,FRA,DEU,GRC,HUN,IRL,ITA,LVA,LTU,LUX,MLT,NLD,POL,PRT,ROU,SVK,SVN,ESP,SWE}')
            AND bought_at >= '2026-10-01 00:00:00+00' THEN 2
        WHEN of_storefront = 'JPN' AND bought_at >= '2026-03-17 00:00:00+00' THEN 3
        WHEN of_storefront = 'BRA' AND bought_at >= '2026-07-06 00:00:00+00' THEN 4
        ELSE 0
    END::smallint;

-- The terms that a charge is under; 0: those for the rest of the world.
CREATE FUNCTION store_terms_of(of_app uuid, of_store text, of_storefront text, bought_at timestamptz) RETURNS smallint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT CASE WHEN count(*) = 0 THEN usual_store_terms(of_store, of_storefront, bought_at)
            ELSE coalesce((array_agg(number ORDER BY since DESC) FILTER (WHERE since <= bought_at))[1], 0::smallint) END
        FROM store_terms
        WHERE app_id = of_app AND store = of_store AND storefront = of_storefront);

-- An entry's dimension is ten times the number of its charge's terms, and 1 where that was after a year of paid service. While an app is
-- counted again an entry is where it was when it was booked, and moves when its order's year did (roll_up_paid_years).
CREATE OR REPLACE FUNCTION roll_up(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH added AS MATERIALIZED (
        SELECT t.app_id, t.environment, t.order_id, o.product_id,
            coalesce(o.storefront, '') AS country, t.currency, t.amount, is_charge(t.kind) AS charges,
            is_refund(t.kind) AS gives_back, is_upgrade_credit(t.kind) AS credits,
            t.payer = 'elsewhere' AS is_paid_elsewhere, t.id, split_part(t.reference, ':corrected-', 1) AS root,
            (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
            extract(hour FROM t.occurred_at AT TIME ZONE a.time_zone)::smallint AS hour,
            (o.purchased_at AT TIME ZONE a.time_zone)::date AS charge_day,
            (t.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on,
            (10 * store_terms_of(o.app_id, o.store, o.storefront, o.purchased_at) + coalesce(
                CASE WHEN upto < 'infinity' THEN (
                    SELECT c.year_before
                    FROM paid_year_changes c
                    WHERE c.order_id = o.id AND c.recorded_at >= t.recorded_at
                    ORDER BY c.recorded_at, c.id
                    LIMIT 1) END,
                paid_year(o.paid_days)))::smallint AS dimension
        FROM ledger_entries t
        JOIN orders o ON o.id = t.order_id
        JOIN apps a ON a.id = t.app_id
        WHERE t.id = ANY(ids) AND t.status = 'success'
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
        SELECT added.*, coalesce(refunds, 0) AS refunds
        FROM added
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
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT app_id, measure, environment, day, dimension, product::uuid, country, currency, recorded_on, sum(amount), sum(count)
    FROM found
    GROUP BY app_id, measure, environment, day, dimension, product, country, currency, recorded_on
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $$;

CREATE OR REPLACE FUNCTION roll_up_entry(entry uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    e record;
BEGIN
    SELECT t.app_id, t.environment, t.amount, t.currency, is_charge(t.kind) AS charges,
        (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
        extract(hour FROM t.occurred_at AT TIME ZONE a.time_zone)::smallint AS hour,
        (t.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on,
        o.product_id, coalesce(o.storefront, '') AS country,
        (10 * store_terms_of(o.app_id, o.store, o.storefront, o.purchased_at) + paid_year(o.paid_days))::smallint AS dimension
    INTO e
    FROM ledger_entries t
    JOIN orders o ON o.id = t.order_id
    JOIN apps a ON a.id = t.app_id
    WHERE t.id = entry AND t.status = 'success';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF NOT e.charges THEN
        PERFORM roll_up(ARRAY[entry]);
        RETURN;
    END IF;
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT e.app_id, f.measure, e.environment, e.day, f.dimension, f.product, f.country, e.currency, e.recorded_on, e.amount, 1
    FROM (VALUES
        ('charge', e.amount > 0, e.dimension, e.product_id, e.country),
        ('free_order', e.amount = 0, 0::smallint, e.product_id, e.country),
        ('order_by_hour', true, e.hour, '00000000-0000-0000-0000-000000000000'::uuid, '')
    ) f (measure, holds, dimension, product, country)
    WHERE f.holds;
END $$;

-- Moves what was booked of an order until its year of service became the other one.
CREATE FUNCTION roll_up_paid_years(ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH moved AS MATERIALIZED (
        SELECT c.id AS change, t.app_id, t.environment, o.product_id, coalesce(o.storefront, '') AS country, t.currency,
            t.amount, is_charge(t.kind) AS charges, is_refund(t.kind) AS gives_back, is_upgrade_credit(t.kind) AS credits,
            t.payer = 'elsewhere' AS is_paid_elsewhere,
            10 * store_terms_of(o.app_id, o.store, o.storefront, o.purchased_at) AS terms, c.year_before, c.year_after,
            (is_refund(t.kind) AND row_number() OVER root = 1 AND sum(t.amount) OVER root < 0)::int AS refunds,
            (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
            (o.purchased_at AT TIME ZONE a.time_zone)::date AS charge_day,
            (c.recorded_at AT TIME ZONE a.time_zone)::date AS recorded_on
        FROM paid_year_changes c
        JOIN orders o ON o.id = c.order_id
        JOIN ledger_entries t ON t.order_id = o.id
        JOIN apps a ON a.id = t.app_id
        WHERE c.id = ANY(ids) AND t.status = 'success' AND t.amount <> 0 AND t.recorded_at <= c.recorded_at
        WINDOW root AS (PARTITION BY c.id, split_part(t.reference, ':corrected-', 1) ORDER BY t.recorded_at, t.id
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    ),
    found AS (
        SELECT app_id, measure, environment, f.day, (terms + side.year)::smallint AS dimension, product_id, country, currency, recorded_on,
            side.sign * f.amount AS amount, side.sign * f.count AS count
        FROM moved
        CROSS JOIN LATERAL (VALUES
            ('charge', charges, day, amount, 1),
            ('refund', gives_back AND NOT is_paid_elsewhere, day, -amount, refunds),
            ('refunded_charge', gives_back, charge_day, -amount, 0),
            ('upgrade_credit', credits, day, -amount, 0)
        ) f (measure, holds, day, amount, count)
        CROSS JOIN LATERAL (VALUES (year_before, -1), (year_after, 1)) side (year, sign)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, (terms + side.year)::smallint, product_id, country, currency,
            recorded_on, 0, side.sign
        FROM (
            SELECT change, app_id, environment, charge_day, product_id, country, currency, recorded_on, terms, year_before, year_after
            FROM moved
            WHERE gives_back
            GROUP BY change, app_id, environment, charge_day, product_id, country, currency, recorded_on, terms, year_before, year_after
            HAVING sum(amount) < 0
        ) standing
        CROSS JOIN LATERAL (VALUES (year_before, -1), (year_after, 1)) side (year, sign)
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
    SELECT app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, sum(amount), sum(count)
    FROM found
    GROUP BY app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $$;

CREATE FUNCTION roll_up_changed_year() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    change bigint;
BEGIN
    INSERT INTO paid_year_changes (app_id, order_id, year_before, year_after, recorded_at)
    VALUES (NEW.app_id, NEW.id, paid_year(OLD.paid_days), paid_year(NEW.paid_days), NEW.updated_at)
    RETURNING id INTO change;
    PERFORM roll_up_paid_years(ARRAY[change]);
    RETURN NULL;
END $$;
CREATE TRIGGER rollups_follow_paid_years AFTER UPDATE OF paid_days ON orders FOR EACH ROW
    WHEN (paid_year(OLD.paid_days) <> paid_year(NEW.paid_days)) EXECUTE FUNCTION roll_up_changed_year();

DROP FUNCTION tenure_bucket(timestamptz, timestamptz);

-- The next rows of a ledger, of one day, and until an order's year becomes the other one: refunds of before and after it are told apart.
CREATE OR REPLACE FUNCTION roll_up_next(of_app uuid, after_moment timestamp with time zone, after_id uuid) RETURNS TABLE(last_moment timestamp with time zone, last_id uuid, rows_taken integer)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'on'
    AS $$
DECLARE
    ids uuid[];
    moments timestamptz[];
BEGIN
    SELECT array_agg(batch.id ORDER BY batch.recorded_at, batch.id), array_agg(batch.recorded_at ORDER BY batch.recorded_at, batch.id)
    INTO ids, moments
    FROM (
        WITH first AS MATERIALIZED (
            SELECT next.recorded_at, ((next.recorded_at AT TIME ZONE a.time_zone)::date + 1)::timestamp AT TIME ZONE a.time_zone AS day_ends
            FROM ledger_entries next
            JOIN apps a ON a.id = next.app_id
            WHERE next.app_id = of_app AND (next.recorded_at, next.id) > (after_moment, after_id)
            ORDER BY next.recorded_at, next.id
            LIMIT 1
        )
        SELECT t.id, t.recorded_at
        FROM ledger_entries t
        WHERE t.app_id = of_app AND (t.recorded_at, t.id) > (after_moment, after_id) AND t.recorded_at < (SELECT day_ends FROM first)
            AND t.recorded_at <= coalesce((
                SELECT min(c.recorded_at)
                FROM paid_year_changes c
                WHERE c.app_id = of_app AND c.recorded_at >= (SELECT recorded_at FROM first)), 'infinity')
        ORDER BY t.recorded_at, t.id
        LIMIT 5000
    ) batch;
    rows_taken := cardinality(ids);
    IF rows_taken > 0 THEN
        last_moment := moments[rows_taken];
        last_id := ids[rows_taken];
        IF rows_taken <= 100 THEN
            SET LOCAL plan_cache_mode = force_generic_plan;
            SET LOCAL enable_seqscan = off;
        END IF;
        PERFORM roll_up(ids, last_moment, last_id);
        PERFORM roll_up_cohorts(ids, last_moment, last_id);
        RETURN NEXT;
    END IF;
END $$;

-- An app that begins now counts by these definitions; all others are counted again.
ALTER TABLE apps ALTER COLUMN metrics_version SET DEFAULT 5;
