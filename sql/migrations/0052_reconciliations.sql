-- What a store was asked about an app, beside what it sends: the notifications that it says it sent, and where subscriptions stand.
CREATE TABLE reconciliations (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    -- Who had it done.
    trigger text NOT NULL,
    -- What the store was asked to have sent.
    read_from timestamptz NOT NULL,
    read_to timestamptz NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    notifications_read integer NOT NULL DEFAULT 0,
    -- Of these, what the store could not deliver; what was not here; what is not authentic, or of no app here.
    notifications_undelivered integer NOT NULL DEFAULT 0,
    notifications_missed integer NOT NULL DEFAULT 0,
    notifications_rejected integer NOT NULL DEFAULT 0,
    subscriptions_checked integer NOT NULL DEFAULT 0,
    -- Of these, what stood otherwise here; what the store does not know.
    subscriptions_corrected integer NOT NULL DEFAULT 0,
    subscriptions_unknown integer NOT NULL DEFAULT 0,
    -- What it could not do; it goes on with the next.
    problem text,
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT trigger_is_known CHECK (trigger IN ('schedule', 'command')),
    CONSTRAINT it_reads_forward CHECK (read_to >= read_from),
    CONSTRAINT it_finishes_after_it_starts CHECK (finished_at >= started_at)
);

CREATE INDEX reconciliations_of_an_app ON reconciliations (app_id, started_at DESC, id DESC);
CREATE INDEX reconciliations_of_a_store ON reconciliations (app_id, store, environment, started_at DESC);

-- What was missing until then.
ALTER TABLE store_notifications ADD COLUMN reconciliation_id uuid REFERENCES reconciliations ON DELETE SET NULL;
CREATE INDEX notifications_of_a_reconciliation ON store_notifications (reconciliation_id, received_at DESC, id DESC)
    WHERE reconciliation_id IS NOT NULL;

ALTER TABLE subscription_events
    ADD COLUMN reconciliation_id uuid REFERENCES reconciliations ON DELETE SET NULL,
    ADD CONSTRAINT a_reconciliation_is_named_only_where_it_is_the_source
        CHECK (reconciliation_id IS NULL OR source = 'reconciliation') NOT VALID;
ALTER TABLE subscription_events VALIDATE CONSTRAINT a_reconciliation_is_named_only_where_it_is_the_source;
CREATE INDEX events_of_a_reconciliation ON subscription_events (reconciliation_id, recorded_at DESC, id DESC)
    WHERE reconciliation_id IS NOT NULL;

-- When the store was last asked where a subscription stands.
ALTER TABLE subscriptions ADD COLUMN checked_at timestamptz;
CREATE INDEX subscriptions_to_check ON subscriptions (app_id, store, environment, greatest(period_ends_at, grace_period_ends_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'billing_retry', 'cancelled');
