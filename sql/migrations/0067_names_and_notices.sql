-- Other names of subscriptions, and what a store tells of an app or of a customer and of no subscription.

-- Purchases outside of the store, which have to be reported to it.
CREATE TABLE external_purchase_tokens (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    external_purchase_id text NOT NULL,
    -- By what the store said last.
    state text NOT NULL,
    -- In the store's own words.
    token_type text,
    created_at timestamptz,
    expires_at timestamptz,
    -- When the store last said something of it.
    told_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    -- When a person last said that they had reported it.
    reported_at timestamptz,
    CONSTRAINT a_token_is_known_once UNIQUE (app_id, store, environment, external_purchase_id),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT state_is_known CHECK (state IN ('created', 'reminded', 'unreported')),
    CONSTRAINT external_purchase_id_is_short CHECK (octet_length(external_purchase_id) BETWEEN 1 AND 255),
    CONSTRAINT token_type_is_short CHECK (octet_length(token_type) BETWEEN 1 AND 255)
);

CREATE INDEX external_purchase_tokens_of_an_app ON external_purchase_tokens (app_id, told_at DESC, id DESC);
CREATE INDEX external_purchase_tokens_by_state ON external_purchase_tokens (app_id, state, told_at DESC, id DESC);
CREATE INDEX external_purchase_tokens_to_report ON external_purchase_tokens (app_id, told_at DESC, id DESC)
    WHERE reported_at IS NULL OR reported_at < told_at;

-- Accounts for which the use of an app is blocked, because a parent withdrew their consent (Apple: RESCIND_CONSENT).
CREATE TABLE rescinded_consents (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    -- The account that installed the app, the same in each of its purchases.
    app_transaction_id text NOT NULL,
    -- The signed date of the first message that said so.
    rescinded_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT a_consent_is_rescinded_once UNIQUE (app_id, store, environment, app_transaction_id),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT app_transaction_id_is_short CHECK (octet_length(app_transaction_id) BETWEEN 1 AND 255)
);

-- The account that bought a subscription, as its newest event names it.
ALTER TABLE subscriptions ADD COLUMN app_transaction_id text;
UPDATE subscriptions s
SET app_transaction_id = (
    SELECT e.event -> 'transaction' ->> 'appTransactionID'
    FROM subscription_events e
    WHERE e.subscription_id = s.id AND e.rejection_reason IS NULL AND e.event -> 'transaction' ? 'appTransactionID'
    ORDER BY e.signed_at DESC, e.event_id DESC
    LIMIT 1);
CREATE INDEX subscriptions_of_an_account ON subscriptions (app_id, store, environment, app_transaction_id)
    WHERE app_transaction_id IS NOT NULL;

-- What a store has called a subscription beside its own, oldest name (Apple: `previousOriginalTransactionId`).
CREATE TABLE subscription_aliases (
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    original_transaction_id text NOT NULL,
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT a_name_is_of_one_subscription UNIQUE (app_id, store, environment, original_transaction_id),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$')
);

CREATE INDEX aliases_of_a_subscription ON subscription_aliases (subscription_id);

-- What came before this was known is read again.
UPDATE store_notifications
SET state = 'received', needs_resolving = true, finalized_at = NULL, scheduled_at = now()
WHERE store = 'apple' AND state = 'ignored' AND event IS NULL
    AND (type = 'EXTERNAL_PURCHASE_TOKEN' AND subtype IN ('CREATED', 'ACTIVE_TOKEN_REMINDER', 'UNREPORTED')
        OR type = 'RENEWAL_EXTENSION' AND subtype = 'SUMMARY' OR type = 'RESCIND_CONSENT' AND subtype IS NULL);
