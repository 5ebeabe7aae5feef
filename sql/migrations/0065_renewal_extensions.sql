-- Extensions of the renewal dates of all active subscribers of a product (Apple: Extend Subscription Renewal Dates for All
-- Active Subscribers). One that was not requested here is known since the store's summary of it.
CREATE TABLE renewal_extensions (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    -- Ours, by which the store names it.
    request_identifier text NOT NULL,
    store_product_id text NOT NULL,
    -- ISO 3166-1 alpha-3; empty for all.
    storefronts text[] NOT NULL DEFAULT '{}',
    -- NULL for one that was not requested here: the summary does not say them.
    extend_by_days smallint,
    reason_code smallint,
    requested_at timestamptz,
    succeeded_count bigint,
    failed_count bigint,
    -- The signed date of the store's summary.
    completed_at timestamptz,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT an_extension_is_known_once UNIQUE (app_id, store, environment, request_identifier),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT request_identifier_is_short CHECK (octet_length(request_identifier) BETWEEN 1 AND 255),
    CONSTRAINT product_is_named CHECK (octet_length(store_product_id) BETWEEN 1 AND 255),
    -- Apple extends by 90 days at most.
    CONSTRAINT days_are_possible CHECK (extend_by_days BETWEEN 1 AND 90),
    CONSTRAINT reason_code_is_possible CHECK (reason_code BETWEEN 0 AND 3),
    CONSTRAINT a_request_says_by_how_much
        CHECK ((requested_at IS NULL) = (extend_by_days IS NULL) AND (requested_at IS NULL) = (reason_code IS NULL)),
    CONSTRAINT it_was_requested_or_is_completed CHECK (requested_at IS NOT NULL OR completed_at IS NOT NULL),
    CONSTRAINT a_summary_counts
        CHECK ((completed_at IS NULL) = (succeeded_count IS NULL) AND (completed_at IS NULL) = (failed_count IS NULL)),
    CONSTRAINT counts_are_not_negative CHECK (succeeded_count >= 0 AND failed_count >= 0)
);

CREATE INDEX renewal_extensions_of_an_app
    ON renewal_extensions (app_id, coalesce(requested_at, completed_at) DESC, id DESC);
CREATE INDEX renewal_extensions_of_a_product
    ON renewal_extensions (app_id, store, environment, store_product_id, completed_at);

-- Subscriptions that an extension could not extend. The store does not say of which extension a failure is: it is of the one of
-- its product that was under way, whichever of the two messages arrives first.
CREATE TABLE renewal_extension_failures (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    store_product_id text NOT NULL,
    subscription_id uuid NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
    -- The store's id of the message.
    event_id text NOT NULL,
    failed_at timestamptz NOT NULL,
    extension_id uuid REFERENCES renewal_extensions,
    CONSTRAINT a_failure_is_recorded_once UNIQUE (subscription_id, event_id),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$')
);

CREATE INDEX failures_of_an_extension ON renewal_extension_failures (extension_id, failed_at DESC, id DESC);
CREATE INDEX extension_failures_of_a_product
    ON renewal_extension_failures (app_id, store, environment, store_product_id, failed_at);
