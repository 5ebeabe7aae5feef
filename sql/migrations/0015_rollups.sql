-- What the numbers are read from: sums of the ledger by business day, kept as it is written (docs/metrics.md).
--
-- A trigger adds entries in the transaction that writes the ledger; they are only ever inserted, so no writer waits for
-- another. A job adds them up into `rollups` and takes them away in the same transaction, so at every moment the cells and the
-- entries together are the whole.

CREATE TABLE rollups (
    app_id      uuid NOT NULL REFERENCES apps,
    measure     text NOT NULL,
    environment text NOT NULL,
    -- The business day that the figure belongs to.
    day         date NOT NULL,
    -- For money: 0 in the subscriber's first year of paid service, 1 after it. By the hour: the hour of the day.
    step        smallint NOT NULL,
    -- Nil for what is kept by the hour, which is of all products and countries.
    product_id  uuid NOT NULL,
    -- Empty where the store does not say.
    country     text NOT NULL,
    currency    text NOT NULL,
    -- The business day on which we came to know it.
    known_day   date NOT NULL,
    amount      bigint NOT NULL,
    count       bigint NOT NULL,
    CONSTRAINT one_cell_per_key
        PRIMARY KEY (app_id, measure, environment, day, step, product_id, country, currency, known_day),
    CONSTRAINT measure_is_known CHECK (measure IN (
        'charge', 'free_order', 'refund', 'refunded_charge', 'order_by_hour', 'refund_by_hour'))
);

CREATE TABLE rollup_entries (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id      uuid NOT NULL,
    measure     text NOT NULL,
    environment text NOT NULL,
    day         date NOT NULL,
    step        smallint NOT NULL,
    product_id  uuid NOT NULL,
    country     text NOT NULL,
    currency    text NOT NULL,
    known_day   date NOT NULL,
    amount      bigint NOT NULL,
    count       bigint NOT NULL
);

-- Whether the store takes the smaller share: a year after the first paid charge of the subscription (product.md, decision 6).
CREATE FUNCTION tenure_step(charged_at timestamptz, first_charged_at timestamptz) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE WHEN charged_at AT TIME ZONE 'UTC' >= first_charged_at AT TIME ZONE 'UTC' + interval '1 year'
        THEN 1 ELSE 0 END)::smallint;

CREATE FUNCTION is_charge(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN kind NOT IN ('refund', 'revoke', 'refund_reversal');

-- Adds the entries of some ledger rows, given the rows that were recorded up to a moment: all of them when the ledger is written;
-- fewer when the rollups are made again from the beginning, in the order in which the ledger grew.
CREATE FUNCTION roll_up(
    ids uuid[],
    upto timestamptz DEFAULT 'infinity',
    upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH added AS MATERIALIZED (
        SELECT t.app_id, t.environment, t.order_id, o.subscription_id, o.product_id, o.purchased_at,
            coalesce(o.storefront, '') AS country, t.currency, t.amount, t.kind, is_charge(t.kind) AS charges,
            (t.occurred_at AT TIME ZONE a.time_zone)::date AS day,
            extract(hour FROM t.occurred_at AT TIME ZONE a.time_zone)::smallint AS hour,
            (o.purchased_at AT TIME ZONE a.time_zone)::date AS charge_day,
            (t.recorded_at AT TIME ZONE a.time_zone)::date AS known_day
        FROM transactions t
        JOIN orders o ON o.id = t.order_id
        JOIN apps a ON a.id = t.app_id
        WHERE t.id = ANY(ids) AND t.status = 'success'
    ),
    -- The first paid charge of each subscription, as it was before and as it is now.
    chains AS MATERIALIZED (
        SELECT o.subscription_id, min(t.occurred_at) FILTER (WHERE t.id <> ALL(ids)) AS first_before,
            min(t.occurred_at) AS first_charge
        FROM orders o
        JOIN transactions t ON t.order_id = o.id
        WHERE o.subscription_id IN (SELECT subscription_id FROM added)
            AND t.status = 'success' AND is_charge(t.kind) AND t.amount > 0 AND (t.recorded_at, t.id) <= (upto, upto_id)
        GROUP BY o.subscription_id
    ),
    placed AS MATERIALIZED (
        SELECT added.*, tenure_step(purchased_at, coalesce(first_charge, purchased_at)) AS step
        FROM added
        LEFT JOIN chains USING (subscription_id)
    ),
    -- Orders of which something is given back for the first time, or no longer anything.
    turned AS (
        SELECT order_id, max(known_day) AS known_day, (sum(given.after) > 0)::int - (sum(given.before) > 0)::int AS turn
        FROM (SELECT order_id, max(known_day) AS known_day FROM added WHERE NOT charges GROUP BY order_id) orders
        CROSS JOIN LATERAL (
            SELECT coalesce(-sum(amount), 0) AS after, coalesce(-sum(amount) FILTER (WHERE id <> ALL(ids)), 0) AS before
            FROM transactions t
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
            (SELECT max(known_day) FROM added WHERE added.subscription_id = o.subscription_id) AS known_day
        FROM chains
        JOIN orders o USING (subscription_id)
        JOIN transactions t ON t.order_id = o.id
        JOIN apps a ON a.id = t.app_id
        WHERE first_charge < first_before AND t.id <> ALL(ids) AND t.status = 'success' AND t.amount <> 0
            AND (t.recorded_at, t.id) <= (upto, upto_id)
            AND tenure_step(o.purchased_at, first_charge) <> tenure_step(o.purchased_at, first_before)
    ),
    found AS (
        SELECT app_id, measure, environment, f.day, f.step, f.product, f.country, currency, known_day, f.amount, f.count
        FROM placed
        CROSS JOIN LATERAL (VALUES
            ('charge', charges AND amount > 0, day, step, product_id, country, amount, 1),
            ('free_order', charges AND amount = 0, day, 0::smallint, product_id, country, 0, 1),
            ('order_by_hour', charges, day, hour, '00000000-0000-0000-0000-000000000000', '', amount, 1),
            ('refund', NOT charges, day, step, product_id, country, -amount, (kind <> 'refund_reversal')::int),
            ('refund_by_hour', NOT charges, day, hour, '00000000-0000-0000-0000-000000000000', '', -amount,
                (kind <> 'refund_reversal')::int),
            ('refunded_charge', NOT charges, charge_day, step, product_id, country, -amount, 0)
        ) f (measure, holds, day, step, product, country, amount, count)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, step, product_id, country, currency, t.known_day, 0, turn
        FROM turned t
        CROSS JOIN LATERAL (SELECT * FROM placed WHERE placed.order_id = t.order_id LIMIT 1) placed
        WHERE turn <> 0
        UNION ALL
        SELECT app_id, measure, environment, f.day, side.step, product_id, country, currency, known_day,
            side.sign * f.amount, side.sign * f.count
        FROM moved
        CROSS JOIN LATERAL (VALUES
            ('charge', charges, day, amount, 1),
            ('refund', NOT charges, day, -amount, (kind <> 'refund_reversal')::int),
            ('refunded_charge', NOT charges, charge_day, -amount, 0)
        ) f (measure, holds, day, amount, count)
        CROSS JOIN (VALUES (0::smallint, -1), (1::smallint, 1)) side (step, sign)
        WHERE f.holds
        UNION ALL
        SELECT app_id, 'refunded_charge', environment, charge_day, side.step, product_id, country, currency, known_day,
            0, side.sign
        FROM (
            SELECT app_id, environment, order_id, charge_day, product_id, country, currency, known_day
            FROM moved
            WHERE NOT charges
            GROUP BY app_id, environment, order_id, charge_day, product_id, country, currency, known_day
            HAVING sum(amount) < 0
        ) standing
        CROSS JOIN (VALUES (0::smallint, -1), (1::smallint, 1)) side (step, sign)
    )
    INSERT INTO rollup_entries
        (app_id, measure, environment, day, step, product_id, country, currency, known_day, amount, count)
    SELECT app_id, measure, environment, day, step, product::uuid, country, currency, known_day, sum(amount), sum(count)
    FROM found
    GROUP BY app_id, measure, environment, day, step, product, country, currency, known_day
    HAVING sum(amount) <> 0 OR sum(count) <> 0;
END $$;

CREATE FUNCTION roll_up_what_is_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM roll_up((SELECT array_agg(id) FROM added));
    RETURN NULL;
END $$;

CREATE TRIGGER rollups_follow_the_ledger AFTER INSERT ON transactions
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_what_is_added();

-- The ledger in the order in which it grew.
CREATE INDEX transactions_by_recording ON transactions (app_id, recorded_at, id);

-- Adds the entries of the next few thousand ledger rows of an app, all recorded on one business day, after a place in the order
-- in which the ledger grew. Gives the place it came to; no row when there is nothing left.
CREATE FUNCTION roll_up_next(of_app uuid, after_moment timestamptz, after_id uuid)
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
        RETURN NEXT;
    END IF;
END $$;

-- What a euro cost on a day, as the European Central Bank publishes it (`perennial rates import`).
CREATE TABLE exchange_rates (
    currency text NOT NULL,
    day      date NOT NULL,
    per_euro numeric NOT NULL,
    PRIMARY KEY (currency, day),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT a_euro_costs_something CHECK (per_euro > 0)
);

-- What a euro cost then; on days without a rate (week-ends, holidays) the last one of the week before. NULL when there is none.
CREATE FUNCTION euro_rate(of_currency text, on_day date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE of_currency
        WHEN 'EUR' THEN 1
        ELSE (
            SELECT per_euro
            FROM exchange_rates
            WHERE currency = of_currency AND day BETWEEN on_day - 7 AND on_day
            ORDER BY day DESC
            LIMIT 1)
        END;

-- How many decimal digits a currency's minor unit has (ISO 4217).
CREATE FUNCTION minor_digits(currency text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
            'XAF', 'XOF', 'XPF') THEN 0
        WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
        WHEN currency IN ('CLF', 'UYW') THEN 4
        ELSE 2
    END;

-- The share that a store keeps, in basis points, where the app's terms are not the store's usual ones.
CREATE TABLE store_fees (
    app_id     uuid NOT NULL REFERENCES apps,
    store      text NOT NULL,
    first_year integer NOT NULL,
    later      integer NOT NULL,
    PRIMARY KEY (app_id, store),
    CONSTRAINT store_is_known CHECK (store IN ('apple', 'google', 'wechat', 'alipay')),
    CONSTRAINT fees_are_parts_of_the_whole CHECK (first_year BETWEEN 0 AND 10000 AND later BETWEEN 0 AND 10000)
);

-- What is in the ledger already.
DO $$
DECLARE
    app uuid;
    place record;
BEGIN
    FOR app IN SELECT id FROM apps LOOP
        SELECT '-infinity'::timestamptz AS last_moment, '00000000-0000-0000-0000-000000000000'::uuid AS last_id INTO place;
        LOOP
            SELECT * FROM roll_up_next(app, place.last_moment, place.last_id) INTO place;
            EXIT WHEN place.last_id IS NULL;
        END LOOP;
    END LOOP;
END $$;
