-- What is bought in a sandbox costs nothing: it gives access to testers alone, unless the app's catalogue lets everybody have it, as while a
-- store reviews the app.
ALTER TABLE apps
    ADD COLUMN sandbox_access text NOT NULL DEFAULT 'testers',
    ADD CONSTRAINT sandbox_access_is_for_testers_or_everybody CHECK (sandbox_access IN ('testers', 'everybody'));

ALTER TABLE customers ADD COLUMN tester_since timestamptz;

CREATE FUNCTION note_tester() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    VALUES (NEW.id, 1)
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

CREATE TRIGGER entitlements_follow_testers AFTER UPDATE OF tester_since ON customers
    FOR EACH ROW WHEN (old.tester_since IS DISTINCT FROM new.tester_since)
    EXECUTE FUNCTION note_tester();
