-- The inbox: every authentic notification, once, before anything is made of it (product.md, decision 7).
CREATE TABLE store_notifications (
    id                      uuid PRIMARY KEY,
    app_id                  uuid NOT NULL REFERENCES apps,
    store                   text NOT NULL,
    environment             text NOT NULL,
    notification_uuid       text NOT NULL,
    type                    text NOT NULL,
    subtype                 text,
    original_transaction_id text,
    signed_at               timestamptz NOT NULL,
    received_at             timestamptz NOT NULL,
    -- Exactly what the store sent, for evidence and for reading again.
    signed_payload          text NOT NULL,
    -- The typed fact it holds; null for what concerns no subscription.
    event                   jsonb,
    state                   text NOT NULL,
    attempts                integer NOT NULL DEFAULT 0,
    next_attempt_at         timestamptz NOT NULL,
    leased_by               uuid,
    lease_ends_at           timestamptz,
    last_error              text,
    subscription_id         uuid REFERENCES subscriptions,
    finished_at             timestamptz,
    CONSTRAINT one_row_per_notification UNIQUE (store, notification_uuid),
    CONSTRAINT store_is_known CHECK (store IN ('apple', 'google', 'wechat', 'alipay')),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT state_is_known CHECK (state IN ('received', 'processing', 'processed', 'ignored', 'failed')),
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK (
        (state = 'processing') = (leased_by IS NOT NULL) AND (leased_by IS NULL) = (lease_ends_at IS NULL)),
    CONSTRAINT what_is_finished_says_when CHECK (
        (state IN ('processed', 'ignored', 'failed')) = (finished_at IS NOT NULL)),
    CONSTRAINT what_failed_says_why CHECK (state <> 'failed' OR last_error IS NOT NULL)
);
ALTER TABLE store_notifications ALTER COLUMN signed_payload SET STORAGE EXTERNAL;
CREATE INDEX store_notifications_to_process ON store_notifications (next_attempt_at, id) WHERE state = 'received';
CREATE INDEX store_notifications_on_lease ON store_notifications (lease_ends_at) WHERE state = 'processing';
CREATE INDEX store_notifications_newest_first ON store_notifications (app_id, received_at DESC, id DESC);
CREATE INDEX store_notifications_of_state_newest_first
    ON store_notifications (app_id, state, received_at DESC, id DESC);
CREATE INDEX store_notifications_by_chain ON store_notifications (app_id, store, original_transaction_id, signed_at);

-- Attempts are added, never overwritten (dashboard.md, rule 44).
CREATE TABLE notification_attempts (
    notification_id uuid NOT NULL REFERENCES store_notifications,
    attempt         integer NOT NULL,
    result          text NOT NULL,
    error           text,
    started_at      timestamptz NOT NULL,
    finished_at     timestamptz NOT NULL,
    PRIMARY KEY (notification_id, attempt),
    CONSTRAINT result_is_known CHECK (result IN ('processed', 'ignored', 'retried', 'failed'))
);
CREATE TRIGGER attempts_are_never_changed BEFORE UPDATE OR DELETE ON notification_attempts
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE subscription_events ADD CONSTRAINT an_event_came_in_a_notification
    FOREIGN KEY (notification_id) REFERENCES store_notifications;
ALTER TABLE transactions ADD CONSTRAINT an_entry_came_in_a_notification
    FOREIGN KEY (notification_id) REFERENCES store_notifications;
