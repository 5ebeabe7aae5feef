-- The newest test notification that a store was asked for, and what became of it.
CREATE TABLE test_notifications (
    app_id uuid NOT NULL,
    store text NOT NULL,
    environment text NOT NULL,
    -- By the database's clock, which is the same for every server: it says when the next may be asked for.
    requested_at timestamptz NOT NULL,
    -- What names it at the store; none while it is being asked for, and where the store refused.
    token text,
    result text NOT NULL DEFAULT 'pending',
    -- Why it did not arrive, in the store's words.
    reason text,
    PRIMARY KEY (app_id, store, environment),
    FOREIGN KEY (app_id, store) REFERENCES store_accounts ON DELETE CASCADE,
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT result_is_known CHECK (result IN ('pending', 'arrived', 'undelivered', 'elsewhere', 'refused')),
    CONSTRAINT only_what_failed_has_a_reason CHECK (reason IS NULL OR result IN ('undelivered', 'refused'))
);
