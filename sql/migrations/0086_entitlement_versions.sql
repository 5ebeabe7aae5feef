-- The version of what a customer holds, which the triggers below raise with every change. What is kept in memory is valid for one
-- version. A customer without a row was never changed.
CREATE TABLE entitlement_versions (
    customer_id uuid PRIMARY KEY REFERENCES customers,
    version bigint NOT NULL,
    CONSTRAINT versions_count_from_one CHECK (version >= 1)
) WITH (fillfactor = 70);

CREATE FUNCTION note_entitlement_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION note_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT customer_id, 1
    FROM subscriptions
    WHERE id = NEW.subscription_id
    ON CONFLICT (customer_id) DO UPDATE SET version = v.version + 1;
    RETURN NULL;
END
$$;

-- Whoever knows a version of one of the two sees the next one grow.
CREATE FUNCTION note_merged_entitlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entitlement_versions AS v (customer_id, version)
    SELECT NEW.merged_into, coalesce(max(version), 0) + 1
    FROM entitlement_versions
    WHERE customer_id = NEW.id
    ON CONFLICT (customer_id) DO UPDATE SET version = greatest(v.version + 1, excluded.version);
    RETURN NULL;
END
$$;

CREATE TRIGGER entitlements_follow_subscriptions AFTER INSERT OR DELETE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION note_entitlement_change();

-- What the store confirmed anew without changing it is no change.
CREATE TRIGGER entitlements_follow_changed_subscriptions AFTER UPDATE ON subscriptions
    FOR EACH ROW
    WHEN (
        (old.customer_id, old.store, old.environment, old.original_transaction_id, old.state, old.product_id, old.transaction_id,
            old.started_at, old.period_starts_at, old.period_ends_at, old.grace_period_ends_at, old.renews_automatically,
            old.next_store_product_id, old.renewal_price, old.renewal_currency, old.trial_started_at, old.trial_ends_at,
            old.cancelled_at, old.ended_at, old.end_reason, old.is_family_shared, old.version, old.owner_locked)
        IS DISTINCT FROM
        (new.customer_id, new.store, new.environment, new.original_transaction_id, new.state, new.product_id, new.transaction_id,
            new.started_at, new.period_starts_at, new.period_ends_at, new.grace_period_ends_at, new.renews_automatically,
            new.next_store_product_id, new.renewal_price, new.renewal_currency, new.trial_started_at, new.trial_ends_at,
            new.cancelled_at, new.ended_at, new.end_reason, new.is_family_shared, new.version, new.owner_locked)
    )
    EXECUTE FUNCTION note_entitlement_change();

CREATE TRIGGER entitlements_follow_grants AFTER INSERT OR UPDATE OR DELETE ON grants
    FOR EACH ROW EXECUTE FUNCTION note_entitlement_change();

CREATE TRIGGER entitlements_follow_suspensions AFTER INSERT OR UPDATE ON suspensions
    FOR EACH ROW EXECUTE FUNCTION note_suspension();

CREATE TRIGGER entitlements_follow_merges AFTER UPDATE OF merged_into ON customers
    FOR EACH ROW WHEN (old.merged_into IS NULL AND new.merged_into IS NOT NULL)
    EXECUTE FUNCTION note_merged_entitlement();

-- For how long a signed entitlement is good without a connection, in hours.
ALTER TABLE apps
    ADD COLUMN offline_hours integer NOT NULL DEFAULT 24,
    ADD CONSTRAINT an_offline_entitlement_is_good_for_an_hour_to_90_days CHECK (offline_hours BETWEEN 1 AND 2160);

-- What staff gave beyond a limit is part of what the customer may use; a count names none of these columns.
CREATE TRIGGER entitlements_follow_limit_increases
    AFTER UPDATE OF day_increase, day_increase_until, month_increase, month_increase_until, lifetime_increase, lifetime_increase_until
    ON usage_counters
    FOR EACH ROW EXECUTE FUNCTION note_entitlement_change();
