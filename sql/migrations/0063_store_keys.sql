-- Keys for what a store can be asked that staff uploaded; a key that the app's catalogue names counts instead.
CREATE TABLE store_keys (
    app_id uuid NOT NULL,
    store text NOT NULL,
    kind text NOT NULL,
    -- What is not secret of it, by the store's own names.
    settings jsonb NOT NULL DEFAULT '{}',
    sealed_secrets bytea NOT NULL,
    uploaded_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, store, kind),
    FOREIGN KEY (app_id, store) REFERENCES store_accounts ON DELETE CASCADE,
    CONSTRAINT kind_is_known CHECK (kind IN ('api', 'shared_secret', 'sign_in')),
    CONSTRAINT settings_are_an_object CHECK (jsonb_typeof(settings) = 'object')
);

-- When a store last sent something from its sandbox; of production the newest of all tells.
CREATE INDEX sandbox_notifications_newest_first ON store_notifications (app_id, store, received_at DESC)
    WHERE environment = 'sandbox';
