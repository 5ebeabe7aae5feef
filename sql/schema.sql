-- What sql/migrations/*.sql make, dumped by bin/schema. For reading and for diffs; never applied.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE FUNCTION public.add_buckets(ones bigint[], others bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE(array_agg((COALESCE(pair.one, (0)::bigint) + COALESCE(pair.other, (0)::bigint)) ORDER BY pair.place), '{}'::bigint[]) AS "coalesce" FROM UNNEST(add_buckets.ones, add_buckets.others) WITH ORDINALITY pair(one, other, place));

CREATE FUNCTION public.netstring(text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ($1 IS NULL) THEN '~,'::text ELSE ((((octet_length($1))::text || ':'::text) || $1) || ','::text) END;

CREATE TABLE public.audit_entries (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    app_id uuid,
    staff_id uuid,
    actor text NOT NULL,
    role text,
    action text NOT NULL,
    object_type text,
    object_id text,
    before jsonb,
    after jsonb,
    reason text,
    request_id text,
    address text,
    customer_id uuid
);

CREATE FUNCTION public.audit_content(number bigint, entry public.audit_entries) RETURNS bytea
    LANGUAGE sql STABLE
    RETURN convert_to(((((((((((((((((public.netstring('2'::text) || public.netstring((number)::text)) || public.netstring(((entry).id)::text)) || public.netstring((((EXTRACT(epoch FROM (entry).at) * (1000000)::numeric))::bigint)::text)) || public.netstring(((entry).app_id)::text)) || public.netstring(((entry).staff_id)::text)) || public.netstring((entry).actor)) || public.netstring((entry).role)) || public.netstring((entry).action)) || public.netstring((entry).object_type)) || public.netstring((entry).object_id)) || public.netstring(((entry).before)::text)) || public.netstring(((entry).after)::text)) || public.netstring((entry).reason)) || public.netstring((entry).request_id)) || public.netstring((entry).address)) || public.netstring(((entry).customer_id)::text)), 'UTF8'::name);

CREATE FUNCTION public.chain_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    head audit_head;
BEGIN
    SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
    head.number := head.number + 1;
    head.hash := sha256(head.hash || audit_content(head.number, NEW));
    INSERT INTO audit_chain (number, entry_id, hash, version) VALUES (head.number, NEW.id, head.hash, 2);
    UPDATE audit_head SET number = head.number, hash = head.hash;
    RETURN NULL;
END $$;

CREATE FUNCTION public.check_approved_refunds() RETURNS trigger
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
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0
        ELSE amount - refunded - credited - greatest(0, credit_out(id) - credit_in(id)) END INTO available
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

CREATE FUNCTION public.check_order_balance() RETURNS trigger
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

CREATE FUNCTION public.convert_months(of_app uuid, first date, last date) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
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
END $$;

CREATE FUNCTION public.convert_months_of_the_app() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('rollups'));
    INSERT INTO months_to_convert (app_id, month)
    SELECT DISTINCT app_id, month
    FROM rollup_months
    WHERE app_id = NEW.id AND is_converted_by_day(measure)
    ORDER BY month
    ON CONFLICT ON CONSTRAINT a_month_waits_once DO NOTHING;
    INSERT INTO amounts_to_value (app_id, first, last) VALUES (NEW.id, '-infinity', 'infinity');
    RETURN NULL;
END $$;

CREATE FUNCTION public.convert_months_of_what_is_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    first date;
    last date;
BEGIN
    SELECT min(day), max(day) + 7 INTO first, last FROM changed;
    IF first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('rollups'));
        INSERT INTO months_to_convert (app_id, month)
        SELECT a.id, began::date
        FROM apps a
        CROSS JOIN generate_series(date_trunc('month', first::timestamp), last::timestamp, interval '1 month') AS began
        WHERE EXISTS (
            SELECT
            FROM unnest(ARRAY['charge', 'refund', 'refunded_charge', 'upgrade_credit', 'cohort_net']) AS converted(measure)
            CROSS JOIN unnest(ARRAY['production', 'sandbox']) AS places(environment)
            JOIN rollup_months m ON m.app_id = a.id AND m.measure = converted.measure AND m.environment = places.environment
                AND m.month = began::date)
        ORDER BY 1, 2
        ON CONFLICT ON CONSTRAINT a_month_waits_once DO NOTHING;
        INSERT INTO amounts_to_value (app_id, first, last) SELECT a.id, first, last FROM apps a ORDER BY a.id;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.count_as_seen(customer uuid, environment_before text, known timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    first timestamptz := (SELECT created_at FROM customers WHERE id = customer);
BEGIN
    IF environment_before <> seen_in(customer) THEN
        PERFORM roll_up_seen(customer, first, environment_before, known, -1);
        PERFORM roll_up_seen(customer, first, seen_in(customer), known, 1);
    END IF;
END $$;

CREATE TABLE public.period_credits (
    upgrade_id uuid NOT NULL,
    order_id uuid NOT NULL,
    amount bigint NOT NULL,
    released bigint DEFAULT 0 NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT no_more_is_released_than_was_credited CHECK (((released >= 0) AND (released <= amount))),
    CONSTRAINT no_period_pays_for_itself CHECK ((upgrade_id <> order_id)),
    CONSTRAINT something_is_credited CHECK ((amount > 0))
);

CREATE FUNCTION public.credit_in(of_order uuid) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT (COALESCE(sum((period_credits.amount - period_credits.released)), (0)::numeric))::bigint AS "coalesce" FROM public.period_credits WHERE (period_credits.upgrade_id = credit_in.of_order));

CREATE FUNCTION public.credit_out(of_order uuid) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT (COALESCE(sum((period_credits.amount - period_credits.released)), (0)::numeric))::bigint AS "coalesce" FROM public.period_credits WHERE (period_credits.order_id = credit_out.of_order));

CREATE TABLE public.exchange_rates (
    currency text NOT NULL,
    day date NOT NULL,
    per_euro numeric NOT NULL,
    CONSTRAINT a_euro_costs_something CHECK ((per_euro > (0)::numeric)),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text))
);

CREATE FUNCTION public.euro_rate(of_currency text, on_day date) RETURNS numeric
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE of_currency WHEN 'EUR'::text THEN (1)::numeric ELSE (SELECT exchange_rates.per_euro FROM public.exchange_rates WHERE ((exchange_rates.currency = euro_rate.of_currency) AND ((exchange_rates.day >= (euro_rate.on_day - 7)) AND (exchange_rates.day <= euro_rate.on_day))) ORDER BY exchange_rates.day DESC LIMIT 1) END;

CREATE FUNCTION public.minor_digits(currency text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (currency = ANY (ARRAY['BIF'::text, 'CLP'::text, 'DJF'::text, 'GNF'::text, 'ISK'::text, 'JPY'::text, 'KMF'::text, 'KRW'::text, 'PYG'::text, 'RWF'::text, 'UGX'::text, 'UYI'::text, 'VND'::text, 'VUV'::text, 'XAF'::text, 'XOF'::text, 'XPF'::text])) THEN 0 WHEN (currency = ANY (ARRAY['BHD'::text, 'IQD'::text, 'JOD'::text, 'KWD'::text, 'LYD'::text, 'OMR'::text, 'TND'::text])) THEN 3 WHEN (currency = ANY (ARRAY['CLF'::text, 'UYW'::text])) THEN 4 ELSE 2 END;

CREATE FUNCTION public.cross_rate(of_currency text, reporting text, on_day date) RETURNS numeric
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE of_currency WHEN reporting THEN (1)::numeric ELSE (((public.euro_rate(reporting, on_day) * ((10)::numeric ^ ((public.minor_digits(reporting) - public.minor_digits(of_currency)))::numeric)))::numeric(60,30) / public.euro_rate(of_currency, on_day)) END;

CREATE FUNCTION public.customer_cells(who uuid[], firsts timestamp with time zone[], skipped uuid[], moved uuid, mover uuid, upto timestamp with time zone, upto_id uuid) RETURNS TABLE(app_id uuid, customer_id uuid, measure text, day date, dimension smallint, product_id uuid, country text, currency text, amount bigint, count bigint)
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

CREATE FUNCTION public.fill_audit_customer() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
    IF NEW.customer_id IS NULL AND NEW.object_id IS NOT NULL THEN
        CASE NEW.object_type
            WHEN 'customer' THEN
                SELECT id INTO NEW.customer_id FROM customers
                WHERE NEW.object_id ~ '^[0-9a-fA-F-]{36}$' AND id = NEW.object_id::uuid;
            WHEN 'subscription' THEN
                SELECT customer_id INTO NEW.customer_id FROM subscriptions
                WHERE NEW.object_id ~ '^[0-9a-fA-F-]{36}$' AND id = NEW.object_id::uuid;
            WHEN 'order' THEN
                SELECT customer_id INTO NEW.customer_id FROM orders
                WHERE app_id = NEW.app_id AND number = NEW.object_id;
            WHEN 'refund' THEN
                SELECT o.customer_id INTO NEW.customer_id FROM refund_requests r JOIN orders o ON o.id = r.order_id
                WHERE r.app_id = NEW.app_id AND r.number = NEW.object_id;
            ELSE NULL;
        END CASE;
    END IF;
    RETURN NEW;
END $_$;

CREATE FUNCTION public.fill_checkout_offer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT coalesce(NEW.plan_code, l.code), coalesce(NEW.period_count, p.period_count, 1), coalesce(NEW.period_unit, p.period_unit, 'month')
    INTO NEW.plan_code, NEW.period_count, NEW.period_unit
    FROM products p
    JOIN plans l ON l.id = p.plan_id
    WHERE p.id = NEW.product_id;
    RETURN NEW;
END $$;

CREATE FUNCTION public.fill_order_refunds() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE orders SET has_refunds = true WHERE id = NEW.order_id AND NOT has_refunds;
    RETURN NULL;
END $$;

CREATE FUNCTION public.fill_order_worth() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT worth(NEW.amount, cross_rate(NEW.currency, reporting_currency, (NEW.purchased_at AT TIME ZONE time_zone)::date))
    INTO NEW.worth
    FROM apps
    WHERE id = NEW.app_id;
    RETURN NEW;
END $$;

CREATE FUNCTION public.fill_request_worth() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT worth(NEW.requested_amount,
        cross_rate(NEW.currency, reporting_currency, (NEW.requested_at AT TIME ZONE time_zone)::date))
    INTO NEW.worth
    FROM apps
    WHERE id = NEW.app_id;
    RETURN NEW;
END $$;

CREATE FUNCTION public.forget_staff() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('staff', TG_TABLE_NAME);
    RETURN NULL;
END;
$$;

CREATE FUNCTION public.is_charge(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (kind <> ALL (ARRAY['refund'::text, 'revoke'::text, 'refund_reversal'::text, 'upgrade_credit'::text, 'upgrade_credit_reversal'::text]));

CREATE FUNCTION public.is_converted_by_day(measure text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (measure = ANY (ARRAY['charge'::text, 'refund'::text, 'refunded_charge'::text, 'upgrade_credit'::text, 'cohort_net'::text]));

CREATE FUNCTION public.is_refund(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (kind = ANY (ARRAY['refund'::text, 'revoke'::text, 'refund_reversal'::text]));

CREATE FUNCTION public.is_upgrade_credit(kind text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (kind = ANY (ARRAY['upgrade_credit'::text, 'upgrade_credit_reversal'::text]));

CREATE FUNCTION public.months_between(first date, later date) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (GREATEST((0)::numeric, ((((EXTRACT(year FROM later) - EXTRACT(year FROM first)) * (12)::numeric) + EXTRACT(month FROM later)) - EXTRACT(month FROM first))))::smallint;

CREATE FUNCTION public.note_entitlement_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT DISTINCT customer, 1
    FROM unnest(ARRAY[OLD.customer_id, NEW.customer_id]) customer
    WHERE customer IS NOT NULL
    ORDER BY customer
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_group_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT customer_id, 1
    FROM seat_claims
    WHERE subscription_id = NEW.id AND claimed_at IS NOT NULL AND ended_at IS NULL
    ORDER BY customer_id
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_merged_entitlement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT NEW.merged_into, coalesce(max(version), 0) + 1
    FROM entitlement_versions
    WHERE customer_id = NEW.id
    ON CONFLICT (customer_id) DO UPDATE SET version = greatest(v.version + 1, excluded.version);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_suspension() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT customer_id, 1
    FROM (
        SELECT customer_id
        FROM subscriptions
        WHERE id = NEW.subscription_id
        UNION
        SELECT customer_id
        FROM seat_claims
        WHERE subscription_id = NEW.subscription_id AND claimed_at IS NOT NULL AND ended_at IS NULL
    ) holders
    ORDER BY customer_id
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_tester() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    VALUES (NEW.id, 1)
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_usage() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO usage_entries (feature_id, day, used, offline) VALUES (NEW.feature_id, NEW.day, NEW.used, NEW.offline);
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO usage_entries (feature_id, day, used, offline) VALUES (OLD.feature_id, OLD.day, -OLD.used, -OLD.offline);
    ELSE
        INSERT INTO usage_entries (feature_id, day, used, offline)
        VALUES (NEW.feature_id, NEW.day, NEW.used - OLD.used, NEW.offline - OLD.offline);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.paid_year(paid_days integer) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE WHEN (paid_days >= 365) THEN 1 ELSE 0 END)::smallint;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION public.refuse_changed_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.kind <> NEW.kind AND is_charge(OLD.kind) AND is_charge(NEW.kind)
        AND to_jsonb(OLD) - 'kind' = to_jsonb(NEW) - 'kind' THEN
        RETURN NEW;
    END IF;
    -- What was booked for a purchase that has an order already is void, and stays readable.
    IF TG_OP = 'UPDATE' AND OLD.status = 'success' AND NEW.status = 'cancelled'
        AND to_jsonb(OLD) - 'status' = to_jsonb(NEW) - 'status'
        AND EXISTS (SELECT FROM orders WHERE id = OLD.order_id AND joined_into IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION public.refuse_other_heads() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.number = OLD.number + 1
        AND EXISTS (SELECT FROM audit_chain WHERE number = NEW.number AND hash = NEW.hash) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of the audit chain only moves on to the next link'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION public.refuse_rewriting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL
        AND (to_jsonb(NEW) - 'withdrawn_at') = (to_jsonb(OLD) - 'withdrawn_at') THEN
        RETURN NEW;
    END IF;
    IF (to_jsonb(NEW) - 'customer_id') = (to_jsonb(OLD) - 'customer_id') THEN
        RETURN NEW;
    END IF;
    IF NEW.text = 'erased' AND NEW.withdrawn_at IS NOT NULL AND NEW.withdrawn_at = coalesce(OLD.withdrawn_at, NEW.withdrawn_at)
        AND (to_jsonb(NEW) - 'text' - 'withdrawn_at') = (to_jsonb(OLD) - 'text' - 'withdrawn_at')
        AND EXISTS (SELECT FROM customers WHERE id = NEW.customer_id AND deleted_at IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'notes are withdrawn, never rewritten'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE FUNCTION public.refuse_to_lose_the_last_admin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF OLD.role <> 'admin' OR OLD.disabled_at IS NOT NULL OR OLD.password_hash = '!' THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.role = 'admin' AND NEW.disabled_at IS NULL AND NEW.password_hash <> '!' THEN
        RETURN NULL;
    END IF;
    -- Two admins who shut each other out at once: the second waits here and then finds itself alone.
    PERFORM pg_advisory_xact_lock(hashtextextended('the last admin', 12));
    IF NOT EXISTS (SELECT FROM staff WHERE role = 'admin' AND disabled_at IS NULL AND password_hash <> '!') THEN
        RAISE EXCEPTION 'there would be no admin left'
            USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.refuse_usage_of_merged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- The foreign key's own check has waited for whoever was merging them.
    IF EXISTS (SELECT FROM customers WHERE id = NEW.customer_id AND merged_into IS NOT NULL) THEN
        RAISE EXCEPTION 'customer % has become another', NEW.customer_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'usage_is_of_who_is_nobody_else', TABLE = 'usage_counters';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.roll_up(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
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

CREATE FUNCTION public.roll_up_changed_year() RETURNS trigger
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

CREATE FUNCTION public.roll_up_cohorts(ids uuid[], upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
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

CREATE FUNCTION public.roll_up_cohorts_of_entry(entry uuid) RETURNS void
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

CREATE FUNCTION public.roll_up_customers(who uuid[], known date[], firsts_before timestamp with time zone[], skipped uuid[] DEFAULT '{}'::uuid[], moved uuid DEFAULT NULL::uuid, mover uuid DEFAULT NULL::uuid, upto timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, upto_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) RETURNS void
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

CREATE FUNCTION public.roll_up_entry(entry uuid) RETURNS void
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

CREATE FUNCTION public.roll_up_first_day() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    today date := (SELECT (now() AT TIME ZONE time_zone)::date FROM apps WHERE id = NEW.app_id);
BEGIN
    IF NEW.merged_into IS NOT NULL THEN
        UPDATE customers SET created_at = NEW.created_at WHERE id = NEW.merged_into AND created_at > NEW.created_at;
        RETURN NULL;
    END IF;
    PERFORM roll_up_seen(NEW.id, OLD.created_at, seen_in(NEW.id), now(), -1);
    PERFORM roll_up_seen(NEW.id, NEW.created_at, seen_in(NEW.id), now(), 1);
    PERFORM roll_up_customers(ARRAY[NEW.id], ARRAY[today], ARRAY[OLD.created_at]);
    RETURN NULL;
END $$;

CREATE FUNCTION public.roll_up_merged_customer() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    PERFORM roll_up_seen(NEW.id, NEW.created_at, seen_in(NEW.id), NEW.merged_at, -1);
    RETURN NULL;
END $$;

CREATE FUNCTION public.roll_up_moved_order() RETURNS trigger
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

CREATE FUNCTION public.roll_up_moved_subscription() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    PERFORM count_as_seen(OLD.customer_id, seen_in(OLD.customer_id, added => NEW.environment), NEW.updated_at);
    PERFORM count_as_seen(NEW.customer_id, seen_in(NEW.customer_id, ARRAY[NEW.id]), NEW.updated_at);
    RETURN NULL;
END $$;

CREATE FUNCTION public.roll_up_new_customers() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION public.roll_up_new_subscriptions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM count_as_seen(customer_id, seen_in(customer_id, array_agg(id)), max(created_at))
    FROM added
    GROUP BY customer_id;
    RETURN NULL;
END $$;

CREATE FUNCTION public.roll_up_next(of_app uuid, after_moment timestamp with time zone, after_id uuid) RETURNS TABLE(last_moment timestamp with time zone, last_id uuid, rows_taken integer)
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

CREATE FUNCTION public.roll_up_paid_years(ids bigint[]) RETURNS void
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

CREATE FUNCTION public.roll_up_seen(customer uuid, first timestamp with time zone, environment text, known timestamp with time zone, sign integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
END $$;

CREATE FUNCTION public.roll_up_what_is_added() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
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

CREATE FUNCTION public.search_key(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (octet_length($1) = length($1)) THEN lower(translate($1, 'I'::text, 'i'::text)) ELSE lower(translate(regexp_replace(NORMALIZE($1, NFKD), '[\u0300-\u036f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text, ''::text, 'g'::text), 'Iı'::text, 'ii'::text)) END;

CREATE FUNCTION public.seen_in(customer uuid, skipped uuid[] DEFAULT '{}'::uuid[], added text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN bool_and(held.environment = 'sandbox') THEN 'sandbox' ELSE 'production' END
        FROM (
            SELECT s.environment FROM subscriptions s WHERE s.customer_id = customer AND s.id <> ALL(skipped)
            UNION ALL
            SELECT added WHERE added IS NOT NULL
        ) held);
END $$;

CREATE FUNCTION public.usual_store_terms(of_store text, of_storefront text, bought_at timestamp with time zone) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE WHEN (of_store <> 'apple'::text) THEN 0 WHEN ((of_storefront = 'CHN'::text) AND (bought_at >= '2026-03-15 00:00:00+00'::timestamp with time zone)) THEN 1 WHEN ((of_storefront = ANY ('{AUT,BEL,BGR,HRV,CYP,CZE,DNK,EST,FIN,FRA,DEU,GRC,HUN,IRL,ITA,LVA,LTU,LUX,MLT,NLD,POL,PRT,ROU,SVK,SVN,ESP,SWE}'::text[])) AND (bought_at >= '2026-10-01 00:00:00+00'::timestamp with time zone)) THEN 2 WHEN ((of_storefront = 'JPN'::text) AND (bought_at >= '2026-03-17 00:00:00+00'::timestamp with time zone)) THEN 3 WHEN ((of_storefront = 'BRA'::text) AND (bought_at >= '2026-07-06 00:00:00+00'::timestamp with time zone)) THEN 4 ELSE 0 END)::smallint;

CREATE TABLE public.store_terms (
    app_id uuid NOT NULL,
    store text NOT NULL,
    storefront text NOT NULL,
    since timestamp with time zone NOT NULL,
    number smallint NOT NULL,
    first_year integer NOT NULL,
    later integer NOT NULL,
    CONSTRAINT numbers_are_not_those_of_the_product CHECK (((number >= 100) AND (number <= 2999))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT storefront_is_iso_3166 CHECK ((storefront ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT terms_are_parts_of_the_whole CHECK ((((first_year >= 0) AND (first_year <= 10000)) AND ((later >= 0) AND (later <= 10000))))
);

CREATE FUNCTION public.store_terms_of(of_app uuid, of_store text, of_storefront text, bought_at timestamp with time zone) RETURNS smallint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (count(*) = 0) THEN public.usual_store_terms(store_terms_of.of_store, store_terms_of.of_storefront, store_terms_of.bought_at) ELSE COALESCE((array_agg(store_terms.number ORDER BY store_terms.since DESC) FILTER (WHERE (store_terms.since <= store_terms_of.bought_at)))[1], (0)::smallint) END AS "coalesce" FROM public.store_terms WHERE ((store_terms.app_id = store_terms_of.of_app) AND (store_terms.store = store_terms_of.of_store) AND (store_terms.storefront = store_terms_of.of_storefront)));

CREATE FUNCTION public.wake_workers() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('work', TG_TABLE_NAME);
    RETURN NULL;
END;
$$;

CREATE FUNCTION public.worth(amount bigint, rate numeric) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (rate IS NULL) THEN ('-1'::integer)::bigint ELSE (LEAST(round(((amount)::numeric * rate)), ('9223372036854775'::bigint)::numeric))::bigint END;

CREATE TABLE public.access_changes (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    before_id uuid,
    after_id uuid,
    cause text NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    subscription_id uuid,
    grant_id uuid,
    recorded_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT a_change_changes_something CHECK ((before_id IS DISTINCT FROM after_id)),
    CONSTRAINT a_change_comes_from_one_thing CHECK (((subscription_id IS NULL) <> (grant_id IS NULL))),
    CONSTRAINT cause_is_known CHECK ((cause = ANY (ARRAY['bought'::text, 'trial'::text, 'shared'::text, 'resumed'::text, 'restored'::text, 'granted'::text, 'expired'::text, 'trial_ended'::text, 'unpaid'::text, 'paused'::text, 'refunded'::text, 'revoked'::text, 'suspended'::text, 'grant_ended'::text, 'withdrawn'::text])))
);

CREATE TABLE public.access_periods (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    transaction_id text NOT NULL,
    product_id uuid NOT NULL,
    plan_rank integer NOT NULL,
    period_count integer,
    period_unit text,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    is_trial boolean NOT NULL,
    is_family_shared boolean NOT NULL,
    price bigint,
    currency text,
    country text NOT NULL,
    environment text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    ended_by text,
    refunded_at timestamp with time zone,
    CONSTRAINT a_period_is_not_empty CHECK ((ends_at > starts_at)),
    CONSTRAINT period_is_whole CHECK (((period_count IS NULL) = (period_unit IS NULL))),
    CONSTRAINT price_has_a_currency CHECK (((price IS NULL) = (currency IS NULL))),
    CONSTRAINT what_ends_a_period_is_known CHECK ((ended_by = ANY (ARRAY['refunded'::text, 'revoked'::text, 'paused'::text, 'unpaid'::text])))
);

CREATE TABLE public.amounts_to_value (
    id bigint NOT NULL,
    app_id uuid NOT NULL,
    first date NOT NULL,
    last date NOT NULL,
    reached timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    reached_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    CONSTRAINT a_span_of_amounts_has_a_day CHECK ((first <= last))
);

ALTER TABLE public.amounts_to_value ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.amounts_to_value_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.app_keys (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    slot smallint NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    token_hash bytea NOT NULL,
    created_by uuid,
    created_as text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_as text,
    CONSTRAINT a_revocation_says_who CHECK (((revoked_at IS NULL) = (revoked_as IS NULL))),
    CONSTRAINT key_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT name_has_1_to_100_characters CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT scopes_are_known CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['entitlements:read'::text, 'usage:write'::text, 'customers:read'::text, 'tokens:mint'::text, 'seats:write'::text]))),
    CONSTRAINT slot_is_one_of_two CHECK ((slot = ANY (ARRAY[1, 2])))
);

CREATE TABLE public.app_rate_limits (
    app_id uuid NOT NULL,
    policy text NOT NULL,
    calls bigint NOT NULL,
    seconds bigint NOT NULL,
    CONSTRAINT calls_are_one_to_a_million CHECK (((calls >= 1) AND (calls <= 1000000))),
    CONSTRAINT policy_is_of_an_app CHECK ((policy = ANY (ARRAY['session'::text, 'customer'::text, 'key'::text, 'receipts'::text]))),
    CONSTRAINT seconds_are_one_to_a_day CHECK (((seconds >= 1) AND (seconds <= 86400)))
);

CREATE TABLE public.app_transactions (
    app_id uuid NOT NULL,
    environment text NOT NULL,
    app_transaction_id text NOT NULL,
    customer_id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT id_is_not_empty CHECK ((app_transaction_id <> ''::text))
);

CREATE TABLE public.apple_account_notifications (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    notification_id text NOT NULL,
    client_id text NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    email text,
    is_private_email boolean,
    happened_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL
);

CREATE TABLE public.apps (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    time_zone text NOT NULL,
    reporting_currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    refund_self_approval_limit bigint,
    typed_confirmation_from bigint,
    refund_request_expires_after_days integer DEFAULT 30 NOT NULL,
    support_grant_limit_days integer DEFAULT 30 NOT NULL,
    bulk_approval_from integer DEFAULT 100 NOT NULL,
    metrics_version integer DEFAULT 5 NOT NULL,
    trial_conversion_days integer DEFAULT 30 NOT NULL,
    consumption_sending text DEFAULT 'deadline'::text NOT NULL,
    consumption_samples boolean DEFAULT false NOT NULL,
    catalog_version bigint DEFAULT 1 NOT NULL,
    cors_origins text[] DEFAULT '{}'::text[] NOT NULL,
    offline_hours integer DEFAULT 24 NOT NULL,
    transfer_behavior text DEFAULT 'refuse'::text NOT NULL,
    owner_hint text DEFAULT 'provider'::text NOT NULL,
    sandbox_access text DEFAULT 'testers'::text NOT NULL,
    checkout_minutes integer DEFAULT 15 NOT NULL,
    CONSTRAINT an_offline_entitlement_is_good_for_an_hour_to_90_days CHECK (((offline_hours >= 1) AND (offline_hours <= 2160))),
    CONSTRAINT an_order_can_be_paid_for_5_minutes_to_2_hours CHECK (((checkout_minutes >= 5) AND (checkout_minutes <= 120))),
    CONSTRAINT approval_is_asked_from_one_customer_on CHECK ((bulk_approval_from >= 1)),
    CONSTRAINT at_most_100_origins CHECK ((cardinality(cors_origins) <= 100)),
    CONSTRAINT consumption_sending_is_known CHECK ((consumption_sending = ANY (ARRAY['automatic'::text, 'deadline'::text]))),
    CONSTRAINT currency_is_iso_4217 CHECK ((reporting_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT owner_hint_is_known CHECK ((owner_hint = ANY (ARRAY['none'::text, 'provider'::text, 'email'::text]))),
    CONSTRAINT refund_requests_expire_within_ten_years CHECK (((refund_request_expires_after_days >= 1) AND (refund_request_expires_after_days <= 3650))),
    CONSTRAINT sandbox_access_is_for_testers_or_everybody CHECK ((sandbox_access = ANY (ARRAY['testers'::text, 'everybody'::text]))),
    CONSTRAINT self_approval_limit_is_not_negative CHECK ((refund_self_approval_limit >= 0)),
    CONSTRAINT slug_is_lower_case_with_hyphens CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
    CONSTRAINT support_gives_no_less_than_nothing CHECK ((support_grant_limit_days >= 0)),
    CONSTRAINT transfer_behavior_is_known CHECK ((transfer_behavior = ANY (ARRAY['refuse'::text, 'share'::text, 'transfer'::text]))),
    CONSTRAINT trial_conversion_days_are_plausible CHECK (((trial_conversion_days >= 0) AND (trial_conversion_days <= 365))),
    CONSTRAINT typed_confirmation_starts_at_nothing_or_more CHECK ((typed_confirmation_from >= 0))
);

CREATE TABLE public.audit_chain (
    number bigint NOT NULL,
    entry_id uuid NOT NULL,
    hash bytea NOT NULL,
    version smallint NOT NULL,
    CONSTRAINT a_link_has_a_known_version CHECK ((version = ANY (ARRAY[1, 2]))),
    CONSTRAINT hash_is_a_sha_256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT links_are_counted_from_one CHECK ((number >= 1))
);

CREATE TABLE public.audit_head (
    only_one boolean DEFAULT true NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT hash_is_a_sha_256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT there_is_one_head CHECK (only_one)
)
WITH (fillfactor='10');

CREATE TABLE public.bill_differences (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    bill_id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    order_number text,
    transaction_id text NOT NULL,
    refund_number text,
    order_id uuid,
    billed bigint,
    booked bigint,
    currency text NOT NULL,
    at timestamp with time zone NOT NULL,
    found_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    close_reason text,
    note text,
    noted_by text,
    noted_at timestamp with time zone,
    CONSTRAINT a_note_says_who_and_when CHECK ((((note IS NULL) = (noted_by IS NULL)) AND ((note IS NULL) = (noted_at IS NULL)) AND ((close_reason <> 'staff'::text) OR (note IS NOT NULL)))),
    CONSTRAINT close_reason_is_known CHECK ((close_reason = ANY (ARRAY['explained'::text, 'staff'::text]))),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT each_side_says_what_it_has CHECK ((((billed IS NULL) = (kind = ANY (ARRAY['paid_here'::text, 'refunded_here'::text]))) AND ((booked IS NULL) = (kind = ANY (ARRAY['paid_there'::text, 'refunded_there'::text]))))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['paid_there'::text, 'paid_here'::text, 'payment_amount'::text, 'refunded_there'::text, 'refunded_here'::text, 'refund_amount'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_is_closed_says_why CHECK (((closed_at IS NULL) = (close_reason IS NULL)))
);

CREATE TABLE public.bill_rows (
    bill_id uuid NOT NULL,
    place integer NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    order_number text NOT NULL,
    transaction_id text NOT NULL,
    refund_number text,
    amount bigint NOT NULL,
    currency text NOT NULL,
    fee bigint,
    at timestamp with time zone NOT NULL,
    CONSTRAINT amount_is_not_negative CHECK ((amount >= 0)),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text]))),
    CONSTRAINT only_refunds_have_a_refund_number CHECK (((kind = 'refund'::text) OR (refund_number IS NULL)))
);

CREATE TABLE public.bulk_job_items (
    job_id uuid NOT NULL,
    line integer NOT NULL,
    input text NOT NULL,
    customer_id uuid,
    state text DEFAULT 'new'::text NOT NULL,
    rejection_reason text,
    plan_before text,
    ends_before timestamp with time zone,
    plan_after text,
    ends_after timestamp with time zone,
    action_id uuid,
    undo_action_id uuid,
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['new'::text, 'ready'::text, 'not_found'::text, 'ambiguous'::text, 'repeated'::text, 'refused'::text, 'applied'::text, 'skipped'::text, 'undone'::text, 'kept'::text]))),
    CONSTRAINT what_is_applied_names_its_action CHECK (((state = ANY (ARRAY['applied'::text, 'undone'::text, 'kept'::text])) = (action_id IS NOT NULL))),
    CONSTRAINT what_is_undone_names_its_action CHECK (((state = 'undone'::text) = (undo_action_id IS NOT NULL)))
);

CREATE TABLE public.bulk_jobs (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    kind text NOT NULL,
    plan_id uuid,
    days integer,
    ends_at timestamp with time zone,
    reason text NOT NULL,
    origin text,
    state text NOT NULL,
    needs_approval boolean DEFAULT false NOT NULL,
    requested_by uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    approved_by uuid,
    approved_at timestamp with time zone,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    undo_requested_by uuid,
    undo_requested_at timestamp with time zone,
    undone_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    origin_list text,
    CONSTRAINT a_list_is_of_customers CHECK ((origin_list = ANY (ARRAY['customers'::text, 'subscriptions'::text]))),
    CONSTRAINT a_plan_is_named_where_one_is_given CHECK (((kind = ANY (ARRAY['grant'::text, 'change_tier'::text])) = (plan_id IS NOT NULL))),
    CONSTRAINT a_view_has_a_name CHECK (((origin_list IS NULL) OR (origin IS NOT NULL))),
    CONSTRAINT days_are_from_1_to_3650 CHECK (((days >= 1) AND (days <= 3650))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['grant'::text, 'extend'::text, 'revoke'::text, 'change_tier'::text]))),
    CONSTRAINT nobody_approves_their_own CHECK ((approved_by <> requested_by)),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['checking'::text, 'ready'::text, 'waiting'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text]))),
    CONSTRAINT what_needs_approval_waits_for_it CHECK (((NOT needs_approval) OR (approved_by IS NOT NULL) OR (state = ANY (ARRAY['checking'::text, 'ready'::text, 'waiting'::text, 'cancelled'::text]))))
);

CREATE TABLE public.checkouts (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    product_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    method text NOT NULL,
    number text NOT NULL,
    description text NOT NULL,
    basis bytea NOT NULL,
    price bigint NOT NULL,
    credit bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    state text NOT NULL,
    close_reason text,
    invocation jsonb,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone,
    last_failure text,
    transaction_id text,
    paid_at timestamp with time zone,
    payer_hash bytea,
    payment_kind text,
    settled_at timestamp with time zone,
    subscription_id uuid,
    closed_at timestamp with time zone,
    problem text,
    return_url text,
    notification_url text,
    client_address text,
    payer_mask text,
    bank text,
    has_unknown_refund boolean DEFAULT false NOT NULL,
    problem_seen_at timestamp with time zone,
    plan_code text NOT NULL,
    period_count integer NOT NULL,
    period_unit text NOT NULL,
    link_ends_at timestamp with time zone,
    CONSTRAINT a_problem_is_seen_to CHECK (((problem_seen_at IS NULL) OR (problem IS NOT NULL))),
    CONSTRAINT amount_is_the_price_less_the_credit CHECK (((credit >= 0) AND (amount = (price - credit)))),
    CONSTRAINT an_address_is_kept_while_the_order_can_be_paid CHECK (((client_address IS NULL) OR (state = ANY (ARRAY['opening'::text, 'open'::text])))),
    CONSTRAINT bank_is_short CHECK (((char_length(bank) >= 1) AND (char_length(bank) <= 500))),
    CONSTRAINT basis_is_a_sha_256 CHECK ((octet_length(basis) = 32)),
    CONSTRAINT client_address_is_short CHECK (((octet_length(client_address) >= 1) AND (octet_length(client_address) <= 128))),
    CONSTRAINT close_reason_is_known CHECK ((close_reason = ANY (ARRAY['expired'::text, 'replaced'::text, 'refused'::text, 'closed_by_store'::text, 'account_deleted'::text]))),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT description_has_1_to_127_characters CHECK (((char_length(description) >= 1) AND (char_length(description) <= 127))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT it_expires_after_it_was_opened CHECK ((expires_at > created_at)),
    CONSTRAINT it_sells_a_period CHECK (((period_count > 0) AND (period_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])))),
    CONSTRAINT method_has_a_name CHECK ((method ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT notification_url_is_an_address CHECK (((notification_url ~ '^https?://'::text) AND (octet_length(notification_url) <= 255))),
    CONSTRAINT number_is_one_that_stores_take CHECK ((number ~ '^[0-9A-Za-z_]{6,32}$'::text)),
    CONSTRAINT only_a_payment_has_a_bank CHECK (((transaction_id IS NOT NULL) OR ((bank IS NULL) AND (payer_mask IS NULL)))),
    CONSTRAINT only_a_payment_is_given_back CHECK (((NOT has_unknown_refund) OR (state = 'paid'::text))),
    CONSTRAINT payer_is_kept_as_a_hash CHECK ((octet_length(payer_hash) = 32)),
    CONSTRAINT payer_mask_hides_most CHECK (((payer_mask ~~ '%…%'::text) AND (char_length(payer_mask) <= 8))),
    CONSTRAINT period_ends_after_it_starts CHECK ((ends_at > starts_at)),
    CONSTRAINT return_url_is_a_page CHECK (((return_url ~~ 'https://%'::text) AND (octet_length(return_url) <= 255))),
    CONSTRAINT something_is_paid CHECK ((amount > 0)),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['opening'::text, 'open'::text, 'paid'::text, 'closing'::text, 'closed'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_ends_is_there CHECK (((link_ends_at IS NULL) OR (invocation IS NOT NULL))),
    CONSTRAINT what_is_closed_says_when CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
    CONSTRAINT what_is_closed_says_why CHECK (((state = 'paid'::text) OR ((state = ANY (ARRAY['closing'::text, 'closed'::text])) = (close_reason IS NOT NULL)))),
    CONSTRAINT what_is_open_can_be_paid CHECK (((state <> 'open'::text) OR (invocation IS NOT NULL))),
    CONSTRAINT what_is_paid_says_when CHECK ((((state = 'paid'::text) = (paid_at IS NOT NULL)) AND ((paid_at IS NULL) = (transaction_id IS NULL)) AND ((paid_at IS NULL) = (settled_at IS NULL))))
)
WITH (fillfactor='80');

COMMENT ON COLUMN public.checkouts.state IS 'opening: the store has not answered yet; closing: the store is being told that it cannot be paid any more.';

COMMENT ON COLUMN public.checkouts.link_ends_at IS 'NULL where what a client pays with works as long as the order.';

CREATE TABLE public.consumption_answers (
    refund_request_id uuid NOT NULL,
    state text NOT NULL,
    refund_preference text,
    rule_position smallint,
    rule_name text,
    consumption_percentage integer,
    sample_content boolean NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    withheld_because text,
    sent_at timestamp with time zone,
    error_code bigint,
    error text,
    CONSTRAINT a_rule_has_position_and_name CHECK (((rule_position IS NULL) = (rule_name IS NULL))),
    CONSTRAINT refund_preference_is_known CHECK ((refund_preference = ANY (ARRAY['GRANT_FULL'::text, 'GRANT_PRORATED'::text, 'DECLINE'::text]))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['sending'::text, 'sent'::text, 'refused'::text, 'withheld'::text]))),
    CONSTRAINT what_is_sent_is_an_answer CHECK (((state = 'withheld'::text) OR (refund_preference IS NOT NULL))),
    CONSTRAINT what_is_withheld_says_why CHECK ((((state = 'withheld'::text) = (withheld_because IS NOT NULL)) AND (withheld_because = ANY (ARRAY['no_rule'::text, 'no_consent'::text, 'no_percentage'::text, 'too_late'::text, 'no_key'::text])))),
    CONSTRAINT what_was_refused_says_why CHECK (((state <> 'refused'::text) OR (error IS NOT NULL))),
    CONSTRAINT what_was_sent_says_when CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL)))
);

CREATE TABLE public.consumption_consents (
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    is_given boolean NOT NULL,
    source text NOT NULL,
    recorded_by uuid,
    recorded_as text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    reason text,
    CONSTRAINT source_is_known CHECK ((source = ANY (ARRAY['app'::text, 'staff'::text]))),
    CONSTRAINT staff_say_why CHECK (((source <> 'staff'::text) OR ((reason IS NOT NULL) AND (reason <> ''::text))))
);

CREATE TABLE public.consumption_rules (
    app_id uuid NOT NULL,
    "position" smallint NOT NULL,
    name text NOT NULL,
    plan_code text,
    age_from integer,
    age_to integer,
    refunds_from integer,
    refunds_to integer,
    used_percent_from integer,
    used_percent_to integer,
    refund_preference text NOT NULL,
    consumption_percentage integer,
    CONSTRAINT a_rule_has_a_name CHECK ((name <> ''::text)),
    CONSTRAINT conditions_are_ranges CHECK (((age_from >= 0) AND (age_to >= 0) AND (refunds_from >= 0) AND (refunds_to >= 0) AND ((used_percent_from >= 0) AND (used_percent_from <= 100)) AND ((used_percent_to >= 0) AND (used_percent_to <= 100)) AND (age_from <= age_to) AND (refunds_from <= refunds_to) AND (used_percent_from <= used_percent_to))),
    CONSTRAINT consumption_percentage_is_a_share CHECK (((consumption_percentage >= 0) AND (consumption_percentage <= 100000))),
    CONSTRAINT refund_preference_is_known CHECK ((refund_preference = ANY (ARRAY['GRANT_FULL'::text, 'GRANT_PRORATED'::text, 'DECLINE'::text]))),
    CONSTRAINT rules_are_counted_from_one CHECK (("position" >= 1))
);

CREATE TABLE public.credit_buckets (
    order_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    is_sandbox boolean NOT NULL,
    granted bigint NOT NULL,
    taken bigint DEFAULT 0 NOT NULL,
    remaining bigint NOT NULL,
    owed bigint DEFAULT 0 NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT credits_expire_after_they_start CHECK ((expires_at >= starts_at)),
    CONSTRAINT no_more_is_owed_than_was_taken CHECK (((owed >= 0) AND (owed <= taken))),
    CONSTRAINT no_more_is_taken_than_was_granted CHECK (((taken >= 0) AND (taken <= granted))),
    CONSTRAINT no_more_remains_than_was_left CHECK (((remaining >= 0) AND (remaining <= (granted - taken)))),
    CONSTRAINT something_is_granted CHECK ((granted > 0))
)
WITH (fillfactor='80');

CREATE TABLE public.customer_activity (
    customer_id uuid NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    locale text,
    platform text,
    app_version text,
    CONSTRAINT app_version_is_short CHECK ((app_version ~ '^[0-9A-Za-z.+_-]{1,32}$'::text)),
    CONSTRAINT locale_is_a_language_tag CHECK ((locale ~ '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,4}$'::text)),
    CONSTRAINT platform_is_known CHECK ((platform = ANY (ARRAY['ios'::text, 'macos'::text, 'android'::text, 'web'::text])))
)
WITH (fillfactor='70');

CREATE TABLE public.customer_notes (
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    author text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    CONSTRAINT a_note_says_something CHECK ((((length(text) >= 1) AND (length(text) <= 4000)) AND (text ~ '\S'::text)))
);

CREATE TABLE public.customer_sessions (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    method text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    subject_hash bytea,
    last_used_at timestamp with time zone,
    CONSTRAINT a_session_expires_after_it_begins CHECK ((expires_at > created_at)),
    CONSTRAINT a_subject_hash_has_32_bytes CHECK ((octet_length(subject_hash) = 32)),
    CONSTRAINT method_is_known CHECK ((method = ANY (ARRAY['minted'::text, 'apple'::text, 'wechat'::text, 'alipay'::text, 'issuer'::text]))),
    CONSTRAINT sessions_of_an_issuer_have_a_subject CHECK (((method = 'issuer'::text) = (subject_hash IS NOT NULL)))
);

CREATE TABLE public.customers (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    key text NOT NULL,
    app_account_token uuid,
    external_id text,
    name text,
    email text,
    created_at timestamp with time zone NOT NULL,
    search text GENERATED ALWAYS AS (public.search_key(((((((key || ' '::text) || COALESCE(external_id, ''::text)) || ' '::text) || COALESCE(name, ''::text)) || ' '::text) || COALESCE(email, ''::text)))) STORED NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    identified_at timestamp with time zone,
    merged_into uuid,
    merged_at timestamp with time zone,
    avatar_url text,
    deleted_at timestamp with time zone,
    tester_since timestamp with time zone,
    CONSTRAINT a_deleted_customer_is_named_by_nothing CHECK (((deleted_at IS NULL) OR (num_nonnulls(external_id, name, email, avatar_url) = 0))),
    CONSTRAINT a_merger_has_a_moment CHECK (((merged_into IS NULL) = (merged_at IS NULL))),
    CONSTRAINT nobody_is_merged_into_themselves CHECK ((merged_into <> id))
);

CREATE TABLE public.daily_bills (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    state text NOT NULL,
    rows integer DEFAULT 0 NOT NULL,
    unreadable text[] DEFAULT '{}'::text[] NOT NULL,
    problem text,
    failures integer DEFAULT 0 NOT NULL,
    asked_at timestamp with time zone,
    fetched_at timestamp with time zone,
    next_at timestamp with time zone,
    CONSTRAINT a_day_ends_after_it_starts CHECK ((ends_at > starts_at)),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT rows_and_failures_are_counted_from_zero CHECK (((rows >= 0) AND (failures >= 0))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['awaited'::text, 'incomplete'::text, 'compared'::text, 'missing'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_is_awaited_is_asked_for CHECK (((state <> 'awaited'::text) OR (next_at IS NOT NULL))),
    CONSTRAINT what_is_fetched_says_when CHECK (((state = ANY (ARRAY['incomplete'::text, 'compared'::text])) = (fetched_at IS NOT NULL))),
    CONSTRAINT what_is_over_is_not_asked_for CHECK (((state <> ALL (ARRAY['compared'::text, 'missing'::text])) OR (next_at IS NULL)))
);

CREATE TABLE public.disputed_transactions (
    subscription_id uuid NOT NULL,
    order_id uuid NOT NULL,
    noticed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.entitlement_actions (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    kind text NOT NULL,
    changes jsonb NOT NULL,
    undoes uuid,
    staff_id uuid,
    bulk_job_id uuid,
    bulk_line integer,
    at timestamp with time zone NOT NULL,
    CONSTRAINT a_bulk_line_is_of_a_job CHECK (((bulk_job_id IS NULL) = (bulk_line IS NULL))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['grant'::text, 'extend'::text, 'revoke'::text, 'restore'::text, 'change_tier'::text, 'transfer'::text, 'cancel'::text, 'undo'::text]))),
    CONSTRAINT what_is_taken_back_is_named CHECK (((kind = 'undo'::text) = (undoes IS NOT NULL)))
);

CREATE TABLE public.entitlement_versions (
    customer_id uuid NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT versions_count_from_one CHECK ((version >= 1))
)
WITH (fillfactor='70');

CREATE TABLE public.expiry_reminders (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    days smallint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT it_comes_before_the_end CHECK ((recorded_at < ends_at)),
    CONSTRAINT it_reminds_on_a_known_day CHECK ((days = ANY (ARRAY[7, 3, 1])))
);

CREATE TABLE public.external_purchase_tokens (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    external_purchase_id text NOT NULL,
    state text NOT NULL,
    token_type text,
    created_at timestamp with time zone,
    expires_at timestamp with time zone,
    told_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    reported_at timestamp with time zone,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT external_purchase_id_is_short CHECK (((octet_length(external_purchase_id) >= 1) AND (octet_length(external_purchase_id) <= 255))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['created'::text, 'reminded'::text, 'unreported'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT token_type_is_short CHECK (((octet_length(token_type) >= 1) AND (octet_length(token_type) <= 255)))
);

CREATE TABLE public.features (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    names jsonb DEFAULT '{}'::jsonb NOT NULL,
    "position" integer NOT NULL,
    limit_reached jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT code_is_lower_case_with_hyphens CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 64))),
    CONSTRAINT limit_reached_is_an_object CHECK ((jsonb_typeof(limit_reached) = 'object'::text)),
    CONSTRAINT names_are_an_object CHECK ((jsonb_typeof(names) = 'object'::text))
);

CREATE TABLE public.grants (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    plan_id uuid NOT NULL,
    kind text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    ended_at timestamp with time zone,
    subscription_id uuid,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    verification_id uuid,
    converted_at timestamp with time zone,
    superseded_at timestamp with time zone,
    expired_at timestamp with time zone,
    shared_subscription_id uuid,
    CONSTRAINT a_conversion_ends_a_trial CHECK (((converted_at IS NULL) OR (NOT (converted_at IS DISTINCT FROM ended_at)))),
    CONSTRAINT a_grant_ends_after_it_starts CHECK ((ends_at > starts_at)),
    CONSTRAINT a_trial_has_an_end CHECK (((kind <> 'trial'::text) OR (ends_at IS NOT NULL))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['complimentary'::text, 'extension'::text, 'upgrade'::text, 'provisional'::text, 'trial'::text]))),
    CONSTRAINT only_a_trial_converts CHECK (((converted_at IS NULL) OR (kind = 'trial'::text))),
    CONSTRAINT only_a_trial_is_superseded CHECK (((superseded_at IS NULL) OR (kind = 'trial'::text))),
    CONSTRAINT provisional_access_names_its_verification CHECK (((kind = 'provisional'::text) = (verification_id IS NOT NULL))),
    CONSTRAINT shared_access_is_provisional CHECK (((shared_subscription_id IS NULL) OR (kind = 'provisional'::text))),
    CONSTRAINT versions_count_from_one CHECK ((version >= 1))
);

CREATE TABLE public.heartbeats (
    server uuid NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    is_worker boolean NOT NULL,
    stalled_since timestamp with time zone,
    CONSTRAINT only_a_worker_sees_a_stall CHECK ((is_worker OR (stalled_since IS NULL)))
);

COMMENT ON TABLE public.heartbeats IS 'Which processes run, and whether they get on with their work';

CREATE TABLE public.idempotency_keys (
    owner_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    audit_entry_id uuid,
    result text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT fingerprint_is_a_sha_256 CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT key_has_at_most_255_characters CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);

CREATE TABLE public.installation (
    only_one boolean DEFAULT true NOT NULL,
    secret_fingerprint bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    system_identifier bigint,
    newest_timeline bigint,
    CONSTRAINT a_fingerprint_has_32_bytes CHECK ((octet_length(secret_fingerprint) = 32)),
    CONSTRAINT a_timeline_belongs_to_a_cluster CHECK (((system_identifier IS NULL) = (newest_timeline IS NULL))),
    CONSTRAINT there_is_one_installation CHECK (only_one),
    CONSTRAINT timelines_count_from_one CHECK ((newest_timeline > 0))
);

CREATE TABLE public.job_attempts (
    job_id uuid NOT NULL,
    attempt integer NOT NULL,
    result text NOT NULL,
    error text,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    CONSTRAINT result_is_known CHECK ((result = ANY (ARRAY['completed'::text, 'retried'::text, 'discarded'::text])))
);

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    state text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 10 NOT NULL,
    snoozes integer DEFAULT 0 NOT NULL,
    scheduled_at timestamp with time zone NOT NULL,
    attempted_by uuid,
    lease_ends_at timestamp with time zone,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    finalized_at timestamp with time zone,
    due_at timestamp with time zone,
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK ((((state = 'running'::text) = (attempted_by IS NOT NULL)) AND ((attempted_by IS NULL) = (lease_ends_at IS NULL)))),
    CONSTRAINT kind_has_a_name CHECK ((kind ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT snoozes_are_attempts CHECK (((snoozes >= 0) AND (snoozes <= attempt))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['available'::text, 'running'::text, 'completed'::text, 'discarded'::text, 'cancelled'::text]))),
    CONSTRAINT there_is_an_attempt CHECK ((max_attempts >= 1)),
    CONSTRAINT what_is_finished_says_when CHECK (((state = ANY (ARRAY['completed'::text, 'discarded'::text, 'cancelled'::text])) = (finalized_at IS NOT NULL))),
    CONSTRAINT what_was_discarded_says_why CHECK (((state <> 'discarded'::text) OR (last_error IS NOT NULL)))
);

CREATE TABLE public.ledger_entries (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    order_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    store_transaction_id text NOT NULL,
    reference text NOT NULL,
    notification_id uuid,
    failure_reason text,
    occurred_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    payer text DEFAULT 'store'::text NOT NULL,
    CONSTRAINT charges_are_paid_at_the_store CHECK (((payer = 'store'::text) OR (NOT public.is_charge(kind)))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['initial_purchase'::text, 'renewal'::text, 'upgrade'::text, 'downgrade'::text, 'refund'::text, 'revoke'::text, 'refund_reversal'::text, 'upgrade_credit'::text, 'upgrade_credit_reversal'::text]))),
    CONSTRAINT payer_is_known CHECK ((payer = ANY (ARRAY['store'::text, 'elsewhere'::text]))),
    CONSTRAINT refunds_are_negative_and_charges_are_not CHECK (
CASE
    WHEN (kind = ANY (ARRAY['refund'::text, 'revoke'::text, 'upgrade_credit'::text])) THEN (amount <= 0)
    ELSE (amount >= 0)
END),
    CONSTRAINT status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE TABLE public.list_columns (
    staff_id uuid NOT NULL,
    list text NOT NULL,
    columns text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT columns_are_named CHECK ((columns ~ '^(all|-|[a-z_]+([.][a-z_]+)*)$'::text)),
    CONSTRAINT list_is_known CHECK ((list = ANY (ARRAY['orders'::text, 'customers'::text, 'subscriptions'::text, 'refunds'::text, 'notifications'::text, 'audit'::text])))
);

CREATE TABLE public.mfa_challenges (
    token_hash bytea NOT NULL,
    staff_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT token_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.months_to_convert (
    app_id uuid NOT NULL,
    month date NOT NULL,
    CONSTRAINT waiting_months_begin_on_their_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

CREATE TABLE public.notification_attempts (
    notification_id uuid NOT NULL,
    attempt integer NOT NULL,
    result text NOT NULL,
    error text,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    CONSTRAINT result_is_known CHECK ((result = ANY (ARRAY['processed'::text, 'ignored'::text, 'retried'::text, 'failed'::text])))
);

CREATE TABLE public.order_aliases (
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    transaction_id text NOT NULL,
    order_id uuid NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);

CREATE TABLE public.order_numbers (
    app_id uuid NOT NULL,
    day date NOT NULL,
    last_sequence bigint NOT NULL
);

CREATE TABLE public.orders (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    subscription_id uuid,
    product_id uuid NOT NULL,
    number text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    transaction_id text NOT NULL,
    original_transaction_id text NOT NULL,
    product_name text NOT NULL,
    plan_code text NOT NULL,
    amount bigint,
    refunded bigint DEFAULT 0 NOT NULL,
    currency text,
    storefront text,
    purchased_at timestamp with time zone NOT NULL,
    period_starts_at timestamp with time zone NOT NULL,
    period_ends_at timestamp with time zone,
    refunded_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    search text GENERATED ALWAYS AS (public.search_key(((((((number || ' '::text) || transaction_id) || ' '::text) || original_transaction_id) || ' '::text) || product_name))) STORED NOT NULL,
    has_refunds boolean DEFAULT false NOT NULL,
    worth bigint DEFAULT '-1'::integer NOT NULL,
    quantity integer DEFAULT 1 NOT NULL,
    offer_kind text,
    offer_id text,
    is_trial boolean DEFAULT false NOT NULL,
    superseded_at timestamp with time zone,
    credited bigint DEFAULT 0 NOT NULL,
    joined_into uuid,
    joined_at timestamp with time zone,
    amount_asked_at timestamp with time zone,
    revoked_seats integer DEFAULT 0 NOT NULL,
    refund_is_estimated boolean DEFAULT false NOT NULL,
    paid_days integer DEFAULT 0 NOT NULL,
    CONSTRAINT amount_is_not_negative CHECK ((amount >= 0)),
    CONSTRAINT an_amount_has_a_currency CHECK (((amount IS NULL) = (currency IS NULL))),
    CONSTRAINT credited_is_never_above_what_is_left CHECK (((credited = 0) OR ((credited > 0) AND (credited <= (amount - refunded))))),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT each_payer_gives_the_charge_back_once CHECK (((refunded >= 0) AND (refunded <= (2 * amount)))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT kind_is_a_charge CHECK ((kind = ANY (ARRAY['initial_purchase'::text, 'renewal'::text, 'upgrade'::text, 'downgrade'::text]))),
    CONSTRAINT no_more_seats_are_revoked_than_were_bought CHECK (((revoked_seats >= 0) AND (revoked_seats <= quantity))),
    CONSTRAINT nothing_is_known_of_money_without_an_amount CHECK (((amount IS NOT NULL) OR ((status = 'pending'::text) AND (refunded = 0) AND (credited = 0)))),
    CONSTRAINT offer_kind_is_known CHECK ((offer_kind = ANY (ARRAY['introductory'::text, 'promotional'::text, 'code'::text, 'winBack'::text]))),
    CONSTRAINT only_refunds_of_seats_are_estimated CHECK (((revoked_seats > 0) OR (NOT refund_is_estimated))),
    CONSTRAINT paid_days_are_counted_from_zero CHECK ((paid_days >= 0)),
    CONSTRAINT period_ends_after_it_starts CHECK ((period_ends_at > period_starts_at)),
    CONSTRAINT quantity_is_above_zero CHECK ((quantity > 0)),
    CONSTRAINT status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'partially_refunded'::text, 'refunded'::text, 'superseded'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT status_tells_what_was_refunded CHECK (
CASE status
    WHEN 'refunded'::text THEN (refunded >= amount)
    WHEN 'partially_refunded'::text THEN ((refunded > 0) AND (refunded < amount))
    WHEN 'superseded'::text THEN ((refunded < amount) OR (amount = 0))
    ELSE (refunded = 0)
END),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_is_joined_is_void CHECK (((joined_into IS NULL) OR (status = 'cancelled'::text))),
    CONSTRAINT what_is_joined_says_when CHECK (((joined_into IS NULL) = (joined_at IS NULL))),
    CONSTRAINT what_is_superseded_says_when CHECK (((superseded_at IS NOT NULL) OR ((status <> 'superseded'::text) AND (credited = 0))))
);

COMMENT ON COLUMN public.orders.amount IS 'In minor units; NULL while the store has not said what was charged.';

COMMENT ON COLUMN public.orders.joined_into IS 'The order that has the purchase, of one that is void; itself, where nobody bought it here: a seat was assigned.';

COMMENT ON COLUMN public.orders.amount_asked_at IS 'When the store was last asked for an amount that it had not said.';

COMMENT ON COLUMN public.orders.refund_is_estimated IS 'The store has not said what the seats cost that it gave back: they count at the average.';

COMMENT ON COLUMN public.orders.paid_days IS 'Whole days of paid service before it, by the subscription''s events (Billing.PaidService).';

CREATE TABLE public.paid_year_changes (
    id bigint NOT NULL,
    app_id uuid NOT NULL,
    order_id uuid NOT NULL,
    year_before smallint NOT NULL,
    year_after smallint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT a_year_is_the_first_or_later CHECK (((year_before = ANY (ARRAY[0, 1])) AND (year_after = (1 - year_before))))
);

ALTER TABLE public.paid_year_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.paid_year_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.password_setup_tokens (
    staff_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT token_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.paywalls (
    app_id uuid NOT NULL,
    title jsonb DEFAULT '{}'::jsonb NOT NULL,
    headline jsonb DEFAULT '{}'::jsonb NOT NULL,
    subscribe jsonb DEFAULT '{}'::jsonb NOT NULL,
    terms_url text,
    privacy_url text,
    CONSTRAINT addresses_are_https CHECK (((terms_url ~~ 'https://%'::text) AND (privacy_url ~~ 'https://%'::text))),
    CONSTRAINT texts_are_objects CHECK (((jsonb_typeof(title) = 'object'::text) AND (jsonb_typeof(headline) = 'object'::text) AND (jsonb_typeof(subscribe) = 'object'::text)))
);

CREATE TABLE public.plan_features (
    plan_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    per_day bigint,
    per_month bigint,
    lifetime bigint,
    CONSTRAINT limits_are_at_least_one CHECK (((per_day > 0) AND (per_month > 0) AND (lifetime > 0)))
);

CREATE TABLE public.plans (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    rank integer NOT NULL,
    names jsonb DEFAULT '{}'::jsonb NOT NULL,
    benefits jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT benefits_are_a_list CHECK ((jsonb_typeof(benefits) = 'array'::text)),
    CONSTRAINT names_are_an_object CHECK ((jsonb_typeof(names) = 'object'::text)),
    CONSTRAINT rank_is_not_negative CHECK ((rank >= 0))
);

CREATE TABLE public.product_credits (
    product_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT credits_are_possible CHECK (((amount >= 1) AND (amount <= 1000000000)))
);

CREATE TABLE public.product_prices (
    product_id uuid NOT NULL,
    currency text NOT NULL,
    minor_units bigint NOT NULL,
    CONSTRAINT price_currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT price_is_not_negative CHECK ((minor_units >= 0))
);

CREATE TABLE public.products (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    plan_id uuid NOT NULL,
    store text NOT NULL,
    store_product_id text NOT NULL,
    name text NOT NULL,
    period_count integer,
    period_unit text,
    trial_count integer,
    trial_unit text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    names jsonb DEFAULT '{}'::jsonb NOT NULL,
    is_recommended boolean DEFAULT false NOT NULL,
    is_consumable boolean DEFAULT false NOT NULL,
    CONSTRAINT a_consumable_lasts_for_no_time CHECK (((NOT is_consumable) OR ((period_count IS NULL) AND (trial_count IS NULL)))),
    CONSTRAINT names_are_an_object CHECK ((jsonb_typeof(names) = 'object'::text)),
    CONSTRAINT period_is_at_least_one CHECK ((period_count >= 1)),
    CONSTRAINT period_is_whole CHECK (((period_count IS NULL) = (period_unit IS NULL))),
    CONSTRAINT period_unit_is_known CHECK ((period_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT trial_is_at_least_one CHECK ((trial_count >= 1)),
    CONSTRAINT trial_is_whole CHECK (((trial_count IS NULL) = (trial_unit IS NULL))),
    CONSTRAINT trial_unit_is_known CHECK ((trial_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])))
);

CREATE TABLE public.promo_batches (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    name text NOT NULL,
    channel text NOT NULL,
    plan_id uuid NOT NULL,
    days integer NOT NULL,
    code_count integer NOT NULL,
    uses_per_code integer NOT NULL,
    uses_per_customer integer NOT NULL,
    starts_at timestamp with time zone,
    expires_at timestamp with time zone,
    created_by uuid,
    created_as text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    stopped_at timestamp with time zone,
    stopped_as text,
    CONSTRAINT a_batch_expires_after_it_starts CHECK ((expires_at > starts_at)),
    CONSTRAINT a_stop_says_who CHECK (((stopped_at IS NULL) = (stopped_as IS NULL))),
    CONSTRAINT channel_has_1_to_50_characters CHECK (((char_length(channel) >= 1) AND (char_length(channel) <= 50))),
    CONSTRAINT codes_are_from_1_to_100000 CHECK (((code_count >= 1) AND (code_count <= 100000))),
    CONSTRAINT days_are_from_1_to_3650 CHECK (((days >= 1) AND (days <= 3650))),
    CONSTRAINT name_has_1_to_100_characters CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT uses_are_from_1_to_1000000 CHECK (((uses_per_code >= 1) AND (uses_per_code <= 1000000))),
    CONSTRAINT uses_per_customer_are_from_1_to_100 CHECK (((uses_per_customer >= 1) AND (uses_per_customer <= 100)))
);

CREATE TABLE public.promo_codes (
    batch_id uuid NOT NULL,
    number integer NOT NULL,
    code_hash bytea NOT NULL,
    uses integer DEFAULT 0 NOT NULL,
    max_uses integer NOT NULL,
    CONSTRAINT a_code_is_redeemed_no_more_than_it_can_be CHECK (((uses >= 0) AND (uses <= max_uses))),
    CONSTRAINT code_is_kept_as_a_hash CHECK ((octet_length(code_hash) = 32)),
    CONSTRAINT codes_count_from_one CHECK ((number >= 1))
)
WITH (fillfactor='90');

CREATE TABLE public.promo_redemptions (
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    code_number integer NOT NULL,
    use_number integer NOT NULL,
    customer_id uuid NOT NULL,
    customer_number integer NOT NULL,
    grant_id uuid NOT NULL,
    redeemed_at timestamp with time zone NOT NULL,
    CONSTRAINT uses_count_from_one CHECK (((use_number >= 1) AND (customer_number >= 1)))
);

CREATE TABLE public.purchase_claims (
    subscription_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    verification_id uuid NOT NULL,
    outcome text NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    CONSTRAINT outcome_is_known CHECK ((outcome = ANY (ARRAY['held'::text, 'joined'::text, 'moved'::text, 'transferred'::text, 'shared'::text, 'refused'::text, 'unproven'::text])))
);

CREATE TABLE public.purchase_moves (
    subscription_id uuid NOT NULL,
    from_customer_id uuid NOT NULL,
    to_customer_id uuid NOT NULL,
    moved_at timestamp with time zone NOT NULL,
    CONSTRAINT a_purchase_moves_to_somebody_else CHECK ((from_customer_id <> to_customer_id))
);

CREATE TABLE public.purchase_verifications (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    store text NOT NULL,
    form text NOT NULL,
    proof text[] NOT NULL,
    digest bytea NOT NULL,
    environment text,
    state text NOT NULL,
    problem text,
    requested_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone,
    provisional_until timestamp with time zone,
    finished_at timestamp with time zone,
    worthless text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT a_proof_is_something CHECK ((cardinality(proof) >= 1)),
    CONSTRAINT digest_is_a_sha_256 CHECK ((octet_length(digest) = 32)),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT form_is_known CHECK ((form = ANY (ARRAY['signed_transactions'::text, 'receipt'::text, 'transaction_id'::text, 'purchase_token'::text]))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['pending'::text, 'provisional'::text, 'verified'::text, 'rejected'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_is_final_has_a_moment CHECK (((state = ANY (ARRAY['verified'::text, 'rejected'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT what_is_rejected_has_a_reason CHECK (((state <> 'rejected'::text) OR (problem IS NOT NULL))),
    CONSTRAINT what_is_worthless_says_why CHECK (((array_position(worthless, ''::text) IS NULL) AND (array_position(worthless, NULL::text) IS NULL)))
);

CREATE UNLOGGED TABLE public.rate_limit_buckets (
    id uuid NOT NULL,
    full_at timestamp with time zone NOT NULL,
    granted bigint NOT NULL,
    CONSTRAINT what_is_granted_is_not_negative CHECK ((granted >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.reconciliations (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    trigger text NOT NULL,
    read_from timestamp with time zone NOT NULL,
    read_to timestamp with time zone NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    notifications_read integer DEFAULT 0 NOT NULL,
    notifications_undelivered integer DEFAULT 0 NOT NULL,
    notifications_missed integer DEFAULT 0 NOT NULL,
    notifications_rejected integer DEFAULT 0 NOT NULL,
    subscriptions_checked integer DEFAULT 0 NOT NULL,
    subscriptions_corrected integer DEFAULT 0 NOT NULL,
    subscriptions_unknown integer DEFAULT 0 NOT NULL,
    problem text,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT it_finishes_after_it_starts CHECK ((finished_at >= started_at)),
    CONSTRAINT it_reads_forward CHECK ((read_to >= read_from)),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT trigger_is_known CHECK ((trigger = ANY (ARRAY['schedule'::text, 'command'::text])))
);

CREATE TABLE public.refresh_tokens (
    token_hash bytea NOT NULL,
    session_id uuid NOT NULL,
    replaces bytea,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    voided_at timestamp with time zone,
    CONSTRAINT a_token_hash_has_32_bytes CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT what_is_voided_was_never_used CHECK (((voided_at IS NULL) OR (used_at IS NULL)))
);

CREATE TABLE public.refund_numbers (
    app_id uuid NOT NULL,
    last_sequence bigint NOT NULL
);

CREATE TABLE public.refund_payout_steps (
    refund_id uuid NOT NULL,
    "position" integer NOT NULL,
    at timestamp with time zone NOT NULL,
    state text NOT NULL,
    words text,
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'unpaid'::text, 'processing'::text, 'paid'::text, 'closed'::text, 'abnormal'::text, 'refused'::text, 'withdrawn'::text]))),
    CONSTRAINT steps_are_counted_from_one CHECK (("position" >= 1))
);

CREATE TABLE public.refund_payouts (
    refund_id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    number text NOT NULL,
    order_number text NOT NULL,
    transaction_id text NOT NULL,
    amount bigint NOT NULL,
    total bigint NOT NULL,
    currency text NOT NULL,
    revokes boolean NOT NULL,
    is_requested boolean NOT NULL,
    state text NOT NULL,
    obstacle text,
    store_id text,
    words text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    asked_at timestamp with time zone,
    paid_at timestamp with time zone,
    unpaid_since timestamp with time zone,
    settled_at timestamp with time zone,
    CONSTRAINT a_part_of_the_payment_is_paid_back CHECK (((amount > 0) AND (amount <= total))),
    CONSTRAINT currency_is_iso_4217 CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT nobody_waits_for_what_nobody_asked_for CHECK ((is_requested OR (state = 'paid'::text))),
    CONSTRAINT nothing_was_sent_where_there_is_an_obstacle CHECK (((obstacle IS NULL) OR (sent_at IS NULL))),
    CONSTRAINT number_is_one_that_stores_take CHECK (((number ~ '^[0-9A-Za-z_]{1,64}$'::text) OR (NOT is_requested))),
    CONSTRAINT obstacle_is_known CHECK ((obstacle = ANY (ARRAY['whole_orders_only'::text, 'too_old'::text, 'too_many'::text]))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'unpaid'::text, 'processing'::text, 'paid'::text, 'closed'::text, 'abnormal'::text, 'refused'::text, 'withdrawn'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_is_paid_says_when CHECK (((state = 'paid'::text) = (paid_at IS NOT NULL))),
    CONSTRAINT what_is_unpaid_says_since_when CHECK (((state <> 'unpaid'::text) OR (unpaid_since IS NOT NULL))),
    CONSTRAINT what_waits_was_not_sent CHECK (((state <> 'waiting'::text) OR (sent_at IS NULL))),
    CONSTRAINT what_was_sent_says_when CHECK (((state <> ALL (ARRAY['sent'::text, 'unpaid'::text])) OR (sent_at IS NOT NULL)))
)
WITH (fillfactor='80');

CREATE TABLE public.refund_requests (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    order_id uuid NOT NULL,
    number text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    requested_amount bigint NOT NULL,
    approved_amount bigint,
    processed_amount bigint,
    currency text NOT NULL,
    reason_category text NOT NULL,
    reason text NOT NULL,
    internal_note text,
    requested_by uuid,
    requested_as text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    decided_by uuid,
    decided_as text,
    decided_at timestamp with time zone,
    decision_reason text,
    self_approved boolean DEFAULT false NOT NULL,
    finished_by uuid,
    finished_as text,
    finished_at timestamp with time zone,
    finish_reason text,
    refund_preference text,
    consumption_requested_at timestamp with time zone,
    consumption_due_at timestamp with time zone,
    store_declined_at timestamp with time zone,
    payer text,
    payment_reference text,
    store_reference text,
    expires_at timestamp with time zone,
    due_at timestamp with time zone GENERATED ALWAYS AS (COALESCE(LEAST(consumption_due_at, expires_at), '9999-01-01 00:00:00+00'::timestamp with time zone)) STORED NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    worth bigint DEFAULT '-1'::integer NOT NULL,
    opened_by_store boolean DEFAULT false NOT NULL,
    consumption_reason text,
    consumption_last_requested_at timestamp with time zone,
    store_refunded_at timestamp with time zone,
    payback_amount bigint,
    CONSTRAINT a_consumption_reason_is_of_a_consumption_request CHECK (((consumption_reason IS NULL) OR (consumption_requested_at IS NOT NULL))),
    CONSTRAINT a_decision_says_who_and_when CHECK ((((decided_at IS NULL) = (decided_as IS NULL)) AND
CASE
    WHEN (status = 'pending'::text) THEN (decided_at IS NULL)
    WHEN (status = ANY (ARRAY['approved'::text, 'processed'::text, 'rejected'::text])) THEN (decided_at IS NOT NULL)
    ELSE true
END)),
    CONSTRAINT a_request_says_why CHECK ((reason <> ''::text)),
    CONSTRAINT an_end_says_who_and_when CHECK ((((finished_at IS NULL) = (status = ANY (ARRAY['pending'::text, 'approved'::text]))) AND ((finished_at IS NULL) = (finished_as IS NULL)))),
    CONSTRAINT approved_by_another_person_unless_allowed CHECK (((approved_amount IS NULL) OR self_approved OR (decided_by IS DISTINCT FROM requested_by) OR (requested_by IS NULL))),
    CONSTRAINT approved_is_never_above_requested CHECK (((approved_amount >= 1) AND (approved_amount <= requested_amount))),
    CONSTRAINT consumption_is_due_after_its_request CHECK ((((consumption_due_at IS NULL) = (consumption_requested_at IS NULL)) AND (consumption_due_at > consumption_requested_at))),
    CONSTRAINT consumption_is_last_requested_after_its_first CHECK ((((consumption_last_requested_at IS NULL) = (consumption_requested_at IS NULL)) AND (consumption_last_requested_at >= consumption_requested_at))),
    CONSTRAINT consumption_reason_is_known CHECK ((consumption_reason = ANY (ARRAY['UNINTENDED_PURCHASE'::text, 'FULFILLMENT_ISSUE'::text, 'UNSATISFIED_WITH_PURCHASE'::text, 'LEGAL'::text, 'OTHER'::text]))),
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['full'::text, 'partial'::text, 'prorated'::text]))),
    CONSTRAINT number_is_rf_and_six_digits_or_more CHECK ((number ~ '^RF-[0-9]{6,}$'::text)),
    CONSTRAINT only_what_was_approved_is_paid_back CHECK (((payback_amount IS NULL) OR ((payback_amount >= 0) AND (approved_amount IS NOT NULL)))),
    CONSTRAINT payer_is_known CHECK ((payer = ANY (ARRAY['store'::text, 'elsewhere'::text]))),
    CONSTRAINT processed_is_more_than_nothing CHECK ((processed_amount > 0)),
    CONSTRAINT refund_preference_is_known CHECK ((refund_preference = ANY (ARRAY['GRANT_FULL'::text, 'GRANT_PRORATED'::text, 'DECLINE'::text]))),
    CONSTRAINT requested_is_more_than_nothing CHECK ((requested_amount > 0)),
    CONSTRAINT status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'processed'::text, 'rejected'::text, 'cancelled'::text, 'expired'::text]))),
    CONSTRAINT what_a_store_opened_has_no_requester CHECK (((NOT opened_by_store) OR ((requested_by IS NULL) AND (consumption_requested_at IS NOT NULL)))),
    CONSTRAINT what_is_approved_has_an_amount CHECK (
CASE
    WHEN (status = ANY (ARRAY['approved'::text, 'processed'::text])) THEN (approved_amount IS NOT NULL)
    WHEN (status = 'pending'::text) THEN (approved_amount IS NULL)
    ELSE true
END),
    CONSTRAINT what_is_processed_says_how_much_and_by_whom_paid CHECK ((((status = 'processed'::text) = (processed_amount IS NOT NULL)) AND ((status = 'processed'::text) = (payer IS NOT NULL))))
);

CREATE TABLE public.refused_links (
    identity_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    refused_at timestamp with time zone NOT NULL
);

CREATE TABLE public.renewal_extension_failures (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    store_product_id text NOT NULL,
    subscription_id uuid NOT NULL,
    event_id text NOT NULL,
    failed_at timestamp with time zone NOT NULL,
    extension_id uuid,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text))
);

CREATE TABLE public.renewal_extensions (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    subscription_id uuid,
    storefronts text[],
    days smallint,
    reason_code smallint,
    reason text,
    requested_by uuid,
    requested_as text,
    requested_at timestamp with time zone,
    state text NOT NULL,
    renews_at timestamp with time zone,
    succeeded_count bigint,
    failed_count bigint,
    error_code bigint,
    error text,
    finished_at timestamp with time zone,
    request_identifier text NOT NULL,
    store_product_id text,
    CONSTRAINT a_request_says_all CHECK ((num_nulls(days, reason_code, reason, requested_as, requested_at) = ANY (ARRAY[0, 5]))),
    CONSTRAINT an_extension_says_why CHECK ((reason <> ''::text)),
    CONSTRAINT counts_are_not_negative CHECK (((succeeded_count >= 0) AND (failed_count >= 0))),
    CONSTRAINT days_are_from_1_to_90 CHECK (((days >= 1) AND (days <= 90))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT it_is_of_one_subscription_or_one_product CHECK (((subscription_id IS NULL) <> (store_product_id IS NULL))),
    CONSTRAINT it_was_requested_or_summed_up CHECK (((requested_at IS NOT NULL) OR ((store_product_id IS NOT NULL) AND (state = 'succeeded'::text)))),
    CONSTRAINT product_is_named CHECK (((octet_length(store_product_id) >= 1) AND (octet_length(store_product_id) <= 255))),
    CONSTRAINT reason_code_is_known CHECK (((reason_code >= 0) AND (reason_code <= 3))),
    CONSTRAINT request_identifier_is_short CHECK (((octet_length(request_identifier) >= 1) AND (octet_length(request_identifier) <= 255))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['sending'::text, 'running'::text, 'succeeded'::text, 'refused'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT storefronts_are_of_a_product CHECK (((storefronts IS NULL) OR ((store_product_id IS NOT NULL) AND (cardinality(storefronts) > 0)))),
    CONSTRAINT what_is_finished_says_when CHECK (((state = ANY (ARRAY['succeeded'::text, 'refused'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT what_was_refused_says_why CHECK (((state <> 'refused'::text) OR (error IS NOT NULL)))
);

CREATE TABLE public.reports (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    name text NOT NULL,
    content text NOT NULL,
    grain text NOT NULL,
    hour smallint NOT NULL,
    directory text NOT NULL,
    has_personal_data boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    next_day date NOT NULL,
    last_file text,
    last_rows bigint,
    last_written_at timestamp with time zone,
    CONSTRAINT a_directory_is_absolute CHECK ((directory ~ '^/'::text)),
    CONSTRAINT a_report_has_a_short_name CHECK (((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(name) <= 60))),
    CONSTRAINT an_hour_is_of_a_day CHECK (((hour >= 0) AND (hour <= 23))),
    CONSTRAINT content_is_known CHECK ((content = ANY (ARRAY['revenue'::text, 'ledger'::text, 'access-changes'::text, 'monthly-revenue'::text]))),
    CONSTRAINT grain_is_known CHECK ((grain = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);

CREATE TABLE public.rescinded_consents (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    app_transaction_id text NOT NULL,
    rescinded_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT app_transaction_id_is_short CHECK (((octet_length(app_transaction_id) >= 1) AND (octet_length(app_transaction_id) <= 255))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text))
);

CREATE TABLE public.rollup_corrections (
    id bigint NOT NULL,
    app_id uuid NOT NULL,
    level text NOT NULL,
    measure text NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    dimension smallint NOT NULL,
    product_id uuid,
    country text NOT NULL,
    store text NOT NULL,
    currency text NOT NULL,
    recorded_on date NOT NULL,
    customer_id uuid,
    effective_at timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT customers_have_their_own CHECK (((level = 'customer'::text) = (customer_id IS NOT NULL))),
    CONSTRAINT level_is_known CHECK ((level = ANY (ARRAY['cell'::text, 'month'::text, 'day'::text, 'customer'::text])))
);

ALTER TABLE public.rollup_corrections ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rollup_corrections_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rollup_days (
    app_id uuid NOT NULL,
    measure text NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    dimension smallint NOT NULL,
    store text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    recorded_month date NOT NULL,
    CONSTRAINT recorded_months_begin_on_their_first_day CHECK ((EXTRACT(day FROM recorded_month) = (1)::numeric))
);

CREATE TABLE public.rollup_entries (
    id bigint NOT NULL,
    app_id uuid NOT NULL,
    measure text NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    dimension smallint NOT NULL,
    product_id uuid NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    recorded_on date NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    effective_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

ALTER TABLE public.rollup_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rollup_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rollup_months (
    app_id uuid NOT NULL,
    measure text NOT NULL,
    environment text NOT NULL,
    month date NOT NULL,
    dimension smallint NOT NULL,
    product_id uuid NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    recorded_month date NOT NULL,
    converted numeric DEFAULT 0 NOT NULL,
    lacks_rate boolean DEFAULT false NOT NULL,
    CONSTRAINT months_begin_on_their_first_day CHECK (((EXTRACT(day FROM month) = (1)::numeric) AND (EXTRACT(day FROM recorded_month) = (1)::numeric)))
);

CREATE TABLE public.rollup_recounts (
    app_id uuid NOT NULL,
    turn bigint NOT NULL,
    recounted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.rollups (
    app_id uuid NOT NULL,
    measure text NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    dimension smallint NOT NULL,
    product_id uuid NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    recorded_on date NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT measure_is_known CHECK ((measure = ANY (ARRAY['charge'::text, 'free_order'::text, 'refund'::text, 'refunded_charge'::text, 'upgrade_credit'::text, 'order_by_hour'::text, 'refund_by_hour'::text, 'mrr'::text, 'subscriber'::text, 'lost'::text, 'trial'::text, 'trial_converted'::text, 'trial_abandoned'::text, 'seen'::text, 'converted'::text, 'paying'::text, 'cohort_net'::text, 'started'::text, 'retained'::text, 'holder'::text, 'access'::text, 'charge_failed'::text])))
);

CREATE TABLE public.saved_views (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    list text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    columns text NOT NULL,
    is_shared boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT a_query_fits_into_an_address CHECK ((length(query) <= 2000)),
    CONSTRAINT a_view_has_a_short_name CHECK ((((length(name) >= 1) AND (length(name) <= 60)) AND (name ~ '\S'::text))),
    CONSTRAINT columns_are_named CHECK ((columns ~ '^(all|-|[a-z_]+([.][a-z_]+)*)$'::text)),
    CONSTRAINT list_is_known CHECK ((list = ANY (ARRAY['orders'::text, 'customers'::text, 'subscriptions'::text, 'refunds'::text, 'notifications'::text, 'audit'::text])))
);

CREATE TABLE public.seat_claims (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    subscription_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    store_claim_id text,
    app_transaction_id text,
    requested_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    ended_at timestamp with time zone,
    ended_by text,
    requested_by text DEFAULT ''::text NOT NULL,
    refused_code bigint,
    refused_as text,
    is_to_be_freed boolean DEFAULT false NOT NULL,
    is_to_be_named boolean DEFAULT false NOT NULL,
    unanswered_since timestamp with time zone,
    unanswered_times integer DEFAULT 0 NOT NULL,
    ask_again_at timestamp with time zone,
    answered_as text,
    CONSTRAINT a_claim_ends_after_it_began CHECK ((ended_at >= requested_at)),
    CONSTRAINT a_claim_is_held_by_the_store_s_id CHECK (((store_claim_id IS NULL) = (claimed_at IS NULL))),
    CONSTRAINT an_end_says_why CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
    CONSTRAINT app_transaction_id_is_short CHECK (((octet_length(app_transaction_id) >= 1) AND (octet_length(app_transaction_id) <= 255))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT only_a_known_account_is_named CHECK (((app_transaction_id IS NOT NULL) OR (NOT is_to_be_named))),
    CONSTRAINT only_what_ended_is_freed CHECK (((ended_at IS NOT NULL) OR (NOT is_to_be_freed))),
    CONSTRAINT only_what_was_refused_says_why CHECK ((COALESCE((ended_by = ANY (ARRAY['refused'::text, 'no_seats'::text])), false) OR ((refused_code IS NULL) AND (refused_as IS NULL)))),
    CONSTRAINT store_claim_id_is_short CHECK (((octet_length(store_claim_id) >= 1) AND (octet_length(store_claim_id) <= 255))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT what_ends_a_claim_is_known CHECK ((ended_by = ANY (ARRAY['left'::text, 'removed'::text, 'unclaimed'::text, 'missing'::text, 'refused'::text, 'no_seats'::text, 'surplus'::text, 'merged'::text, 'deleted'::text]))),
    CONSTRAINT what_waits_says_since_when_and_why CHECK (((unanswered_times >= 0) AND ((unanswered_since IS NULL) = (unanswered_times = 0)) AND ((unanswered_since IS NULL) = (ask_again_at IS NULL)) AND ((unanswered_since IS NULL) = (answered_as IS NULL))))
);

COMMENT ON COLUMN public.seat_claims.id IS 'The identifier of the request: the same again is the same claim at the store.';

COMMENT ON COLUMN public.seat_claims.ended_by IS 'left, removed, surplus, merged and deleted: by us; refused and no_seats: the store gave none; unclaimed: the store said so; missing: the store does not have it.';

COMMENT ON COLUMN public.seat_claims.is_to_be_freed IS 'The store is still to be told that it has ended.';

COMMENT ON COLUMN public.seat_claims.is_to_be_named IS 'The store is still to be told whose it is.';

COMMENT ON COLUMN public.seat_claims.answered_as IS 'What came in place of a seat and of a no, for people.';

CREATE TABLE public.service_metrics_hourly (
    hour timestamp with time zone NOT NULL,
    measure text NOT NULL,
    detail text NOT NULL,
    count bigint NOT NULL,
    good bigint NOT NULL,
    sum double precision NOT NULL,
    max double precision NOT NULL,
    buckets bigint[] NOT NULL,
    written_at timestamp with time zone NOT NULL,
    CONSTRAINT an_hour_is_whole CHECK ((((EXTRACT(epoch FROM hour))::bigint % (3600)::bigint) = 0)),
    CONSTRAINT measure_is_known CHECK ((measure = ANY (ARRAY['request'::text, 'sign_in'::text, 'synced'::text, 'applied'::text, 'queue_age'::text, 'waiting_notifications'::text, 'failed_notifications'::text]))),
    CONSTRAINT what_is_good_is_counted CHECK (((good >= 0) AND (good <= count)))
);

CREATE TABLE public.sign_in_failures (
    subject text NOT NULL,
    failures integer NOT NULL,
    counted_since timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone,
    CONSTRAINT failures_are_counted_from_one CHECK ((failures >= 1))
);

CREATE TABLE public.sign_in_identities (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    provider text NOT NULL,
    client_id text NOT NULL,
    email text,
    name text,
    avatar_url text,
    sealed_refresh_token bytea,
    created_at timestamp with time zone NOT NULL,
    last_sign_in_at timestamp with time zone NOT NULL,
    CONSTRAINT nobody_signs_in_before_they_are_known CHECK ((last_sign_in_at >= created_at)),
    CONSTRAINT provider_is_known CHECK ((provider = ANY (ARRAY['apple'::text, 'wechat'::text, 'alipay'::text])))
);

CREATE TABLE public.sign_in_revocations (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    provider text NOT NULL,
    client_id text NOT NULL,
    sealed_refresh_token bytea NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_is_known CHECK ((provider = ANY (ARRAY['apple'::text, 'wechat'::text, 'alipay'::text])))
);

CREATE TABLE public.sign_in_subjects (
    app_id uuid NOT NULL,
    provider text NOT NULL,
    subject text NOT NULL,
    identity_id uuid NOT NULL,
    CONSTRAINT a_subject_has_a_name CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 255))),
    CONSTRAINT provider_is_known CHECK ((provider = ANY (ARRAY['apple'::text, 'wechat'::text, 'alipay'::text])))
);

CREATE TABLE public.signing_keys (
    id uuid NOT NULL,
    sealed_key bytea NOT NULL,
    public_key bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT a_public_key_has_64_bytes CHECK ((octet_length(public_key) = 64))
);

CREATE TABLE public.staff (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL,
    theme text DEFAULT 'system'::text NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    language text,
    shortcuts boolean DEFAULT true NOT NULL,
    sees_all_apps boolean DEFAULT true NOT NULL,
    CONSTRAINT e_mail_is_kept_in_lower_case CHECK ((email = lower(email))),
    CONSTRAINT language_is_known CHECK ((language = ANY (ARRAY['en'::text, 'zh-Hans'::text, 'tr'::text]))),
    CONSTRAINT role_is_known CHECK ((role = ANY (ARRAY['support'::text, 'admin'::text, 'analyst'::text]))),
    CONSTRAINT theme_is_known CHECK ((theme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text])))
);

CREATE TABLE public.staff_apps (
    staff_id uuid NOT NULL,
    app_id uuid NOT NULL
);

CREATE TABLE public.staff_devices (
    token_hash bytea NOT NULL,
    staff_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT token_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.staff_recovery_codes (
    staff_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT code_is_kept_as_a_hash CHECK ((octet_length(code_hash) = 32))
);

CREATE TABLE public.staff_sessions (
    token_hash bytea NOT NULL,
    staff_id uuid NOT NULL,
    app_id uuid,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    address text,
    user_agent text,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    authenticated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT token_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.staff_tokens (
    id uuid NOT NULL,
    staff_id uuid NOT NULL,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    scopes text[],
    last_used_at timestamp with time zone,
    CONSTRAINT token_is_kept_as_a_hash CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.staff_two_factor (
    staff_id uuid NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL,
    CONSTRAINT secret_is_sealed CHECK ((octet_length(sealed_secret) > 20))
);

CREATE TABLE public.staff_writes (
    staff_id uuid NOT NULL,
    written_up_to pg_lsn NOT NULL
);

CREATE TABLE public.store_accounts (
    app_id uuid NOT NULL,
    store text NOT NULL,
    identifier text NOT NULL,
    environment text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed_secrets bytea,
    CONSTRAINT environment_is_store_or_simulator CHECK ((environment = ANY (ARRAY['store'::text, 'simulator'::text]))),
    CONSTRAINT settings_are_an_object CHECK ((jsonb_typeof(settings) = 'object'::text)),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text))
);

CREATE TABLE public.store_anchors (
    app_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    der bytea NOT NULL,
    store text NOT NULL,
    CONSTRAINT fingerprint_is_of_the_certificate CHECK ((sha256 = sha256(der)))
);

CREATE TABLE public.store_fees (
    app_id uuid NOT NULL,
    store text NOT NULL,
    first_year integer,
    later integer,
    on_ios_only boolean DEFAULT false NOT NULL,
    CONSTRAINT both_years_have_a_share CHECK (((first_year IS NULL) = (later IS NULL))),
    CONSTRAINT fees_are_parts_of_the_whole CHECK ((((first_year >= 0) AND (first_year <= 10000)) AND ((later >= 0) AND (later <= 10000)))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text))
);

CREATE TABLE public.store_keys (
    app_id uuid NOT NULL,
    store text NOT NULL,
    kind text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed_secrets bytea NOT NULL,
    uploaded_at timestamp with time zone NOT NULL,
    CONSTRAINT kind_is_known CHECK ((kind = ANY (ARRAY['api'::text, 'shared_secret'::text, 'sign_in'::text]))),
    CONSTRAINT settings_are_an_object CHECK ((jsonb_typeof(settings) = 'object'::text))
);

CREATE TABLE public.store_notifications (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    notification_uuid text NOT NULL,
    type text NOT NULL,
    subtype text,
    original_transaction_id text,
    signed_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    signed_payload text NOT NULL,
    event jsonb,
    state text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    scheduled_at timestamp with time zone NOT NULL,
    attempted_by uuid,
    lease_ends_at timestamp with time zone,
    last_error text,
    subscription_id uuid,
    finalized_at timestamp with time zone,
    snoozes integer DEFAULT 0 NOT NULL,
    needs_resolving boolean DEFAULT false NOT NULL,
    max_attempts integer DEFAULT 10 NOT NULL,
    reconciliation_id uuid,
    other_events jsonb,
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK ((((state = 'processing'::text) = (attempted_by IS NOT NULL)) AND ((attempted_by IS NULL) = (lease_ends_at IS NULL)))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT other_events_stand_beside_one CHECK (((other_events IS NULL) OR ((event IS NOT NULL) AND (jsonb_typeof(other_events) = 'array'::text)))),
    CONSTRAINT snoozes_are_attempts CHECK (((snoozes >= 0) AND (snoozes <= attempt))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['received'::text, 'processing'::text, 'processed'::text, 'ignored'::text, 'failed'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT there_is_an_attempt CHECK ((max_attempts >= 1)),
    CONSTRAINT what_failed_says_why CHECK (((state <> 'failed'::text) OR (last_error IS NOT NULL))),
    CONSTRAINT what_is_finished_says_when CHECK (((state = ANY (ARRAY['processed'::text, 'ignored'::text, 'failed'::text])) = (finalized_at IS NOT NULL))),
    CONSTRAINT what_needs_resolving_has_no_event CHECK (((NOT needs_resolving) OR (event IS NULL)))
);
ALTER TABLE ONLY public.store_notifications ALTER COLUMN signed_payload SET STORAGE EXTERNAL;

CREATE TABLE public.subscriber_entries (
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    measure text NOT NULL,
    day date NOT NULL,
    dimension smallint NOT NULL,
    product_id uuid NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    recorded_on date NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT an_entry_says_something CHECK (((amount <> 0) OR (count <> 0)))
);

CREATE TABLE public.subscription_aliases (
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    original_transaction_id text NOT NULL,
    subscription_id uuid NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text))
);

CREATE TABLE public.subscription_events (
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    notification_id uuid,
    event_id text NOT NULL,
    kind text NOT NULL,
    signed_at timestamp with time zone NOT NULL,
    event jsonb NOT NULL,
    state_before text NOT NULL,
    state_after text NOT NULL,
    rejection_reason text,
    recorded_at timestamp with time zone NOT NULL,
    source text NOT NULL,
    reconciliation_id uuid,
    CONSTRAINT a_notification_is_named_where_it_is_the_source CHECK (((source = 'notification'::text) = (notification_id IS NOT NULL))),
    CONSTRAINT a_reconciliation_is_named_only_where_it_is_the_source CHECK (((reconciliation_id IS NULL) OR (source = 'reconciliation'::text))),
    CONSTRAINT source_is_known CHECK ((source = ANY (ARRAY['notification'::text, 'verification'::text, 'reconciliation'::text, 'checkout'::text, 'staff'::text, 'clock'::text])))
);

CREATE TABLE public.subscriptions (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    original_transaction_id text NOT NULL,
    state text NOT NULL,
    product_id uuid,
    transaction_id text,
    started_at timestamp with time zone,
    period_starts_at timestamp with time zone,
    period_ends_at timestamp with time zone,
    grace_period_ends_at timestamp with time zone,
    renews_automatically boolean DEFAULT false NOT NULL,
    next_store_product_id text,
    renewal_price bigint,
    renewal_currency text,
    trial_started_at timestamp with time zone,
    trial_ends_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    ended_at timestamp with time zone,
    end_reason text,
    is_family_shared boolean DEFAULT false NOT NULL,
    last_signed_at timestamp with time zone,
    version integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    owner_locked boolean DEFAULT false NOT NULL,
    checked_at timestamp with time zone,
    app_transaction_id text,
    unanswered_checks smallint DEFAULT 0 NOT NULL,
    unanswered_at timestamp with time zone,
    is_committed boolean DEFAULT false NOT NULL,
    commitment_period integer,
    commitment_periods integer,
    commitment_ends_at timestamp with time zone,
    commitment_cancelled_at timestamp with time zone,
    is_assigned boolean DEFAULT false NOT NULL,
    seats integer,
    revoked_seats integer,
    renewal_seats integer,
    seat_invitations text,
    reread_since timestamp with time zone,
    renews_at timestamp with time zone,
    renewal_offer_kind text,
    renewal_offer_id text,
    renewal_offer_discount text,
    renewal_offer_period text,
    price_consent text,
    win_back_offer_ids text[] DEFAULT '{}'::text[] NOT NULL,
    commitment_price bigint,
    commitment_currency text,
    seats_compared_at timestamp with time zone,
    access_starts_at timestamp with time zone,
    CONSTRAINT an_assigned_seat_is_paid_by_somebody_else CHECK ((is_family_shared OR (NOT is_assigned))),
    CONSTRAINT commitment_price_has_a_currency CHECK (((commitment_price IS NULL) = (commitment_currency IS NULL))),
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT only_commitments_have_a_price CHECK ((is_committed OR (commitment_price IS NULL))),
    CONSTRAINT only_commitments_have_periods CHECK ((is_committed OR (num_nonnulls(commitment_period, commitment_periods, commitment_ends_at, commitment_cancelled_at) = 0))),
    CONSTRAINT only_seats_are_revoked CHECK ((((seats IS NULL) = (revoked_seats IS NULL)) AND ((revoked_seats IS NULL) OR ((revoked_seats >= 0) AND (revoked_seats <= seats))))),
    CONSTRAINT period_ends_after_it_starts CHECK ((period_ends_at > period_starts_at)),
    CONSTRAINT price_consent_is_known CHECK ((price_consent = ANY (ARRAY['pending'::text, 'accepted'::text]))),
    CONSTRAINT renewal_offer_discount_is_known CHECK ((renewal_offer_discount = ANY (ARRAY['free_trial'::text, 'pay_as_you_go'::text, 'pay_up_front'::text, 'one_time'::text]))),
    CONSTRAINT renewal_offer_kind_is_known CHECK ((renewal_offer_kind = ANY (ARRAY['introductory'::text, 'promotional'::text, 'code'::text, 'winBack'::text]))),
    CONSTRAINT renewal_price_has_a_currency CHECK (((renewal_price IS NULL) = (renewal_currency IS NULL))),
    CONSTRAINT seats_are_counted_from_one CHECK (((seats > 0) AND (renewal_seats > 0))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['pending'::text, 'trial'::text, 'active'::text, 'grace_period'::text, 'billing_retry'::text, 'cancelled'::text, 'paused'::text, 'expired'::text, 'trial_expired'::text, 'revoked'::text]))),
    CONSTRAINT store_has_a_name CHECK ((store ~ '^[a-z][a-z0-9_]{0,31}$'::text)),
    CONSTRAINT unanswered_checks_have_a_moment CHECK (((unanswered_checks >= 0) AND ((unanswered_checks = 0) = (unanswered_at IS NULL)))),
    CONSTRAINT who_invites_is_known CHECK ((seat_invitations = ANY (ARRAY['store'::text, 'app'::text])))
);

COMMENT ON COLUMN public.subscriptions.is_family_shared IS 'Somebody else pays: a family shares it, or a seat was assigned.';

COMMENT ON COLUMN public.subscriptions.seats IS 'What all transactions of the current period paid for; NULL for what is not sold by seats.';

COMMENT ON COLUMN public.subscriptions.reread_since IS 'Since when all transactions of its period are to be read at the store: what was told of one may hold for others.';

COMMENT ON COLUMN public.subscriptions.seats_compared_at IS 'When the store was last asked who has the seats.';

COMMENT ON COLUMN public.subscriptions.access_starts_at IS 'The start of unbroken access of what is bought period by period; NULL where access begins with the purchase.';

CREATE TABLE public.suspensions (
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    suspended_at timestamp with time zone NOT NULL,
    lifted_at timestamp with time zone,
    CONSTRAINT a_suspension_is_lifted_after_it_began CHECK ((lifted_at >= suspended_at))
);

CREATE TABLE public.test_notifications (
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    token text,
    result text DEFAULT 'pending'::text NOT NULL,
    reason text,
    CONSTRAINT environment_is_known CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT only_what_failed_has_a_reason CHECK (((reason IS NULL) OR (result = ANY (ARRAY['undelivered'::text, 'refused'::text, 'unanswered'::text])))),
    CONSTRAINT result_is_known CHECK ((result = ANY (ARRAY['pending'::text, 'arrived'::text, 'undelivered'::text, 'elsewhere'::text, 'refused'::text, 'unanswered'::text])))
);

CREATE TABLE public.token_issuer_secrets (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    slot smallint NOT NULL,
    sealed_secret bytea NOT NULL,
    uploaded_at timestamp with time zone NOT NULL,
    CONSTRAINT slot_is_one_of_two CHECK ((slot = ANY (ARRAY[1, 2])))
);

CREATE TABLE public.token_issuers (
    app_id uuid NOT NULL,
    issuer text NOT NULL,
    audience text NOT NULL,
    key_set_url text,
    sealed_secret bytea,
    algorithms text[] NOT NULL,
    claim text NOT NULL,
    leeway_seconds integer NOT NULL,
    longest_lifetime_seconds integer NOT NULL,
    CONSTRAINT a_token_lives_up_to_a_week CHECK (((longest_lifetime_seconds >= 60) AND (longest_lifetime_seconds <= 604800))),
    CONSTRAINT algorithms_fit_the_keys CHECK (
CASE
    WHEN (key_set_url IS NULL) THEN (algorithms = ARRAY['HS256'::text])
    ELSE ((cardinality(algorithms) > 0) AND (algorithms <@ ARRAY['ES256'::text, 'RS256'::text, 'EdDSA'::text]))
END),
    CONSTRAINT an_issuer_has_keys_or_a_secret CHECK ((num_nonnulls(key_set_url, sealed_secret) <= 1)),
    CONSTRAINT leeway_is_up_to_5_minutes CHECK (((leeway_seconds >= 0) AND (leeway_seconds <= 300)))
);

CREATE TABLE public.trial_offers (
    app_id uuid NOT NULL,
    plan_id uuid NOT NULL,
    period_count integer NOT NULL,
    period_unit text NOT NULL,
    product_ids text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT a_trial_lasts_at_least_one CHECK ((period_count >= 1)),
    CONSTRAINT period_unit_is_known CHECK ((period_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])))
);

CREATE TABLE public.unknown_seats (
    subscription_id uuid NOT NULL,
    store_claim_id text NOT NULL,
    app_id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    gone_at timestamp with time zone,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT an_unknown_seat_goes_after_it_came CHECK ((gone_at >= first_seen_at)),
    CONSTRAINT unknown_claim_id_is_short CHECK (((octet_length(store_claim_id) >= 1) AND (octet_length(store_claim_id) <= 255)))
);

CREATE TABLE public.untrusted_proxies (
    address text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT address_is_one CHECK ((address ~ '^[0-9a-f.:]{2,45}$'::text))
);

CREATE TABLE public.usage_counters (
    customer_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    day date NOT NULL,
    day_used bigint NOT NULL,
    month date NOT NULL,
    month_used bigint NOT NULL,
    lifetime_used bigint NOT NULL,
    day_increase bigint,
    day_increase_until timestamp with time zone,
    month_increase bigint,
    month_increase_until timestamp with time zone,
    lifetime_increase bigint,
    lifetime_increase_until timestamp with time zone,
    near_limit_until date,
    CONSTRAINT a_day_lies_in_its_month CHECK (((month <= day) AND (day < (month + '1 mon'::interval)))),
    CONSTRAINT a_month_is_its_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT a_window_uses_no_more_than_the_one_around_it CHECK (((day_used <= month_used) AND (month_used <= lifetime_used))),
    CONSTRAINT an_increase_is_possible CHECK ((((day_increase >= 1) AND (day_increase <= '1000000000000'::bigint)) AND ((month_increase >= 1) AND (month_increase <= '1000000000000'::bigint)) AND ((lifetime_increase >= 1) AND (lifetime_increase <= '1000000000000'::bigint)))),
    CONSTRAINT only_an_increase_has_an_end CHECK ((((day_increase IS NOT NULL) OR (day_increase_until IS NULL)) AND ((month_increase IS NOT NULL) OR (month_increase_until IS NULL)) AND ((lifetime_increase IS NOT NULL) OR (lifetime_increase_until IS NULL)))),
    CONSTRAINT usage_is_not_negative CHECK (((day_used >= 0) AND (month_used >= 0) AND (lifetime_used >= 0)))
)
WITH (fillfactor='70');

CREATE TABLE public.usage_days (
    customer_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    day date NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    offline bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_is_not_negative CHECK (((used >= 0) AND (offline >= 0)))
)
WITH (fillfactor='70');

CREATE TABLE public.usage_entries (
    feature_id uuid NOT NULL,
    day date NOT NULL,
    used bigint NOT NULL,
    offline bigint NOT NULL
);

CREATE TABLE public.usage_reservations (
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    day date NOT NULL,
    quantity bigint NOT NULL,
    state text NOT NULL,
    used bigint,
    reserved_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT a_reservation_expires_after_it_begins CHECK ((expires_at > reserved_at)),
    CONSTRAINT a_reservation_is_of_something CHECK ((quantity > 0)),
    CONSTRAINT no_more_is_used_than_was_reserved CHECK (((used >= 0) AND (used <= quantity))),
    CONSTRAINT only_what_is_settled_was_used CHECK (((COALESCE(used, (0)::bigint) = 0) OR (state = 'settled'::text))),
    CONSTRAINT state_is_known CHECK ((state = ANY (ARRAY['open'::text, 'settled'::text, 'released'::text, 'expired'::text]))),
    CONSTRAINT what_has_ended_says_when_and_how_much_was_used CHECK (
CASE state
    WHEN 'open'::text THEN (num_nonnulls(used, ended_at) = 0)
    ELSE (num_nulls(used, ended_at) = 0)
END)
);

CREATE TABLE public.usage_totals (
    feature_id uuid NOT NULL,
    day date NOT NULL,
    used bigint NOT NULL,
    offline bigint NOT NULL
);

CREATE TABLE public.used_credentials (
    app_id uuid NOT NULL,
    digest bytea NOT NULL,
    used_at timestamp with time zone NOT NULL,
    CONSTRAINT a_digest_has_32_bytes CHECK ((octet_length(digest) = 32))
);

ALTER TABLE ONLY public.rescinded_consents
    ADD CONSTRAINT a_consent_is_rescinded_once UNIQUE (app_id, store, environment, app_transaction_id);

ALTER TABLE ONLY public.used_credentials
    ADD CONSTRAINT a_credential_is_used_once PRIMARY KEY (app_id, digest);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT a_customer_redeems_a_code_once UNIQUE (customer_id, batch_id, code_number);

ALTER TABLE ONLY public.disputed_transactions
    ADD CONSTRAINT a_dispute_is_noticed_once PRIMARY KEY (subscription_id, order_id);

ALTER TABLE ONLY public.renewal_extension_failures
    ADD CONSTRAINT a_failure_is_recorded_once UNIQUE (subscription_id, event_id);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT a_grant_is_of_one_redemption UNIQUE (grant_id);

ALTER TABLE ONLY public.months_to_convert
    ADD CONSTRAINT a_month_waits_once PRIMARY KEY (app_id, month);

ALTER TABLE ONLY public.subscription_aliases
    ADD CONSTRAINT a_name_is_of_one_subscription UNIQUE (app_id, store, environment, original_transaction_id);

ALTER TABLE public.exchange_rates
    ADD CONSTRAINT a_rate_is_plausible CHECK (((per_euro >= 0.000001) AND (per_euro <= (1000000000)::numeric))) NOT VALID;

ALTER TABLE ONLY public.sign_in_subjects
    ADD CONSTRAINT a_subject_is_one_person PRIMARY KEY (app_id, provider, subject);

ALTER TABLE ONLY public.external_purchase_tokens
    ADD CONSTRAINT a_token_is_known_once UNIQUE (app_id, store, environment, external_purchase_id);

ALTER TABLE ONLY public.order_aliases
    ADD CONSTRAINT a_transaction_is_of_one_order PRIMARY KEY (app_id, store, environment, transaction_id);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT a_use_of_a_code_is_made_once UNIQUE (batch_id, code_number, use_number);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT a_use_of_a_customer_is_made_once UNIQUE (customer_id, batch_id, customer_number);

ALTER TABLE ONLY public.access_changes
    ADD CONSTRAINT access_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.access_periods
    ADD CONSTRAINT access_periods_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.amounts_to_value
    ADD CONSTRAINT amounts_to_value_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.apple_account_notifications
    ADD CONSTRAINT an_account_notification_is_kept_once UNIQUE (app_id, notification_id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT an_action_is_taken_back_once UNIQUE (undoes);

ALTER TABLE ONLY public.renewal_extensions
    ADD CONSTRAINT an_extension_is_known_once UNIQUE (app_id, store, environment, request_identifier);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT an_order_has_one_currency UNIQUE (id, currency);

ALTER TABLE ONLY public.unknown_seats
    ADD CONSTRAINT an_unknown_seat_is_listed_once PRIMARY KEY (subscription_id, store_claim_id);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.app_rate_limits
    ADD CONSTRAINT app_rate_limits_pkey PRIMARY KEY (app_id, policy);

ALTER TABLE ONLY public.app_transactions
    ADD CONSTRAINT app_transactions_pkey PRIMARY KEY (app_id, environment, app_transaction_id, customer_id);

ALTER TABLE ONLY public.apple_account_notifications
    ADD CONSTRAINT apple_account_notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (only_one);

ALTER TABLE ONLY public.bill_differences
    ADD CONSTRAINT bill_differences_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bulk_job_items
    ADD CONSTRAINT bulk_job_items_pkey PRIMARY KEY (job_id, line);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.consumption_answers
    ADD CONSTRAINT consumption_answers_pkey PRIMARY KEY (refund_request_id);

ALTER TABLE ONLY public.consumption_consents
    ADD CONSTRAINT consumption_consents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.consumption_rules
    ADD CONSTRAINT consumption_rules_pkey PRIMARY KEY (app_id, "position");

ALTER TABLE ONLY public.customer_activity
    ADD CONSTRAINT customer_activity_pkey PRIMARY KEY (customer_id);

ALTER TABLE ONLY public.customer_notes
    ADD CONSTRAINT customer_notes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customer_sessions
    ADD CONSTRAINT customer_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.daily_bills
    ADD CONSTRAINT daily_bills_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entitlement_versions
    ADD CONSTRAINT entitlement_versions_pkey PRIMARY KEY (customer_id);

ALTER TABLE ONLY public.exchange_rates
    ADD CONSTRAINT exchange_rates_pkey PRIMARY KEY (currency, day);

ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT expiry_reminders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.external_purchase_tokens
    ADD CONSTRAINT external_purchase_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.heartbeats
    ADD CONSTRAINT heartbeats_pkey PRIMARY KEY (server);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner_id, key);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (only_one);

ALTER TABLE ONLY public.job_attempts
    ADD CONSTRAINT job_attempts_pkey PRIMARY KEY (job_id, attempt);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.list_columns
    ADD CONSTRAINT list_columns_pkey PRIMARY KEY (staff_id, list);

ALTER TABLE ONLY public.mfa_challenges
    ADD CONSTRAINT mfa_challenges_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.notification_attempts
    ADD CONSTRAINT notification_attempts_pkey PRIMARY KEY (notification_id, attempt);

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT one_account_per_e_mail UNIQUE (email);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT one_action_per_bulk_line UNIQUE (bulk_job_id, bulk_line);

ALTER TABLE ONLY public.store_accounts
    ADD CONSTRAINT one_app_per_account UNIQUE (store, identifier);

ALTER TABLE ONLY public.token_issuers
    ADD CONSTRAINT one_app_per_issuer_and_audience UNIQUE (issuer, audience);

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT one_app_per_slug UNIQUE (slug);

ALTER TABLE ONLY public.daily_bills
    ADD CONSTRAINT one_bill_per_day UNIQUE (app_id, store, environment, day);

ALTER TABLE ONLY public.credit_buckets
    ADD CONSTRAINT one_bucket_per_order_and_feature PRIMARY KEY (order_id, feature_id);

ALTER TABLE ONLY public.rollups
    ADD CONSTRAINT one_cell_per_key PRIMARY KEY (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT one_checkout_per_number UNIQUE (app_id, number);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT one_checkout_per_payment UNIQUE (app_id, store, transaction_id);

ALTER TABLE ONLY public.seat_claims
    ADD CONSTRAINT one_claim_per_id_of_the_store UNIQUE (app_id, store, store_claim_id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT one_customer_per_external_id UNIQUE (app_id, external_id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT one_customer_per_key UNIQUE (app_id, key);

ALTER TABLE ONLY public.rollup_days
    ADD CONSTRAINT one_day_per_key PRIMARY KEY (app_id, measure, environment, day, dimension, store, currency, recorded_month);

ALTER TABLE ONLY public.bill_differences
    ADD CONSTRAINT one_difference_of_a_kind UNIQUE (app_id, store, environment, kind, key);

ALTER TABLE ONLY public.subscriber_entries
    ADD CONSTRAINT one_entry_per_customer_and_cell PRIMARY KEY (app_id, measure, customer_id, day, dimension, product_id, country, currency, recorded_on, effective_at);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT one_entry_per_fact UNIQUE (order_id, reference);

ALTER TABLE ONLY public.features
    ADD CONSTRAINT one_feature_per_code UNIQUE (app_id, code);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT one_key_per_hash UNIQUE (token_hash);

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT one_link_per_entry UNIQUE (entry_id);

ALTER TABLE ONLY public.password_setup_tokens
    ADD CONSTRAINT one_link_per_hash UNIQUE (token_hash);

ALTER TABLE ONLY public.rollup_months
    ADD CONSTRAINT one_month_per_key PRIMARY KEY (app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT one_order_per_number UNIQUE (app_id, number);

ALTER TABLE ONLY public.refund_payouts
    ADD CONSTRAINT one_payout_per_number UNIQUE (app_id, store, number);

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT one_plan_per_code UNIQUE (app_id, code);

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT one_plan_per_rank UNIQUE (app_id, rank);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT one_product_per_store_product UNIQUE (app_id, store, store_product_id);

ALTER TABLE ONLY public.promo_codes
    ADD CONSTRAINT one_promo_code_per_hash UNIQUE (code_hash);

ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT one_reminder_per_end_and_day UNIQUE (subscription_id, ends_at, days);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT one_report_per_name UNIQUE (name);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT one_request_per_number UNIQUE (app_id, number);

ALTER TABLE ONLY public.subscription_events
    ADD CONSTRAINT one_row_per_event UNIQUE (subscription_id, event_id);

ALTER TABLE ONLY public.store_notifications
    ADD CONSTRAINT one_row_per_notification UNIQUE (app_id, store, notification_uuid);

ALTER TABLE ONLY public.store_terms
    ADD CONSTRAINT one_row_per_number UNIQUE (app_id, store, number);

ALTER TABLE ONLY public.bill_rows
    ADD CONSTRAINT one_row_per_place PRIMARY KEY (bill_id, place);

ALTER TABLE ONLY public.store_terms
    ADD CONSTRAINT one_row_per_storefront_and_date PRIMARY KEY (app_id, store, storefront, since);

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT one_session_per_id UNIQUE (id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT one_subscription_per_chain UNIQUE (app_id, store, environment, original_transaction_id);

ALTER TABLE ONLY public.staff_tokens
    ADD CONSTRAINT one_token_per_hash UNIQUE (token_hash);

ALTER TABLE ONLY public.purchase_verifications
    ADD CONSTRAINT one_verification_per_proof UNIQUE (app_id, customer_id, digest);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT one_view_per_name UNIQUE (app_id, staff_id, list, name);

ALTER TABLE ONLY public.order_numbers
    ADD CONSTRAINT order_numbers_pkey PRIMARY KEY (app_id, day);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.paid_year_changes
    ADD CONSTRAINT paid_year_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.password_setup_tokens
    ADD CONSTRAINT password_setup_tokens_pkey PRIMARY KEY (staff_id);

ALTER TABLE ONLY public.paywalls
    ADD CONSTRAINT paywalls_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.period_credits
    ADD CONSTRAINT period_credits_pkey PRIMARY KEY (upgrade_id, order_id);

ALTER TABLE ONLY public.plan_features
    ADD CONSTRAINT plan_features_pkey PRIMARY KEY (plan_id, feature_id);

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.product_credits
    ADD CONSTRAINT product_credits_pkey PRIMARY KEY (product_id, feature_id);

ALTER TABLE ONLY public.product_prices
    ADD CONSTRAINT product_prices_pkey PRIMARY KEY (product_id, currency);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.promo_batches
    ADD CONSTRAINT promo_batches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.promo_codes
    ADD CONSTRAINT promo_codes_pkey PRIMARY KEY (batch_id, number);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.purchase_claims
    ADD CONSTRAINT purchase_claims_pkey PRIMARY KEY (subscription_id, customer_id);

ALTER TABLE ONLY public.purchase_moves
    ADD CONSTRAINT purchase_moves_pkey PRIMARY KEY (subscription_id, from_customer_id);

ALTER TABLE ONLY public.purchase_verifications
    ADD CONSTRAINT purchase_verifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_limit_buckets
    ADD CONSTRAINT rate_limit_buckets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.refund_numbers
    ADD CONSTRAINT refund_numbers_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.refund_payout_steps
    ADD CONSTRAINT refund_payout_steps_pkey PRIMARY KEY (refund_id, "position");

ALTER TABLE ONLY public.refund_payouts
    ADD CONSTRAINT refund_payouts_pkey PRIMARY KEY (refund_id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refused_links
    ADD CONSTRAINT refused_links_pkey PRIMARY KEY (identity_id, customer_id);

ALTER TABLE ONLY public.renewal_extension_failures
    ADD CONSTRAINT renewal_extension_failures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.renewal_extensions
    ADD CONSTRAINT renewal_extensions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rescinded_consents
    ADD CONSTRAINT rescinded_consents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rollup_corrections
    ADD CONSTRAINT rollup_corrections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rollup_entries
    ADD CONSTRAINT rollup_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rollup_recounts
    ADD CONSTRAINT rollup_recounts_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.seat_claims
    ADD CONSTRAINT seat_claims_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.service_metrics_hourly
    ADD CONSTRAINT service_metrics_hourly_pkey PRIMARY KEY (hour, measure, detail);

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.sign_in_identities
    ADD CONSTRAINT sign_in_identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_in_revocations
    ADD CONSTRAINT sign_in_revocations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.staff_apps
    ADD CONSTRAINT staff_apps_pkey PRIMARY KEY (staff_id, app_id);

ALTER TABLE ONLY public.staff_devices
    ADD CONSTRAINT staff_devices_pkey PRIMARY KEY (token_hash, staff_id);

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.staff_recovery_codes
    ADD CONSTRAINT staff_recovery_codes_pkey PRIMARY KEY (staff_id, code_hash);

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.staff_tokens
    ADD CONSTRAINT staff_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.staff_two_factor
    ADD CONSTRAINT staff_two_factor_pkey PRIMARY KEY (staff_id);

ALTER TABLE ONLY public.staff_writes
    ADD CONSTRAINT staff_writes_pkey PRIMARY KEY (staff_id);

ALTER TABLE ONLY public.store_accounts
    ADD CONSTRAINT store_accounts_pkey PRIMARY KEY (app_id, store);

ALTER TABLE ONLY public.store_anchors
    ADD CONSTRAINT store_anchors_pkey PRIMARY KEY (app_id, store, sha256);

ALTER TABLE ONLY public.store_fees
    ADD CONSTRAINT store_fees_pkey PRIMARY KEY (app_id, store);

ALTER TABLE ONLY public.store_keys
    ADD CONSTRAINT store_keys_pkey PRIMARY KEY (app_id, store, kind);

ALTER TABLE ONLY public.store_notifications
    ADD CONSTRAINT store_notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscription_events
    ADD CONSTRAINT subscription_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.suspensions
    ADD CONSTRAINT suspensions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.test_notifications
    ADD CONSTRAINT test_notifications_pkey PRIMARY KEY (app_id, store, environment);

ALTER TABLE ONLY public.token_issuer_secrets
    ADD CONSTRAINT token_issuer_secrets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.token_issuers
    ADD CONSTRAINT token_issuers_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.trial_offers
    ADD CONSTRAINT trial_offers_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY public.token_issuer_secrets
    ADD CONSTRAINT two_secrets_of_an_issuer UNIQUE (app_id, slot);

ALTER TABLE ONLY public.untrusted_proxies
    ADD CONSTRAINT untrusted_proxies_pkey PRIMARY KEY (address);

ALTER TABLE ONLY public.usage_counters
    ADD CONSTRAINT usage_counters_pkey PRIMARY KEY (customer_id, feature_id);

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (customer_id, feature_id, day);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage_totals
    ADD CONSTRAINT usage_totals_pkey PRIMARY KEY (feature_id, day);

CREATE INDEX access_changes_newest_first ON public.access_changes USING btree (app_id, at DESC, id DESC) WHERE (retired_at IS NULL);

CREATE INDEX access_changes_of_customers ON public.access_changes USING btree (customer_id, at) WHERE (retired_at IS NULL);

CREATE INDEX access_periods_of_apps ON public.access_periods USING btree (app_id);

CREATE INDEX access_periods_of_customers ON public.access_periods USING btree (customer_id) WHERE (retired_at IS NULL);

CREATE INDEX access_periods_of_subscriptions ON public.access_periods USING btree (subscription_id);

CREATE INDEX aliases_of_a_subscription ON public.subscription_aliases USING btree (subscription_id);

CREATE INDEX app_transactions_of_a_customer ON public.app_transactions USING btree (customer_id);

CREATE INDEX apple_account_notifications_newest_first ON public.apple_account_notifications USING btree (app_id, received_at DESC, id DESC);

CREATE INDEX apple_account_notifications_of_a_subject ON public.apple_account_notifications USING btree (app_id, subject, received_at DESC);

CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, at DESC, id DESC);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor, at DESC, id DESC);

CREATE INDEX audit_entries_by_app ON public.audit_entries USING btree (app_id, at DESC, id DESC);

CREATE INDEX audit_entries_by_customer ON public.audit_entries USING btree (customer_id, at DESC, id DESC) WHERE (customer_id IS NOT NULL);

CREATE INDEX audit_entries_by_object ON public.audit_entries USING btree (object_type, object_id, at DESC, id DESC);

CREATE INDEX audit_entries_by_staff ON public.audit_entries USING btree (staff_id, at DESC, id DESC);

CREATE INDEX audit_entries_newest_first ON public.audit_entries USING btree (at DESC, id DESC);

CREATE INDEX bill_differences_newest_first ON public.bill_differences USING btree (app_id, found_at DESC, id DESC);

CREATE INDEX bill_differences_of_a_bill ON public.bill_differences USING btree (bill_id);

CREATE INDEX bill_rows_by_transaction ON public.bill_rows USING btree (app_id, store, environment, transaction_id);

CREATE INDEX bulk_job_items_by_state ON public.bulk_job_items USING btree (job_id, state, line);

CREATE INDEX bulk_job_items_of_a_customer ON public.bulk_job_items USING btree (customer_id) WHERE (customer_id IS NOT NULL);

CREATE INDEX bulk_jobs_newest_first ON public.bulk_jobs USING btree (app_id, requested_at DESC, id DESC);

CREATE INDEX cases_of_stores_by_deadline ON public.refund_requests USING btree (app_id, status, due_at, id) WHERE opened_by_store;

CREATE INDEX checkouts_newest_first ON public.checkouts USING btree (app_id, created_at DESC, id DESC);

CREATE INDEX checkouts_of_a_customer ON public.checkouts USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX checkouts_of_a_product ON public.checkouts USING btree (product_id);

CREATE INDEX checkouts_of_a_store_oldest_first ON public.checkouts USING btree (app_id, store, environment, created_at);

CREATE INDEX checkouts_to_look_at ON public.checkouts USING btree (app_id, created_at DESC, id DESC) WHERE ((problem IS NOT NULL) AND (problem_seen_at IS NULL));

CREATE INDEX consumption_consents_of_a_customer ON public.consumption_consents USING btree (customer_id, recorded_at DESC, id DESC);

CREATE INDEX credit_buckets_of_a_customer ON public.credit_buckets USING btree (customer_id, feature_id);

CREATE INDEX customer_notes_newest_first ON public.customer_notes USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX customer_sessions_by_end ON public.customer_sessions USING btree (expires_at);

CREATE INDEX customer_sessions_of_a_customer ON public.customer_sessions USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX customer_sessions_of_a_subject ON public.customer_sessions USING btree (app_id, subject_hash, ended_at) WHERE (subject_hash IS NOT NULL);

CREATE INDEX customers_by_email_prefix ON public.customers USING btree (app_id, public.search_key(email) text_pattern_ops) WHERE (email IS NOT NULL);

CREATE INDEX customers_by_external_id_prefix ON public.customers USING btree (app_id, external_id text_pattern_ops) WHERE (external_id IS NOT NULL);

CREATE INDEX customers_by_key_prefix ON public.customers USING btree (app_id, key text_pattern_ops);

CREATE INDEX customers_by_name_prefix ON public.customers USING btree (app_id, public.search_key(name) text_pattern_ops) WHERE (name IS NOT NULL);

CREATE INDEX customers_by_search ON public.customers USING gin (search public.gin_trgm_ops);

CREATE INDEX customers_merged_into_another ON public.customers USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX customers_newest_first ON public.customers USING btree (app_id, created_at DESC, id DESC);

CREATE INDEX daily_bills_newest_first ON public.daily_bills USING btree (app_id, day DESC, id DESC);

CREATE INDEX daily_bills_to_fetch ON public.daily_bills USING btree (app_id, store, environment, next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX disputed_transactions_by_order ON public.disputed_transactions USING btree (order_id);

CREATE INDEX entitlement_actions_by_customer ON public.entitlement_actions USING btree (customer_id, at DESC, id DESC);

CREATE INDEX events_of_a_reconciliation ON public.subscription_events USING btree (reconciliation_id, recorded_at DESC, id DESC) WHERE (reconciliation_id IS NOT NULL);

CREATE INDEX expiry_reminders_in_order ON public.expiry_reminders USING btree (app_id, recorded_at, id);

CREATE INDEX extension_failures_of_a_product ON public.renewal_extension_failures USING btree (app_id, store, environment, store_product_id, failed_at);

CREATE INDEX external_purchase_tokens_by_state ON public.external_purchase_tokens USING btree (app_id, state, told_at DESC, id DESC);

CREATE INDEX external_purchase_tokens_of_an_app ON public.external_purchase_tokens USING btree (app_id, told_at DESC, id DESC);

CREATE INDEX external_purchase_tokens_to_report ON public.external_purchase_tokens USING btree (app_id, told_at DESC, id DESC) WHERE ((reported_at IS NULL) OR (reported_at < told_at));

CREATE INDEX failures_of_an_extension ON public.renewal_extension_failures USING btree (extension_id, failed_at DESC, id DESC);

CREATE INDEX google_orders_by_search ON public.orders USING gin (search public.gin_trgm_ops) WHERE (store = 'google'::text);

CREATE INDEX grants_by_customer ON public.grants USING btree (customer_id, starts_at DESC, id DESC);

CREATE INDEX grants_by_subscription ON public.grants USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX grants_newest_first ON public.grants USING btree (app_id, created_at DESC, id DESC);

CREATE INDEX grants_of_a_verification ON public.grants USING btree (verification_id) WHERE (verification_id IS NOT NULL);

CREATE INDEX grants_that_end ON public.grants USING btree (ends_at, id) WHERE ((ended_at IS NULL) AND (ends_at IS DISTINCT FROM expired_at));

CREATE INDEX grants_that_share_a_purchase ON public.grants USING btree (shared_subscription_id, customer_id) WHERE ((shared_subscription_id IS NOT NULL) AND (ended_at IS NULL));

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX jobs_of_state_newest_first ON public.jobs USING btree (app_id, state, created_at DESC, id DESC);

CREATE INDEX jobs_on_lease ON public.jobs USING btree (lease_ends_at) WHERE (state = 'running'::text);

CREATE INDEX jobs_that_are_over ON public.jobs USING btree (finalized_at) WHERE (state = ANY (ARRAY['completed'::text, 'cancelled'::text]));

CREATE INDEX jobs_to_work_on ON public.jobs USING btree (app_id, kind, scheduled_at, id) WHERE (state = 'available'::text);

CREATE INDEX joined_orders ON public.orders USING btree (joined_into) WHERE (joined_into IS NOT NULL);

CREATE INDEX ledger_entries_by_notification ON public.ledger_entries USING btree (notification_id);

CREATE INDEX ledger_entries_by_recording ON public.ledger_entries USING btree (app_id, recorded_at, id);

CREATE INDEX ledger_entries_by_time ON public.ledger_entries USING btree (app_id, occurred_at DESC, id DESC);

CREATE INDEX mfa_challenges_by_staff ON public.mfa_challenges USING btree (staff_id);

CREATE INDEX notifications_of_a_reconciliation ON public.store_notifications USING btree (reconciliation_id, received_at DESC, id DESC) WHERE (reconciliation_id IS NOT NULL);

CREATE UNIQUE INDEX one_job_of_a_kind_per_subject ON public.jobs USING btree (kind, subject_id) WHERE (state = ANY (ARRAY['available'::text, 'running'::text, 'discarded'::text]));

CREATE UNIQUE INDEX one_line_per_customer ON public.bulk_job_items USING btree (job_id, customer_id) WHERE (state <> ALL (ARRAY['new'::text, 'not_found'::text, 'ambiguous'::text, 'repeated'::text]));

CREATE UNIQUE INDEX one_live_session_of_a_subject ON public.customer_sessions USING btree (app_id, subject_hash) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX one_open_case_of_a_store_per_order ON public.refund_requests USING btree (order_id) WHERE (opened_by_store AND (status = ANY (ARRAY['pending'::text, 'approved'::text])));

CREATE UNIQUE INDEX one_open_checkout_per_method ON public.checkouts USING btree (customer_id, product_id, method) WHERE (state = ANY (ARRAY['opening'::text, 'open'::text]));

CREATE UNIQUE INDEX one_open_claim_per_member ON public.seat_claims USING btree (subscription_id, customer_id) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX one_open_suspension_per_subscription ON public.suspensions USING btree (subscription_id) WHERE (lifted_at IS NULL);

CREATE UNIQUE INDEX one_order_per_store_transaction ON public.orders USING btree (app_id, store, environment, transaction_id) WHERE (joined_into IS NULL);

CREATE UNIQUE INDEX one_recommended_product_per_store ON public.products USING btree (app_id, store) WHERE is_recommended;

CREATE UNIQUE INDEX one_trial_per_customer ON public.grants USING btree (customer_id) WHERE ((kind = 'trial'::text) AND (superseded_at IS NULL));

CREATE INDEX open_bill_differences ON public.bill_differences USING btree (app_id, found_at DESC, id DESC) WHERE (closed_at IS NULL);

CREATE INDEX open_usage_reservations ON public.usage_reservations USING btree (expires_at) WHERE (state = 'open'::text);

CREATE INDEX order_aliases_by_order ON public.order_aliases USING btree (order_id);

CREATE INDEX order_aliases_by_search ON public.order_aliases USING gin (public.search_key(transaction_id) public.gin_trgm_ops);

CREATE INDEX orders_by_customer ON public.orders USING btree (customer_id, purchased_at DESC, id DESC);

CREATE INDEX orders_by_search ON public.orders USING gin (search public.gin_trgm_ops);

CREATE INDEX orders_by_subscription ON public.orders USING btree (subscription_id, purchased_at DESC, id DESC);

CREATE INDEX orders_by_worth ON public.orders USING btree (app_id, worth DESC, id DESC);

CREATE INDEX orders_newest_first ON public.orders USING btree (app_id, purchased_at DESC, id DESC);

CREATE INDEX orders_of_a_store_oldest_first ON public.orders USING btree (app_id, store, environment, purchased_at);

CREATE INDEX orders_of_status_by_worth ON public.orders USING btree (app_id, status, worth DESC, id DESC);

CREATE INDEX orders_of_status_newest_first ON public.orders USING btree (app_id, status, purchased_at DESC, id DESC);

CREATE INDEX orders_paid_back_twice ON public.orders USING btree (customer_id) WHERE (refunded > amount);

CREATE INDEX orders_with_refunds ON public.orders USING btree (customer_id) WHERE has_refunds;

CREATE INDEX orders_without_amount ON public.orders USING btree (app_id, purchased_at) WHERE (amount IS NULL);

CREATE INDEX paid_year_changes_by_app ON public.paid_year_changes USING btree (app_id, recorded_at);

CREATE INDEX paid_year_changes_by_order ON public.paid_year_changes USING btree (order_id, recorded_at, id);

CREATE INDEX period_credits_of_an_order ON public.period_credits USING btree (order_id);

CREATE INDEX product_credits_of_a_feature ON public.product_credits USING btree (feature_id);

CREATE INDEX promo_batches_newest_first ON public.promo_batches USING btree (app_id, created_at DESC, id DESC);

CREATE INDEX promo_redemptions_newest_first ON public.promo_redemptions USING btree (batch_id, redeemed_at DESC, id DESC);

CREATE INDEX purchase_claims_of_a_customer ON public.purchase_claims USING btree (customer_id);

CREATE INDEX purchase_claims_of_a_verification ON public.purchase_claims USING btree (verification_id);

CREATE INDEX purchase_moves_from_a_customer ON public.purchase_moves USING btree (from_customer_id);

CREATE INDEX purchase_moves_to_a_customer ON public.purchase_moves USING btree (to_customer_id);

CREATE INDEX purchase_verifications_of_a_customer ON public.purchase_verifications USING btree (customer_id, requested_at DESC, id DESC);

CREATE INDEX purchase_verifications_that_wait ON public.purchase_verifications USING btree (app_id, requested_at) WHERE (state = ANY (ARRAY['pending'::text, 'provisional'::text]));

CREATE INDEX reconciliations_of_a_store ON public.reconciliations USING btree (app_id, store, environment, started_at DESC);

CREATE INDEX reconciliations_of_an_app ON public.reconciliations USING btree (app_id, started_at DESC, id DESC);

CREATE INDEX refresh_tokens_by_what_they_replace ON public.refresh_tokens USING btree (replaces) WHERE (replaces IS NOT NULL);

CREATE INDEX refresh_tokens_of_a_session ON public.refresh_tokens USING btree (session_id);

CREATE INDEX refund_payouts_of_a_payment ON public.refund_payouts USING btree (app_id, store, transaction_id);

CREATE INDEX refund_requests_by_deadline ON public.refund_requests USING btree (app_id, due_at DESC, id DESC);

CREATE INDEX refund_requests_by_order ON public.refund_requests USING btree (order_id, requested_at DESC, id DESC);

CREATE INDEX refund_requests_by_who_decided ON public.refund_requests USING btree (decided_by, decided_at) WHERE ((decided_by IS NOT NULL) AND (status = ANY (ARRAY['approved'::text, 'processed'::text])));

CREATE INDEX refund_requests_by_worth ON public.refund_requests USING btree (app_id, worth DESC, id DESC);

CREATE INDEX refund_requests_newest_first ON public.refund_requests USING btree (app_id, requested_at DESC, id DESC);

CREATE INDEX refund_requests_of_status_by_deadline ON public.refund_requests USING btree (app_id, status, due_at DESC, id DESC);

CREATE INDEX refund_requests_of_status_by_worth ON public.refund_requests USING btree (app_id, status, worth DESC, id DESC);

CREATE INDEX refund_requests_of_status_newest_first ON public.refund_requests USING btree (app_id, status, requested_at DESC, id DESC);

CREATE INDEX refund_requests_that_may_expire ON public.refund_requests USING btree (expires_at) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text]));

CREATE INDEX refused_links_of_a_customer ON public.refused_links USING btree (customer_id);

CREATE INDEX renewal_extensions_of_a_product ON public.renewal_extensions USING btree (app_id, store, environment, store_product_id, finished_at) WHERE (store_product_id IS NOT NULL);

CREATE INDEX renewal_extensions_of_a_subscription ON public.renewal_extensions USING btree (subscription_id, requested_at DESC, id DESC) WHERE (subscription_id IS NOT NULL);

CREATE INDEX renewal_extensions_of_an_app ON public.renewal_extensions USING btree (app_id, COALESCE(requested_at, finished_at) DESC, id DESC);

CREATE INDEX revoked_app_keys_newest_first ON public.app_keys USING btree (app_id, revoked_at DESC, id DESC) WHERE (revoked_at IS NOT NULL);

CREATE INDEX rollup_entries_by_measure ON public.rollup_entries USING btree (app_id, measure, effective_at);

CREATE INDEX rollup_entries_by_moment ON public.rollup_entries USING btree (effective_at, id);

CREATE INDEX rollups_by_knowing ON public.rollups USING btree (app_id, measure, environment, recorded_on);

CREATE INDEX rollups_of_products ON public.rollups USING btree (app_id, measure, environment, product_id, day);

CREATE INDEX sandbox_notifications_newest_first ON public.store_notifications USING btree (app_id, store, received_at DESC) WHERE (environment = 'sandbox'::text);

CREATE INDEX saved_views_of_list ON public.saved_views USING btree (app_id, list, name, id);

CREATE INDEX seat_claims_by_app ON public.seat_claims USING btree (app_id, requested_at DESC, id DESC);

CREATE INDEX seat_claims_by_customer ON public.seat_claims USING btree (customer_id);

CREATE INDEX seat_claims_by_subscription ON public.seat_claims USING btree (subscription_id, requested_at DESC, id DESC);

CREATE INDEX seat_claims_that_wait ON public.seat_claims USING btree (app_id, unanswered_since DESC, id DESC) WHERE (unanswered_since IS NOT NULL);

CREATE INDEX sign_in_identities_of_a_customer ON public.sign_in_identities USING btree (customer_id, created_at, id);

CREATE INDEX sign_in_subjects_of_an_identity ON public.sign_in_subjects USING btree (identity_id);

CREATE INDEX staff_devices_by_end ON public.staff_devices USING btree (expires_at);

CREATE INDEX staff_devices_by_staff ON public.staff_devices USING btree (staff_id, created_at DESC);

CREATE INDEX staff_sessions_by_end ON public.staff_sessions USING btree (expires_at);

CREATE INDEX staff_sessions_by_staff ON public.staff_sessions USING btree (staff_id);

CREATE INDEX staff_tokens_by_staff ON public.staff_tokens USING btree (staff_id);

CREATE INDEX store_notifications_by_chain ON public.store_notifications USING btree (app_id, store, original_transaction_id, signed_at);

CREATE INDEX store_notifications_newest_first ON public.store_notifications USING btree (app_id, received_at DESC, id DESC);

CREATE INDEX store_notifications_of_state_newest_first ON public.store_notifications USING btree (app_id, state, received_at DESC, id DESC);

CREATE INDEX store_notifications_on_lease ON public.store_notifications USING btree (lease_ends_at) WHERE (state = 'processing'::text);

CREATE INDEX store_notifications_to_process ON public.store_notifications USING btree (app_id, scheduled_at, id) WHERE (state = 'received'::text);

CREATE INDEX subscriber_entries_by_day ON public.subscriber_entries USING btree (app_id, measure, day, customer_id);

CREATE INDEX subscriber_entries_by_period ON public.subscriber_entries USING btree (app_id, dimension, day, customer_id) WHERE (measure = 'retained'::text);

CREATE INDEX subscription_changes_newest_first ON public.subscription_events USING btree (subscription_id, signed_at DESC, id DESC) WHERE (state_before <> state_after);

CREATE INDEX subscription_events_by_notification ON public.subscription_events USING btree (notification_id);

CREATE INDEX subscription_events_in_signed_order ON public.subscription_events USING btree (subscription_id, signed_at, event_id);

CREATE INDEX subscription_events_newest_first ON public.subscription_events USING btree (subscription_id, signed_at DESC, id DESC);

CREATE INDEX subscriptions_by_customer ON public.subscriptions USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX subscriptions_by_end ON public.subscriptions USING btree (app_id, COALESCE(period_ends_at, '9999-12-31 00:00:00+00'::timestamp with time zone) DESC, id DESC);

CREATE INDEX subscriptions_by_search ON public.subscriptions USING gin (public.search_key(original_transaction_id) public.gin_trgm_ops);

CREATE INDEX subscriptions_in_billing_retry ON public.subscriptions USING btree (GREATEST(period_ends_at, grace_period_ends_at), id) WHERE (state = 'billing_retry'::text);

CREATE INDEX subscriptions_newest_first ON public.subscriptions USING btree (app_id, COALESCE(started_at, created_at) DESC, id DESC);

CREATE INDEX subscriptions_of_an_account ON public.subscriptions USING btree (app_id, store, environment, app_transaction_id) WHERE (app_transaction_id IS NOT NULL);

CREATE INDEX subscriptions_of_product_newest_first ON public.subscriptions USING btree (app_id, product_id, COALESCE(started_at, created_at) DESC, id DESC);

CREATE INDEX subscriptions_of_state_newest_first ON public.subscriptions USING btree (app_id, state, COALESCE(started_at, created_at) DESC, id DESC);

CREATE INDEX subscriptions_that_begin_later ON public.subscriptions USING btree (app_id, access_starts_at) WHERE (access_starts_at IS NOT NULL);

CREATE INDEX subscriptions_that_end_for_good ON public.subscriptions USING btree (app_id, COALESCE(period_ends_at, '9999-12-31 00:00:00+00'::timestamp with time zone), id) WHERE ((state = 'active'::text) AND (NOT renews_automatically) AND (cancelled_at IS NULL));

CREATE INDEX subscriptions_that_may_lapse ON public.subscriptions USING btree (GREATEST(period_ends_at, grace_period_ends_at), id) WHERE (state = ANY (ARRAY['trial'::text, 'active'::text, 'grace_period'::text, 'cancelled'::text]));

CREATE INDEX subscriptions_to_check ON public.subscriptions USING btree (app_id, store, environment, GREATEST(period_ends_at, grace_period_ends_at), id) WHERE ((state = ANY (ARRAY['trial'::text, 'active'::text, 'grace_period'::text, 'billing_retry'::text, 'cancelled'::text, 'paused'::text])) OR ((state = ANY (ARRAY['expired'::text, 'trial_expired'::text])) AND (ended_at IS NULL)));

CREATE INDEX subscriptions_to_look_at ON public.subscriptions USING btree (app_id, store, environment, GREATEST(last_signed_at, checked_at), id) WHERE (state = ANY (ARRAY['trial'::text, 'active'::text, 'grace_period'::text, 'cancelled'::text]));

CREATE INDEX superseded_orders ON public.orders USING btree (customer_id) WHERE (superseded_at IS NOT NULL);

CREATE INDEX suspensions_by_subscription ON public.suspensions USING btree (subscription_id, suspended_at DESC);

CREATE UNIQUE INDEX two_live_app_keys ON public.app_keys USING btree (app_id, slot) WHERE (revoked_at IS NULL);

CREATE INDEX unknown_seats_by_app ON public.unknown_seats USING btree (app_id, first_seen_at DESC, id DESC) WHERE (gone_at IS NULL);

CREATE INDEX usage_near_limits ON public.usage_counters USING btree (feature_id, near_limit_until, customer_id) WHERE (near_limit_until IS NOT NULL);

CREATE INDEX usage_reservations_by_end ON public.usage_reservations USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX usage_reservations_of_a_customer ON public.usage_reservations USING btree (customer_id, feature_id);

CREATE INDEX used_credentials_by_age ON public.used_credentials USING btree (used_at);

CREATE STATISTICS public.customers_by_beginning ON public.search_key(name), public.search_key(email) FROM public.customers;

CREATE CONSTRAINT TRIGGER a_ledger_entry_balances_with_its_order AFTER INSERT ON public.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_order_balance();

CREATE TRIGGER a_request_knows_its_worth BEFORE INSERT ON public.refund_requests FOR EACH ROW EXECUTE FUNCTION public.fill_request_worth();

CREATE TRIGGER an_entry_names_its_customer BEFORE INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.fill_audit_customer();

CREATE CONSTRAINT TRIGGER an_order_balances_with_its_ledger AFTER INSERT OR UPDATE OF amount, refunded, credited, status ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_order_balance();

CREATE TRIGGER an_order_knows_its_refunds AFTER INSERT ON public.ledger_entries FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['refund'::text, 'revoke'::text, 'refund_reversal'::text]))) EXECUTE FUNCTION public.fill_order_refunds();

CREATE TRIGGER an_order_knows_its_worth BEFORE INSERT OR UPDATE OF amount ON public.orders FOR EACH ROW EXECUTE FUNCTION public.fill_order_worth();

CREATE TRIGGER an_order_knows_what_it_sells BEFORE INSERT ON public.checkouts FOR EACH ROW WHEN (((new.plan_code IS NULL) OR (new.period_count IS NULL) OR (new.period_unit IS NULL))) EXECUTE FUNCTION public.fill_checkout_offer();

CREATE TRIGGER approved_is_never_above_what_is_left AFTER INSERT OR UPDATE OF status, approved_amount ON public.refund_requests FOR EACH ROW WHEN ((new.status = 'approved'::text)) EXECUTE FUNCTION public.check_approved_refunds();

CREATE TRIGGER attempts_are_never_changed BEFORE UPDATE ON public.job_attempts FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER attempts_are_never_changed BEFORE DELETE OR UPDATE ON public.notification_attempts FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER audit_rows_are_never_changed BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER cohorts_follow_customers AFTER INSERT ON public.customers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_new_customers();

CREATE TRIGGER cohorts_follow_first_days AFTER UPDATE OF created_at ON public.customers FOR EACH ROW WHEN ((old.created_at <> new.created_at)) EXECUTE FUNCTION public.roll_up_first_day();

CREATE TRIGGER cohorts_follow_moved_orders BEFORE UPDATE OF customer_id ON public.orders FOR EACH ROW WHEN ((old.customer_id <> new.customer_id)) EXECUTE FUNCTION public.roll_up_moved_order();

CREATE TRIGGER cohorts_follow_moved_subscriptions AFTER UPDATE OF customer_id ON public.subscriptions FOR EACH ROW WHEN ((old.customer_id <> new.customer_id)) EXECUTE FUNCTION public.roll_up_moved_subscription();

CREATE TRIGGER cohorts_follow_new_subscriptions AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_new_subscriptions();

CREATE TRIGGER consents_are_never_changed BEFORE DELETE OR UPDATE OF id, is_given, source, recorded_by, recorded_as, recorded_at, reason ON public.consumption_consents FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER entitlements_follow_changed_subscriptions AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN ((((((((((((((((((((((((old.customer_id IS DISTINCT FROM new.customer_id) OR (old.store IS DISTINCT FROM new.store)) OR (old.environment IS DISTINCT FROM new.environment)) OR (old.original_transaction_id IS DISTINCT FROM new.original_transaction_id)) OR (old.state IS DISTINCT FROM new.state)) OR (old.product_id IS DISTINCT FROM new.product_id)) OR (old.transaction_id IS DISTINCT FROM new.transaction_id)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.period_starts_at IS DISTINCT FROM new.period_starts_at)) OR (old.period_ends_at IS DISTINCT FROM new.period_ends_at)) OR (old.grace_period_ends_at IS DISTINCT FROM new.grace_period_ends_at)) OR (old.renews_automatically IS DISTINCT FROM new.renews_automatically)) OR (old.next_store_product_id IS DISTINCT FROM new.next_store_product_id)) OR (old.renewal_price IS DISTINCT FROM new.renewal_price)) OR (old.renewal_currency IS DISTINCT FROM new.renewal_currency)) OR (old.trial_started_at IS DISTINCT FROM new.trial_started_at)) OR (old.trial_ends_at IS DISTINCT FROM new.trial_ends_at)) OR (old.cancelled_at IS DISTINCT FROM new.cancelled_at)) OR (old.ended_at IS DISTINCT FROM new.ended_at)) OR (old.end_reason IS DISTINCT FROM new.end_reason)) OR (old.is_family_shared IS DISTINCT FROM new.is_family_shared)) OR (old.version IS DISTINCT FROM new.version)) OR (old.owner_locked IS DISTINCT FROM new.owner_locked))) EXECUTE FUNCTION public.note_entitlement_change();

CREATE TRIGGER entitlements_follow_grants AFTER INSERT OR DELETE OR UPDATE ON public.grants FOR EACH ROW EXECUTE FUNCTION public.note_entitlement_change();

CREATE TRIGGER entitlements_follow_limit_increases AFTER UPDATE OF day_increase, day_increase_until, month_increase, month_increase_until, lifetime_increase, lifetime_increase_until ON public.usage_counters FOR EACH ROW EXECUTE FUNCTION public.note_entitlement_change();

CREATE TRIGGER entitlements_follow_merges AFTER UPDATE OF merged_into ON public.customers FOR EACH ROW WHEN (((old.merged_into IS NULL) AND (new.merged_into IS NOT NULL))) EXECUTE FUNCTION public.note_merged_entitlement();

CREATE TRIGGER entitlements_follow_seats AFTER INSERT OR UPDATE OF customer_id, claimed_at, ended_at ON public.seat_claims FOR EACH ROW EXECUTE FUNCTION public.note_entitlement_change();

CREATE TRIGGER entitlements_follow_subscriptions AFTER INSERT OR DELETE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION public.note_entitlement_change();

CREATE TRIGGER entitlements_follow_suspensions AFTER INSERT OR UPDATE ON public.suspensions FOR EACH ROW EXECUTE FUNCTION public.note_suspension();

CREATE TRIGGER entitlements_follow_testers AFTER UPDATE OF tester_since ON public.customers FOR EACH ROW WHEN ((old.tester_since IS DISTINCT FROM new.tester_since)) EXECUTE FUNCTION public.note_tester();

CREATE TRIGGER entitlements_of_members_follow_their_group AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN ((new.seat_invitations = 'app'::text)) EXECUTE FUNCTION public.note_group_change();

CREATE CONSTRAINT TRIGGER every_entry_is_chained AFTER INSERT ON public.audit_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.chain_audit_entry();

CREATE TRIGGER ledger_rows_are_never_changed BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_changed_entry();

CREATE TRIGGER links_are_never_changed BEFORE DELETE OR UPDATE ON public.audit_chain FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER merged_customers_are_counted_once AFTER UPDATE OF merged_into ON public.customers FOR EACH ROW WHEN (((old.merged_into IS NULL) AND (new.merged_into IS NOT NULL))) EXECUTE FUNCTION public.roll_up_merged_customer();

CREATE TRIGGER months_follow_new_rates AFTER INSERT ON public.exchange_rates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.convert_months_of_what_is_changed();

CREATE TRIGGER months_follow_other_rates AFTER UPDATE ON public.exchange_rates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.convert_months_of_what_is_changed();

CREATE TRIGGER months_follow_taken_rates AFTER DELETE ON public.exchange_rates REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.convert_months_of_what_is_changed();

CREATE TRIGGER months_follow_the_reporting_currency AFTER UPDATE ON public.apps FOR EACH ROW WHEN ((old.reporting_currency <> new.reporting_currency)) EXECUTE FUNCTION public.convert_months_of_the_app();

CREATE TRIGGER notes_are_never_removed BEFORE DELETE ON public.customer_notes FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER notes_are_never_rewritten BEFORE UPDATE ON public.customer_notes FOR EACH ROW EXECUTE FUNCTION public.refuse_rewriting();

CREATE TRIGGER one_admin_remains AFTER DELETE OR UPDATE OF role, disabled_at, password_hash ON public.staff FOR EACH ROW EXECUTE FUNCTION public.refuse_to_lose_the_last_admin();

CREATE TRIGGER requests_are_never_removed BEFORE DELETE ON public.refund_requests FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER rollups_follow_paid_years AFTER UPDATE OF paid_days ON public.orders FOR EACH ROW WHEN ((public.paid_year(old.paid_days) <> public.paid_year(new.paid_days))) EXECUTE FUNCTION public.roll_up_changed_year();

CREATE TRIGGER rollups_follow_the_ledger AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_what_is_added();

CREATE TRIGGER servers_forget_accounts AFTER DELETE OR UPDATE ON public.staff FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_apps AFTER INSERT OR DELETE OR UPDATE ON public.apps FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_decisions AFTER UPDATE OF status ON public.refund_requests FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_failures AFTER UPDATE OF state ON public.store_notifications FOR EACH ROW WHEN (((old.state = 'failed'::text) <> (new.state = 'failed'::text))) EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_keys AFTER DELETE OR UPDATE OF token_hash, staff_id, scopes, expires_at, revoked_at ON public.staff_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_new_requests AFTER INSERT ON public.refund_requests FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_sessions AFTER DELETE OR UPDATE OF token_hash, staff_id, app_id, authenticated_at, expires_at ON public.staff_sessions FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_what_is_visible AFTER INSERT OR DELETE OR UPDATE ON public.staff_apps FOR EACH STATEMENT EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER servers_forget_what_was_refused AFTER INSERT ON public.store_notifications FOR EACH ROW WHEN ((new.state = 'failed'::text)) EXECUTE FUNCTION public.forget_staff();

CREATE TRIGGER steps_are_never_changed BEFORE DELETE OR UPDATE ON public.refund_payout_steps FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER the_audit_is_never_emptied BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER the_chain_is_never_emptied BEFORE TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER the_head_is_never_emptied BEFORE TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER the_head_only_moves_on BEFORE UPDATE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION public.refuse_other_heads();

CREATE TRIGGER the_head_stays BEFORE DELETE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER the_ledger_is_never_emptied BEFORE TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER usage_is_of_who_is_nobody_else AFTER INSERT ON public.usage_counters FOR EACH ROW EXECUTE FUNCTION public.refuse_usage_of_merged();

CREATE TRIGGER usage_totals_follow_usage AFTER INSERT OR DELETE OR UPDATE OF used, offline ON public.usage_days FOR EACH ROW EXECUTE FUNCTION public.note_usage();

CREATE TRIGGER workers_are_woken AFTER INSERT ON public.jobs FOR EACH STATEMENT EXECUTE FUNCTION public.wake_workers();

CREATE TRIGGER workers_are_woken AFTER INSERT ON public.store_notifications FOR EACH STATEMENT EXECUTE FUNCTION public.wake_workers();

ALTER TABLE ONLY public.access_changes
    ADD CONSTRAINT access_changes_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.access_changes
    ADD CONSTRAINT access_changes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.access_changes
    ADD CONSTRAINT access_changes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id);

ALTER TABLE ONLY public.access_changes
    ADD CONSTRAINT access_changes_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.access_periods
    ADD CONSTRAINT access_periods_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.access_periods
    ADD CONSTRAINT access_periods_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.access_periods
    ADD CONSTRAINT access_periods_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.access_periods
    ADD CONSTRAINT access_periods_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.amounts_to_value
    ADD CONSTRAINT amounts_to_value_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.store_anchors
    ADD CONSTRAINT an_anchor_is_of_an_account FOREIGN KEY (app_id, store) REFERENCES public.store_accounts(app_id, store) ON DELETE CASCADE;

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT an_entry_came_in_a_notification FOREIGN KEY (notification_id) REFERENCES public.store_notifications(id);

ALTER TABLE ONLY public.subscription_events
    ADD CONSTRAINT an_event_came_in_a_notification FOREIGN KEY (notification_id) REFERENCES public.store_notifications(id);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.app_rate_limits
    ADD CONSTRAINT app_rate_limits_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.app_transactions
    ADD CONSTRAINT app_transactions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.app_transactions
    ADD CONSTRAINT app_transactions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.apple_account_notifications
    ADD CONSTRAINT apple_account_notifications_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.audit_entries(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.bill_differences
    ADD CONSTRAINT bill_differences_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.bill_differences
    ADD CONSTRAINT bill_differences_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES public.daily_bills(id);

ALTER TABLE ONLY public.bill_differences
    ADD CONSTRAINT bill_differences_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.bill_rows
    ADD CONSTRAINT bill_rows_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.bill_rows
    ADD CONSTRAINT bill_rows_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES public.daily_bills(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bulk_job_items
    ADD CONSTRAINT bulk_job_items_action_id_fkey FOREIGN KEY (action_id) REFERENCES public.entitlement_actions(id);

ALTER TABLE ONLY public.bulk_job_items
    ADD CONSTRAINT bulk_job_items_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.bulk_job_items
    ADD CONSTRAINT bulk_job_items_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.bulk_jobs(id);

ALTER TABLE ONLY public.bulk_job_items
    ADD CONSTRAINT bulk_job_items_undo_action_id_fkey FOREIGN KEY (undo_action_id) REFERENCES public.entitlement_actions(id);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.bulk_jobs
    ADD CONSTRAINT bulk_jobs_undo_requested_by_fkey FOREIGN KEY (undo_requested_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.consumption_answers
    ADD CONSTRAINT consumption_answers_refund_request_id_fkey FOREIGN KEY (refund_request_id) REFERENCES public.refund_requests(id);

ALTER TABLE ONLY public.consumption_consents
    ADD CONSTRAINT consumption_consents_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.consumption_consents
    ADD CONSTRAINT consumption_consents_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.consumption_rules
    ADD CONSTRAINT consumption_rules_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.credit_buckets
    ADD CONSTRAINT credit_buckets_customer_id_feature_id_fkey FOREIGN KEY (customer_id, feature_id) REFERENCES public.usage_counters(customer_id, feature_id);

ALTER TABLE ONLY public.credit_buckets
    ADD CONSTRAINT credit_buckets_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.customer_activity
    ADD CONSTRAINT customer_activity_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.customer_notes
    ADD CONSTRAINT customer_notes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.customer_notes
    ADD CONSTRAINT customer_notes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.customer_sessions
    ADD CONSTRAINT customer_sessions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.customer_sessions
    ADD CONSTRAINT customer_sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.customers(id);

ALTER TABLE ONLY public.daily_bills
    ADD CONSTRAINT daily_bills_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.disputed_transactions
    ADD CONSTRAINT disputed_transactions_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.disputed_transactions
    ADD CONSTRAINT disputed_transactions_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_bulk_job_id_fkey FOREIGN KEY (bulk_job_id) REFERENCES public.bulk_jobs(id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.entitlement_actions
    ADD CONSTRAINT entitlement_actions_undoes_fkey FOREIGN KEY (undoes) REFERENCES public.entitlement_actions(id);

ALTER TABLE ONLY public.entitlement_versions
    ADD CONSTRAINT entitlement_versions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT entries_are_in_the_order_s_currency FOREIGN KEY (order_id, currency) REFERENCES public.orders(id, currency);

ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT expiry_reminders_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.expiry_reminders
    ADD CONSTRAINT expiry_reminders_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.external_purchase_tokens
    ADD CONSTRAINT external_purchase_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_shared_subscription_id_fkey FOREIGN KEY (shared_subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_verification_id_fkey FOREIGN KEY (verification_id) REFERENCES public.purchase_verifications(id);

ALTER TABLE ONLY public.job_attempts
    ADD CONSTRAINT job_attempts_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.list_columns
    ADD CONSTRAINT list_columns_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.mfa_challenges
    ADD CONSTRAINT mfa_challenges_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.months_to_convert
    ADD CONSTRAINT months_to_convert_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.notification_attempts
    ADD CONSTRAINT notification_attempts_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.store_notifications(id);

ALTER TABLE ONLY public.order_aliases
    ADD CONSTRAINT order_aliases_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.order_aliases
    ADD CONSTRAINT order_aliases_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.order_numbers
    ADD CONSTRAINT order_numbers_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_joined_into_fkey FOREIGN KEY (joined_into) REFERENCES public.orders(id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.paid_year_changes
    ADD CONSTRAINT paid_year_changes_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.paid_year_changes
    ADD CONSTRAINT paid_year_changes_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.password_setup_tokens
    ADD CONSTRAINT password_setup_tokens_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.paywalls
    ADD CONSTRAINT paywalls_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.period_credits
    ADD CONSTRAINT period_credits_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.period_credits
    ADD CONSTRAINT period_credits_upgrade_id_fkey FOREIGN KEY (upgrade_id) REFERENCES public.orders(id);

ALTER TABLE ONLY public.plan_features
    ADD CONSTRAINT plan_features_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES public.features(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.plan_features
    ADD CONSTRAINT plan_features_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.product_credits
    ADD CONSTRAINT product_credits_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.product_credits
    ADD CONSTRAINT product_credits_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.product_prices
    ADD CONSTRAINT product_prices_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.promo_batches
    ADD CONSTRAINT promo_batches_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.promo_batches
    ADD CONSTRAINT promo_batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.promo_batches
    ADD CONSTRAINT promo_batches_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.promo_codes
    ADD CONSTRAINT promo_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.promo_batches(id);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_batch_id_code_number_fkey FOREIGN KEY (batch_id, code_number) REFERENCES public.promo_codes(batch_id, number);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.promo_redemptions
    ADD CONSTRAINT promo_redemptions_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.grants(id);

ALTER TABLE ONLY public.purchase_claims
    ADD CONSTRAINT purchase_claims_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.purchase_claims
    ADD CONSTRAINT purchase_claims_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.purchase_claims
    ADD CONSTRAINT purchase_claims_verification_id_fkey FOREIGN KEY (verification_id) REFERENCES public.purchase_verifications(id);

ALTER TABLE ONLY public.purchase_moves
    ADD CONSTRAINT purchase_moves_from_customer_id_fkey FOREIGN KEY (from_customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.purchase_moves
    ADD CONSTRAINT purchase_moves_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.purchase_moves
    ADD CONSTRAINT purchase_moves_to_customer_id_fkey FOREIGN KEY (to_customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.purchase_verifications
    ADD CONSTRAINT purchase_verifications_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.purchase_verifications
    ADD CONSTRAINT purchase_verifications_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_replaces_fkey FOREIGN KEY (replaces) REFERENCES public.refresh_tokens(token_hash);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.customer_sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refund_numbers
    ADD CONSTRAINT refund_numbers_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.refund_payout_steps
    ADD CONSTRAINT refund_payout_steps_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES public.refund_payouts(refund_id);

ALTER TABLE ONLY public.refund_payouts
    ADD CONSTRAINT refund_payouts_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.refund_payouts
    ADD CONSTRAINT refund_payouts_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES public.refund_requests(id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_finished_by_fkey FOREIGN KEY (finished_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.refused_links
    ADD CONSTRAINT refused_links_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.refused_links
    ADD CONSTRAINT refused_links_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES public.sign_in_identities(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.renewal_extension_failures
    ADD CONSTRAINT renewal_extension_failures_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.renewal_extension_failures
    ADD CONSTRAINT renewal_extension_failures_extension_id_fkey FOREIGN KEY (extension_id) REFERENCES public.renewal_extensions(id);

ALTER TABLE ONLY public.renewal_extension_failures
    ADD CONSTRAINT renewal_extension_failures_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.renewal_extensions
    ADD CONSTRAINT renewal_extensions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.renewal_extensions
    ADD CONSTRAINT renewal_extensions_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES public.staff(id);

ALTER TABLE ONLY public.renewal_extensions
    ADD CONSTRAINT renewal_extensions_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT requests_are_in_the_order_s_currency FOREIGN KEY (order_id, currency) REFERENCES public.orders(id, currency);

ALTER TABLE ONLY public.rescinded_consents
    ADD CONSTRAINT rescinded_consents_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.rollup_corrections
    ADD CONSTRAINT rollup_corrections_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.rollup_days
    ADD CONSTRAINT rollup_days_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.rollup_months
    ADD CONSTRAINT rollup_months_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.rollup_recounts
    ADD CONSTRAINT rollup_recounts_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.rollups
    ADD CONSTRAINT rollups_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.seat_claims
    ADD CONSTRAINT seat_claims_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.seat_claims
    ADD CONSTRAINT seat_claims_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.seat_claims
    ADD CONSTRAINT seat_claims_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.sign_in_identities
    ADD CONSTRAINT sign_in_identities_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.sign_in_identities
    ADD CONSTRAINT sign_in_identities_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.sign_in_revocations
    ADD CONSTRAINT sign_in_revocations_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.sign_in_subjects
    ADD CONSTRAINT sign_in_subjects_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.sign_in_subjects
    ADD CONSTRAINT sign_in_subjects_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES public.sign_in_identities(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.staff_apps
    ADD CONSTRAINT staff_apps_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.staff_apps
    ADD CONSTRAINT staff_apps_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_devices
    ADD CONSTRAINT staff_devices_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_recovery_codes
    ADD CONSTRAINT staff_recovery_codes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_tokens
    ADD CONSTRAINT staff_tokens_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_two_factor
    ADD CONSTRAINT staff_two_factor_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

ALTER TABLE ONLY public.staff_writes
    ADD CONSTRAINT staff_writes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.store_accounts
    ADD CONSTRAINT store_accounts_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.store_fees
    ADD CONSTRAINT store_fees_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.store_keys
    ADD CONSTRAINT store_keys_app_id_store_fkey FOREIGN KEY (app_id, store) REFERENCES public.store_accounts(app_id, store) ON DELETE CASCADE;

ALTER TABLE ONLY public.store_notifications
    ADD CONSTRAINT store_notifications_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.store_notifications
    ADD CONSTRAINT store_notifications_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES public.reconciliations(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.store_notifications
    ADD CONSTRAINT store_notifications_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.store_terms
    ADD CONSTRAINT store_terms_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.subscriber_entries
    ADD CONSTRAINT subscriber_entries_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.subscriber_entries
    ADD CONSTRAINT subscriber_entries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.subscription_aliases
    ADD CONSTRAINT subscription_aliases_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.subscription_aliases
    ADD CONSTRAINT subscription_aliases_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.subscription_events
    ADD CONSTRAINT subscription_events_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES public.reconciliations(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.subscription_events
    ADD CONSTRAINT subscription_events_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id);

ALTER TABLE ONLY public.suspensions
    ADD CONSTRAINT suspensions_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.test_notifications
    ADD CONSTRAINT test_notifications_app_id_store_fkey FOREIGN KEY (app_id, store) REFERENCES public.store_accounts(app_id, store) ON DELETE CASCADE;

ALTER TABLE ONLY public.token_issuer_secrets
    ADD CONSTRAINT token_issuer_secrets_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.token_issuers(app_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.token_issuers
    ADD CONSTRAINT token_issuers_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.trial_offers
    ADD CONSTRAINT trial_offers_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.trial_offers
    ADD CONSTRAINT trial_offers_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);

ALTER TABLE ONLY public.unknown_seats
    ADD CONSTRAINT unknown_seats_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

ALTER TABLE ONLY public.unknown_seats
    ADD CONSTRAINT unknown_seats_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.usage_counters
    ADD CONSTRAINT usage_counters_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);

ALTER TABLE ONLY public.usage_counters
    ADD CONSTRAINT usage_counters_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_customer_id_feature_id_fkey FOREIGN KEY (customer_id, feature_id) REFERENCES public.usage_counters(customer_id, feature_id);

ALTER TABLE ONLY public.usage_reservations
    ADD CONSTRAINT usage_reservations_customer_id_feature_id_fkey FOREIGN KEY (customer_id, feature_id) REFERENCES public.usage_counters(customer_id, feature_id);

ALTER TABLE ONLY public.usage_totals
    ADD CONSTRAINT usage_totals_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES public.features(id);

ALTER TABLE ONLY public.used_credentials
    ADD CONSTRAINT used_credentials_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);

