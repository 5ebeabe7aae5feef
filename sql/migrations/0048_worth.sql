-- What orders and refund requests are worth in what the app reports in, at the rate of their day: by that they are sorted, for amounts of
-- several currencies are no numbers that could be compared. -1 without a rate.

ALTER TABLE orders ADD COLUMN worth bigint NOT NULL DEFAULT -1;
ALTER TABLE refund_requests ADD COLUMN worth bigint NOT NULL DEFAULT -1;

CREATE FUNCTION worth(amount bigint, rate numeric) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN rate IS NULL THEN -1 ELSE least(round(amount * rate), 9223372036854775)::bigint END;

CREATE FUNCTION fill_order_worth() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT worth(NEW.amount, cross_rate(NEW.currency, reporting_currency, (NEW.purchased_at AT TIME ZONE time_zone)::date))
    INTO NEW.worth
    FROM apps
    WHERE id = NEW.app_id;
    RETURN NEW;
END $$;

CREATE FUNCTION fill_request_worth() RETURNS trigger
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

CREATE TRIGGER an_order_knows_its_worth BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fill_order_worth();
CREATE TRIGGER a_request_knows_its_worth BEFORE INSERT ON refund_requests FOR EACH ROW EXECUTE FUNCTION fill_request_worth();

-- Once more what was sold and asked for on some days of an app's, because rates have changed.
CREATE FUNCTION value_amounts(of_app uuid, first date, last date) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
DECLARE
    app apps := (SELECT a FROM apps a WHERE id = of_app);
    since timestamptz := first::timestamp AT TIME ZONE app.time_zone;
    before timestamptz := CASE WHEN last = 'infinity' THEN 'infinity'
        ELSE (last + 1)::timestamp AT TIME ZONE app.time_zone END;
BEGIN
    WITH sold AS MATERIALIZED (
        SELECT id, amount, currency, (purchased_at AT TIME ZONE app.time_zone)::date AS day, worth
        FROM orders
        WHERE app_id = of_app AND purchased_at >= since AND purchased_at < before
    ), rates AS MATERIALIZED (
        SELECT day, currency, cross_rate(currency, app.reporting_currency, day) AS rate
        FROM (SELECT DISTINCT day, currency FROM sold) days
    )
    UPDATE orders o
    SET worth = worth(sold.amount, rate)
    FROM sold
    JOIN rates USING (day, currency)
    WHERE o.id = sold.id AND sold.worth <> worth(sold.amount, rate);
    UPDATE refund_requests r
    SET worth = told.worth
    FROM (
        SELECT id, worth(requested_amount, cross_rate(currency, app.reporting_currency,
            (requested_at AT TIME ZONE app.time_zone)::date)) AS worth
        FROM refund_requests
        WHERE app_id = of_app AND requested_at >= since AND requested_at < before
    ) told
    WHERE r.id = told.id AND r.worth <> told.worth;
END $$;

CREATE OR REPLACE FUNCTION convert_months_of_the_app() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('rollups'));
    PERFORM convert_months(NEW.id, '-infinity', 'infinity');
    PERFORM value_amounts(NEW.id, '-infinity', 'infinity');
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION convert_months_of_what_is_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    first date;
    last date;
BEGIN
    SELECT min(day), max(day) + 7 INTO first, last FROM changed;
    IF first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('rollups'));
        PERFORM convert_months(id, first, last) FROM apps;
        PERFORM value_amounts(id, first, last) FROM apps;
    END IF;
    RETURN NULL;
END $$;

SELECT value_amounts(id, '-infinity', 'infinity') FROM apps;

DROP INDEX orders_by_amount, orders_of_status_by_amount, refund_requests_by_amount, refund_requests_of_status_by_amount;
CREATE INDEX orders_by_worth ON orders (app_id, worth DESC, id DESC);
CREATE INDEX orders_of_status_by_worth ON orders (app_id, status, worth DESC, id DESC);
CREATE INDEX refund_requests_by_worth ON refund_requests (app_id, worth DESC, id DESC);
CREATE INDEX refund_requests_of_status_by_worth ON refund_requests (app_id, status, worth DESC, id DESC);
