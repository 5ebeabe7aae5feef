-- Who has become another uses nothing any more: what was counted for them at that moment is counted for the other, anew.
CREATE FUNCTION refuse_usage_of_merged() RETURNS trigger
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

-- Only the first count of a feature inserts a row.
CREATE TRIGGER usage_is_of_who_is_nobody_else AFTER INSERT ON usage_counters
    FOR EACH ROW EXECUTE FUNCTION refuse_usage_of_merged();

-- What customers' apps said when they called last: written once an hour, or when something of it changed.
CREATE TABLE customer_activity (
    customer_id uuid PRIMARY KEY REFERENCES customers,
    last_seen_at timestamptz NOT NULL,
    -- The first that the app asks for (BCP 47).
    locale text,
    platform text,
    -- As the app spells it.
    app_version text,
    CONSTRAINT locale_is_a_language_tag CHECK (locale ~ '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,4}$'),
    CONSTRAINT platform_is_known CHECK (platform IN ('ios', 'macos', 'android', 'web')),
    CONSTRAINT app_version_is_short CHECK (app_version ~ '^[0-9A-Za-z.+_-]{1,32}$')
) WITH (fillfactor = 70);

-- A purchase that tells of an earlier day can name a record that has ended in another's: then that one was first seen on it.
CREATE OR REPLACE FUNCTION roll_up_first_day() RETURNS trigger
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
