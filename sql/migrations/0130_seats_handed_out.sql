-- Apps hand out the seats of their groups through us: who claimed one and when, what the store said, and what it is still to be told.
ALTER TABLE seat_claims
    ADD COLUMN requested_by text NOT NULL DEFAULT '',
    ADD COLUMN refused_code bigint,
    ADD COLUMN refused_as text,
    ADD COLUMN is_to_be_freed boolean NOT NULL DEFAULT false,
    ADD COLUMN is_to_be_named boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT what_ends_a_claim_is_known,
    ADD CONSTRAINT what_ends_a_claim_is_known CHECK (ended_by IN (
        'left', 'removed', 'unclaimed', 'missing', 'refused', 'no_seats', 'surplus', 'merged', 'deleted')),
    ADD CONSTRAINT only_what_was_refused_says_why CHECK (
        coalesce(ended_by IN ('refused', 'no_seats'), false) OR refused_code IS NULL AND refused_as IS NULL),
    ADD CONSTRAINT only_what_ended_is_freed CHECK (ended_at IS NOT NULL OR NOT is_to_be_freed),
    ADD CONSTRAINT only_a_known_account_is_named CHECK (app_transaction_id IS NOT NULL OR NOT is_to_be_named);

COMMENT ON COLUMN seat_claims.ended_by IS 'left, removed, surplus, merged and deleted: by us; refused and no_seats: the store gave none; unclaimed: the store said so; missing: the store does not have it.';
COMMENT ON COLUMN seat_claims.is_to_be_freed IS 'The store is still to be told that it has ended.';
COMMENT ON COLUMN seat_claims.is_to_be_named IS 'The store is still to be told whose it is.';

CREATE INDEX seat_claims_by_subscription ON seat_claims (subscription_id, requested_at DESC, id DESC);

ALTER TABLE subscriptions ADD COLUMN seats_compared_at timestamptz;

COMMENT ON COLUMN subscriptions.seats_compared_at IS 'When the store was last asked who has the seats.';

-- Claims that the store has and we do not. People decide about them.
CREATE TABLE unknown_seats (
    subscription_id uuid NOT NULL REFERENCES subscriptions (id),
    store_claim_id text NOT NULL,
    app_id uuid NOT NULL REFERENCES apps (id),
    first_seen_at timestamptz NOT NULL,
    gone_at timestamptz,
    CONSTRAINT an_unknown_seat_is_listed_once PRIMARY KEY (subscription_id, store_claim_id),
    CONSTRAINT unknown_claim_id_is_short CHECK (octet_length(store_claim_id) BETWEEN 1 AND 255),
    CONSTRAINT an_unknown_seat_goes_after_it_came CHECK (gone_at >= first_seen_at)
);

CREATE INDEX unknown_seats_by_app ON unknown_seats (app_id, first_seen_at DESC) WHERE gone_at IS NULL;

-- A member has what the purchaser's subscription gives: what is remembered of members is read again with it.
CREATE TRIGGER entitlements_follow_seats AFTER INSERT OR UPDATE OF customer_id, claimed_at, ended_at ON seat_claims
    FOR EACH ROW EXECUTE FUNCTION note_entitlement_change();

CREATE FUNCTION note_group_change() RETURNS trigger
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

CREATE TRIGGER entitlements_of_members_follow_their_group AFTER UPDATE ON subscriptions
    FOR EACH ROW WHEN (NEW.seat_invitations = 'app') EXECUTE FUNCTION note_group_change();

CREATE OR REPLACE FUNCTION note_suspension() RETURNS trigger
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

ALTER TABLE app_keys
    DROP CONSTRAINT scopes_are_known,
    ADD CONSTRAINT scopes_are_known CHECK (
        cardinality(scopes) > 0
        AND scopes <@ ARRAY['entitlements:read', 'usage:write', 'customers:read', 'tokens:mint', 'seats:write']);
