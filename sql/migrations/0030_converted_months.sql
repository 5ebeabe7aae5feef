-- Cells of months in the app's reporting currency too, each day's amount at the rate of that day: otherwise whoever asks for years in
-- one currency has every day of them converted again (docs/metrics.md, "How they are kept").
--
-- Written where entries become cells; made again for the months of rates that are imported, and for all of an app's when it reports
-- in another currency.

ALTER TABLE rollup_months
    -- Exact until far behind the point; 0 of what is no money of a day, and of what has no rate.
    ADD COLUMN converted numeric NOT NULL DEFAULT 0,
    -- Whether an amount in it, or one that was taken back, has no rate.
    ADD COLUMN lacks_rate boolean NOT NULL DEFAULT false;

-- What is converted at the rate of its day. Recurring revenue is converted at one rate, that of the day as of which it is asked for.
CREATE FUNCTION is_converted_by_day(measure text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN measure IN ('charge', 'refund', 'refunded_charge', 'cohort_net');

-- What one minor unit of a currency was in minor units of another on a day; NULL where a rate is missing.
CREATE FUNCTION cross_rate(of_currency text, reporting text, on_day date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE of_currency
        WHEN reporting THEN 1
        ELSE (euro_rate(reporting, on_day) * 10::numeric ^ (minor_digits(reporting) - minor_digits(of_currency)))::numeric(60, 30)
            / euro_rate(of_currency, on_day)
        END;

-- Converts the cells of an app's months, from the one that a day lies in through that of another.
CREATE FUNCTION convert_months(of_app uuid, first date, last date) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    since date := date_trunc('month', first)::date;
    before date := (date_trunc('month', last) + interval '1 month')::date;
BEGIN
    UPDATE rollup_months m
    SET converted = told.converted, lacks_rate = told.lacks_rate
    FROM (
        SELECT measure, environment, date_trunc('month', day)::date AS month, step, product_id, country, currency,
            date_trunc('month', known_day)::date AS known_month, coalesce(sum(amount * rate), 0) AS converted,
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
        AND m.step = told.step AND m.product_id = told.product_id AND m.country = told.country AND m.currency = told.currency
        AND m.known_month = told.known_month AND (m.converted, m.lacks_rate) IS DISTINCT FROM (told.converted, told.lacks_rate);
END $$;

-- A rate holds for the week after its day too. Nobody adds up entries meanwhile, for whom it would be neither there nor to come.
CREATE FUNCTION convert_months_of_what_is_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first date;
    last date;
BEGIN
    SELECT min(day), max(day) + 7 INTO first, last FROM changed;
    IF first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('rollups'));
        PERFORM convert_months(id, first, last) FROM apps;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER months_follow_new_rates AFTER INSERT ON exchange_rates
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_months_of_what_is_changed();
CREATE TRIGGER months_follow_other_rates AFTER UPDATE ON exchange_rates
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_months_of_what_is_changed();
CREATE TRIGGER months_follow_taken_rates AFTER DELETE ON exchange_rates
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION convert_months_of_what_is_changed();

CREATE FUNCTION convert_months_of_the_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('rollups'));
    PERFORM convert_months(NEW.id, '-infinity', 'infinity');
    RETURN NULL;
END $$;

CREATE TRIGGER months_follow_the_reporting_currency AFTER UPDATE ON apps
    FOR EACH ROW WHEN (OLD.reporting_currency <> NEW.reporting_currency) EXECUTE FUNCTION convert_months_of_the_app();

SELECT convert_months(id, '-infinity', 'infinity') FROM apps;
