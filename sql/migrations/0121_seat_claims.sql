-- The seats of a group whose invitations are the app's own: no transaction tells of its members, so a claim is what their access is
-- decided by (with the purchaser's subscription).
CREATE TABLE seat_claims (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps (id),
    store text NOT NULL,
    environment text NOT NULL,
    subscription_id uuid NOT NULL REFERENCES subscriptions (id),
    customer_id uuid NOT NULL REFERENCES customers (id),
    store_claim_id text,
    app_transaction_id text,
    requested_at timestamptz NOT NULL,
    claimed_at timestamptz,
    ended_at timestamptz,
    ended_by text,
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT one_claim_per_id_of_the_store UNIQUE (app_id, store, store_claim_id),
    CONSTRAINT store_claim_id_is_short CHECK (octet_length(store_claim_id) BETWEEN 1 AND 255),
    CONSTRAINT app_transaction_id_is_short CHECK (octet_length(app_transaction_id) BETWEEN 1 AND 255),
    CONSTRAINT a_claim_is_held_by_the_store_s_id CHECK ((store_claim_id IS NULL) = (claimed_at IS NULL)),
    CONSTRAINT an_end_says_why CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CONSTRAINT what_ends_a_claim_is_known CHECK (ended_by IN ('left', 'removed', 'unclaimed', 'missing')),
    CONSTRAINT a_claim_ends_after_it_began CHECK (ended_at >= requested_at)
);

COMMENT ON COLUMN seat_claims.id IS 'The identifier of the request: the same again is the same claim at the store.';
COMMENT ON COLUMN seat_claims.ended_by IS 'left and removed: by us; unclaimed: the store said so; missing: the store does not have it.';

CREATE UNIQUE INDEX one_open_claim_per_member ON seat_claims (subscription_id, customer_id) WHERE ended_at IS NULL;
CREATE INDEX seat_claims_by_customer ON seat_claims (customer_id);
