-- Renewals that staff have a store put off: of one subscription, or of all who subscribe to a product.
CREATE TABLE extension_requests (
    -- Names it at the store, too: asked for twice, it is done once.
    id               uuid PRIMARY KEY,
    app_id           uuid NOT NULL REFERENCES apps,
    store            text NOT NULL,
    environment      text NOT NULL,
    subscription_id  uuid REFERENCES subscriptions,
    product_id       uuid REFERENCES products,
    -- Three-letter countries; nil for all.
    storefronts      text[],
    days             smallint NOT NULL,
    -- As the store has it.
    reason_code      smallint NOT NULL,
    reason           text NOT NULL,
    requested_by     uuid REFERENCES staff,
    requested_as     text NOT NULL,
    requested_at     timestamptz NOT NULL,
    state            text NOT NULL,
    -- When the subscription renews now, as the store says.
    renews_at        timestamptz,
    succeeded_count  bigint,
    failed_count     bigint,
    error_code       bigint,
    error            text,
    finished_at      timestamptz,
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT it_is_of_one_subscription_or_one_product CHECK ((subscription_id IS NULL) <> (product_id IS NULL)),
    CONSTRAINT storefronts_are_of_a_product CHECK (storefronts IS NULL OR product_id IS NOT NULL AND cardinality(storefronts) > 0),
    CONSTRAINT days_are_from_1_to_90 CHECK (days BETWEEN 1 AND 90),
    CONSTRAINT reason_code_is_known CHECK (reason_code BETWEEN 0 AND 3),
    CONSTRAINT an_extension_says_why CHECK (reason <> ''),
    CONSTRAINT state_is_known CHECK (state IN ('sending', 'running', 'succeeded', 'refused')),
    CONSTRAINT what_is_finished_says_when CHECK ((state IN ('succeeded', 'refused')) = (finished_at IS NOT NULL)),
    CONSTRAINT what_was_refused_says_why CHECK (state <> 'refused' OR error IS NOT NULL)
);
CREATE INDEX extension_requests_of_an_app ON extension_requests (app_id, requested_at DESC, id DESC);
CREATE INDEX extension_requests_of_a_subscription ON extension_requests (subscription_id, requested_at DESC, id DESC)
    WHERE subscription_id IS NOT NULL;
