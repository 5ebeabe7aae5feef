-- Months follow other rates, and another reporting currency, in pieces, as amounts do (0129): one month of one app in a transaction of its
-- own. What waits is here, also when whoever imported the rates is gone. While a month of an app waits, all of the app's months are read
-- from their days: what was converted is one half of a figure as long as the other is not.
CREATE TABLE months_to_convert (
    app_id uuid NOT NULL REFERENCES apps,
    month  date NOT NULL,
    CONSTRAINT a_month_waits_once PRIMARY KEY (app_id, month),
    CONSTRAINT waiting_months_begin_on_their_first_day CHECK (extract(day FROM month) = 1)
);

-- Nobody adds up entries meanwhile: their month would be neither there yet nor converted by the rates that hold from now on.
CREATE OR REPLACE FUNCTION convert_months_of_what_is_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION convert_months_of_the_app() RETURNS trigger LANGUAGE plpgsql AS $$
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
