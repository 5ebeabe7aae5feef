-- The statements that keep the rollups are long and touch a few rows: planning one took ten to thirty times as long as running
-- it, and because they are given arrays, PostgreSQL planned them anew each time. For a few rows they are now planned once a
-- connection; for many, with their number in mind. All they read they find by key, also while a young table has no statistics.

CREATE OR REPLACE FUNCTION roll_up_what_is_added() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
DECLARE
    ids uuid[] := (SELECT array_agg(id) FROM added);
BEGIN
    IF cardinality(ids) <= 100 THEN SET LOCAL plan_cache_mode = force_generic_plan; END IF;
    PERFORM roll_up(ids);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION roll_up_cohorts_of_what_is_added() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
DECLARE
    ids uuid[] := (SELECT array_agg(id) FROM added);
BEGIN
    IF cardinality(ids) <= 100 THEN SET LOCAL plan_cache_mode = force_generic_plan; END IF;
    PERFORM roll_up_cohorts(ids);
    RETURN NULL;
END $$;

ALTER FUNCTION roll_up_first_day() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION roll_up_first_day() SET enable_seqscan = off;
ALTER FUNCTION roll_up_moved_subscription() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION roll_up_moved_subscription() SET enable_seqscan = off;

-- Thousands of rows at a time.
ALTER FUNCTION roll_up_next(uuid, timestamptz, uuid) SET plan_cache_mode = force_custom_plan;

-- A function in SQL is planned each time it is called.
CREATE OR REPLACE FUNCTION seen_in(customer uuid, skipped uuid[] DEFAULT '{}', added text DEFAULT NULL) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN bool_and(held.environment = 'sandbox') THEN 'sandbox' ELSE 'production' END
        FROM (
            SELECT s.environment FROM subscriptions s WHERE s.customer_id = customer AND s.id <> ALL(skipped)
            UNION ALL
            SELECT added WHERE added IS NOT NULL
        ) held);
END $$;
