-- One way in for every event: whoever brings it, its source stands beside it; what a notification means may have to be asked of
-- its store first; an app's accounts stand in one table, whatever the store.

ALTER TABLE subscription_events ADD COLUMN source text NOT NULL DEFAULT 'notification';
ALTER TABLE subscription_events ALTER COLUMN source DROP DEFAULT;
ALTER TABLE subscription_events ADD CONSTRAINT source_is_known
    CHECK (source IN ('notification', 'verification', 'reconciliation', 'checkout', 'staff', 'clock'));
ALTER TABLE subscription_events ADD CONSTRAINT a_notification_is_named_where_it_is_the_source
    CHECK ((source = 'notification') = (notification_id IS NOT NULL));

-- Two apps of two accounts may be told of the same thing; a store's ids are its own.
ALTER TABLE store_notifications DROP CONSTRAINT one_row_per_notification;
ALTER TABLE store_notifications ADD CONSTRAINT one_row_per_notification UNIQUE (app_id, store, notification_uuid);
ALTER TABLE store_notifications ADD COLUMN needs_resolving boolean NOT NULL DEFAULT false;
ALTER TABLE store_notifications ADD CONSTRAINT what_needs_resolving_has_no_event CHECK (NOT needs_resolving OR event IS NULL);

CREATE TABLE store_accounts (
    app_id         uuid NOT NULL REFERENCES apps,
    store          text NOT NULL,
    -- The app's own id at the store: Apple's bundle id, Google's package name.
    identifier     text NOT NULL,
    environment    text NOT NULL,
    settings       jsonb NOT NULL DEFAULT '{}',
    -- A JSON object, sealed with the installation's key for its app.
    sealed_secrets bytea,
    PRIMARY KEY (app_id, store),
    CONSTRAINT one_app_per_account UNIQUE (store, identifier),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT environment_is_store_or_simulator CHECK (environment IN ('store', 'simulator')),
    CONSTRAINT settings_are_an_object CHECK (jsonb_typeof(settings) = 'object')
);

INSERT INTO store_accounts (app_id, store, identifier, environment, settings)
SELECT id, 'apple', apple_bundle_id, apple_environment,
    CASE WHEN apple_app_id IS NULL THEN '{}' ELSE jsonb_build_object('appAppleId', apple_app_id::text) END
FROM apps
WHERE apple_bundle_id IS NOT NULL;

-- Certificates that may end the chains of an account's messages, beside those that its gateway knows.
ALTER TABLE apple_anchors RENAME TO store_anchors;
ALTER TABLE store_anchors ADD COLUMN store text NOT NULL DEFAULT 'apple';
ALTER TABLE store_anchors ALTER COLUMN store DROP DEFAULT;
DELETE FROM store_anchors WHERE app_id NOT IN (SELECT app_id FROM store_accounts);
ALTER TABLE store_anchors DROP CONSTRAINT apple_anchors_pkey;
ALTER TABLE store_anchors ADD CONSTRAINT store_anchors_pkey PRIMARY KEY (app_id, store, sha256);
ALTER TABLE store_anchors DROP CONSTRAINT apple_anchors_app_id_fkey;
ALTER TABLE store_anchors ADD CONSTRAINT an_anchor_is_of_an_account
    FOREIGN KEY (app_id, store) REFERENCES store_accounts ON DELETE CASCADE;

ALTER TABLE apps DROP COLUMN apple_bundle_id, DROP COLUMN apple_app_id, DROP COLUMN apple_environment;

-- Which stores there are is up to the gateways; a catalogue that names none of theirs is refused.
ALTER TABLE products DROP CONSTRAINT store_is_known;
ALTER TABLE orders DROP CONSTRAINT store_is_known;
ALTER TABLE store_fees DROP CONSTRAINT store_is_known;
ALTER TABLE store_notifications DROP CONSTRAINT store_is_known;
ALTER TABLE subscriptions DROP CONSTRAINT store_is_known;
ALTER TABLE products ADD CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$');
ALTER TABLE orders ADD CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$');
ALTER TABLE store_fees ADD CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$');
ALTER TABLE store_notifications ADD CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$');
ALTER TABLE subscriptions ADD CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$');
