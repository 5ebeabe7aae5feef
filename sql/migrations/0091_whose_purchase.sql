-- A purchase never opens an account: it moves alone, or gives access to a device beside the account that has it.
ALTER TABLE purchase_claims
    DROP CONSTRAINT outcome_is_known,
    ADD CONSTRAINT outcome_is_known
        CHECK (outcome IN ('held', 'joined', 'moved', 'transferred', 'shared', 'refused', 'unproven'));

-- From whom and to whom purchases moved while both stayed who they are: a subscription's account token names for it whoever has it
-- since. One row for each record that ever led to the former owner.
CREATE TABLE purchase_moves (
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    from_customer_id uuid NOT NULL REFERENCES customers,
    to_customer_id uuid NOT NULL REFERENCES customers,
    moved_at timestamptz NOT NULL,
    PRIMARY KEY (subscription_id, from_customer_id),
    CONSTRAINT a_purchase_moves_to_somebody_else CHECK (from_customer_id <> to_customer_id)
);

CREATE INDEX purchase_moves_from_a_customer ON purchase_moves (from_customer_id);
CREATE INDEX purchase_moves_to_a_customer ON purchase_moves (to_customer_id);

-- Access of a device to what an account has bought.
ALTER TABLE grants
    ADD COLUMN shared_subscription_id uuid REFERENCES subscriptions,
    ADD CONSTRAINT shared_access_is_provisional CHECK (shared_subscription_id IS NULL OR kind = 'provisional');

CREATE INDEX grants_that_share_a_purchase ON grants (shared_subscription_id, customer_id)
    WHERE shared_subscription_id IS NOT NULL AND ended_at IS NULL;

ALTER TABLE apps
    ADD COLUMN transfer_behavior text NOT NULL DEFAULT 'refuse',
    ADD COLUMN owner_hint text NOT NULL DEFAULT 'provider',
    ADD CONSTRAINT transfer_behavior_is_known CHECK (transfer_behavior IN ('refuse', 'share', 'transfer')),
    ADD CONSTRAINT owner_hint_is_known CHECK (owner_hint IN ('none', 'provider', 'email'));
