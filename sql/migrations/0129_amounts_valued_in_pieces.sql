-- What amounts are worth in the reporting currency follows other rates in pieces, each in a transaction of its own: orders are held for as
-- long as a few hundred of them take, and not until those of all apps are done. What waits is here, also when whoever imported the rates
-- is gone.
CREATE TABLE amounts_to_value (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id     uuid NOT NULL REFERENCES apps,
    first      date NOT NULL,
    last       date NOT NULL,
    -- The order that was valued last.
    reached    timestamptz NOT NULL DEFAULT '-infinity',
    reached_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    CONSTRAINT a_span_of_amounts_has_a_day CHECK (first <= last)
);

CREATE OR REPLACE FUNCTION convert_months_of_what_is_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first date;
    last date;
BEGIN
    SELECT min(day), max(day) + 7 INTO first, last FROM changed;
    IF first IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('rollups'));
        PERFORM convert_months(id, first, last) FROM apps;
        INSERT INTO amounts_to_value (app_id, first, last) SELECT a.id, first, last FROM apps a ORDER BY a.id;
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION convert_months_of_the_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('rollups'));
    PERFORM convert_months(NEW.id, '-infinity', 'infinity');
    INSERT INTO amounts_to_value (app_id, first, last) VALUES (NEW.id, '-infinity', 'infinity');
    RETURN NULL;
END $$;

DROP FUNCTION value_amounts;
