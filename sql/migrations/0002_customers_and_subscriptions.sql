CREATE TABLE customers (
    id                uuid PRIMARY KEY,
    app_id            uuid NOT NULL REFERENCES apps,
    -- What names the customer for ever: the app's account token, else the store and its first transaction.
    key               text NOT NULL,
    app_account_token uuid,
    external_id       text,
    name              text,
    email             text,
    created_at        timestamptz NOT NULL,
    search            text NOT NULL GENERATED ALWAYS AS (
        search_key(key || ' ' || coalesce(external_id, '') || ' ' || coalesce(name, '') || ' ' || coalesce(email, ''))
    ) STORED,
    CONSTRAINT one_customer_per_key UNIQUE (app_id, key),
    CONSTRAINT one_customer_per_external_id UNIQUE (app_id, external_id)
);
CREATE INDEX customers_by_search ON customers USING gin (search gin_trgm_ops);
CREATE INDEX customers_newest_first ON customers (app_id, created_at DESC, id DESC);

-- One row per chain of purchases. The row is the fold of its events in signed order; `version` counts the folds.
CREATE TABLE subscriptions (
    id                      uuid PRIMARY KEY,
    app_id                  uuid NOT NULL REFERENCES apps,
    customer_id             uuid NOT NULL REFERENCES customers,
    store                   text NOT NULL,
    environment             text NOT NULL,
    original_transaction_id text NOT NULL,
    state                   text NOT NULL,
    product_id              uuid REFERENCES products,
    transaction_id          text,
    started_at              timestamptz,
    period_starts_at        timestamptz,
    period_ends_at          timestamptz,
    grace_period_ends_at    timestamptz,
    renews_automatically    boolean NOT NULL DEFAULT false,
    next_store_product_id   text,
    renewal_price           bigint,
    renewal_currency        text,
    trial_started_at        timestamptz,
    trial_ends_at           timestamptz,
    cancelled_at            timestamptz,
    ended_at                timestamptz,
    end_reason              text,
    is_family_shared        boolean NOT NULL DEFAULT false,
    last_signed_at          timestamptz,
    version                 integer NOT NULL DEFAULT 0,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL,
    CONSTRAINT one_subscription_per_chain UNIQUE (app_id, store, environment, original_transaction_id),
    CONSTRAINT store_is_known CHECK (store IN ('apple', 'google', 'wechat', 'alipay')),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT state_is_known CHECK (state IN (
        'pending', 'trial', 'active', 'grace_period', 'billing_retry', 'cancelled', 'paused', 'expired',
        'trial_expired', 'revoked')),
    CONSTRAINT period_ends_after_it_starts CHECK (period_ends_at > period_starts_at),
    CONSTRAINT renewal_price_has_a_currency CHECK ((renewal_price IS NULL) = (renewal_currency IS NULL))
);
CREATE INDEX subscriptions_by_customer ON subscriptions (customer_id, created_at DESC, id DESC);
CREATE INDEX subscriptions_that_may_lapse ON subscriptions (coalesce(grace_period_ends_at, period_ends_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'cancelled');

-- What a store said about a subscription, once each. `event` is the typed fact that the fold reads.
CREATE TABLE subscription_events (
    id              uuid PRIMARY KEY,
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    notification_id uuid,
    event_id        text NOT NULL,
    kind            text NOT NULL,
    signed_at       timestamptz NOT NULL,
    event           jsonb NOT NULL,
    state_before    text NOT NULL,
    state_after     text NOT NULL,
    refusal         text,
    recorded_at     timestamptz NOT NULL,
    CONSTRAINT one_row_per_event UNIQUE (subscription_id, event_id)
);
CREATE INDEX subscription_events_in_signed_order ON subscription_events (subscription_id, signed_at, event_id);
CREATE INDEX subscription_events_by_notification ON subscription_events (notification_id);
