-- Who a customer is. A store's notification makes one of whom no app has spoken; the app says later who it is, and two turn out to be
-- the same. The record that ends keeps its keys, so that what names them finds the other.
ALTER TABLE customers
    -- When the app said who it is: an account, not a device.
    ADD COLUMN identified_at timestamptz,
    ADD COLUMN merged_into uuid REFERENCES customers,
    ADD COLUMN merged_at timestamptz,
    ADD CONSTRAINT a_merger_has_a_moment CHECK ((merged_into IS NULL) = (merged_at IS NULL)),
    ADD CONSTRAINT nobody_is_merged_into_themselves CHECK (merged_into <> id);

UPDATE customers SET identified_at = recorded_at WHERE coalesce(external_id, name, email) IS NOT NULL;

CREATE INDEX customers_merged_into_another ON customers (merged_into) WHERE merged_into IS NOT NULL;

-- Who turns out to be another is not counted twice.
CREATE FUNCTION roll_up_merged_customer() RETURNS trigger
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    PERFORM roll_up_seen(NEW.id, NEW.created_at, seen_in(NEW.id), NEW.merged_at, -1);
    RETURN NULL;
END $$;

CREATE TRIGGER merged_customers_are_counted_once
    AFTER UPDATE OF merged_into ON customers
    FOR EACH ROW
    WHEN (OLD.merged_into IS NULL AND NEW.merged_into IS NOT NULL)
    EXECUTE FUNCTION roll_up_merged_customer();
