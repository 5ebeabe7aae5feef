-- Apps (tenants) and what they sell. Everything else hangs off an app.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What a search compares: lower case, with the four Turkish i's as one letter (dashboard.md, rule 10).
CREATE FUNCTION search_key(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(translate($1, 'İIı', 'iii'));

-- For tables whose rows are evidence: an UPDATE, DELETE or TRUNCATE is refused, whoever asks.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TABLE apps (
    id                 uuid PRIMARY KEY,
    slug               text NOT NULL,
    name               text NOT NULL,
    time_zone          text NOT NULL,
    reporting_currency text NOT NULL,
    apple_bundle_id    text,
    apple_app_id       bigint,
    apple_environment  text NOT NULL DEFAULT 'store',
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT one_app_per_slug UNIQUE (slug),
    CONSTRAINT one_app_per_apple_bundle UNIQUE (apple_bundle_id),
    CONSTRAINT slug_is_lower_case_with_hyphens CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    CONSTRAINT currency_is_iso_4217 CHECK (reporting_currency ~ '^[A-Z]{3}$'),
    CONSTRAINT apple_environment_is_store_or_simulator CHECK (apple_environment IN ('store', 'simulator'))
);

-- Certificates that may end an app's Apple chains, beside the built-in pin (which a simulator app never uses).
CREATE TABLE apple_anchors (
    app_id uuid NOT NULL REFERENCES apps,
    sha256 bytea NOT NULL,
    der    bytea NOT NULL,
    PRIMARY KEY (app_id, sha256),
    CONSTRAINT fingerprint_is_of_the_certificate CHECK (sha256 = sha256(der))
);

CREATE TABLE plans (
    id     uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    code   text NOT NULL,
    name   text NOT NULL,
    rank   integer NOT NULL,
    CONSTRAINT one_plan_per_code UNIQUE (app_id, code),
    CONSTRAINT one_plan_per_rank UNIQUE (app_id, rank),
    CONSTRAINT rank_is_not_negative CHECK (rank >= 0)
);

CREATE TABLE products (
    id               uuid PRIMARY KEY,
    app_id           uuid NOT NULL REFERENCES apps,
    plan_id          uuid NOT NULL REFERENCES plans,
    store            text NOT NULL,
    store_product_id text NOT NULL,
    name             text NOT NULL,
    period_count     integer,
    period_unit      text,
    trial_count      integer,
    trial_unit       text,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT one_product_per_store_product UNIQUE (app_id, store, store_product_id),
    CONSTRAINT store_is_known CHECK (store IN ('apple', 'google', 'wechat', 'alipay')),
    CONSTRAINT period_is_whole CHECK ((period_count IS NULL) = (period_unit IS NULL)),
    CONSTRAINT trial_is_whole CHECK ((trial_count IS NULL) = (trial_unit IS NULL)),
    CONSTRAINT period_is_at_least_one CHECK (period_count >= 1),
    CONSTRAINT trial_is_at_least_one CHECK (trial_count >= 1),
    CONSTRAINT period_unit_is_known CHECK (period_unit IN ('day', 'week', 'month', 'year')),
    CONSTRAINT trial_unit_is_known CHECK (trial_unit IN ('day', 'week', 'month', 'year'))
);

-- List prices; what was really charged is on the order.
CREATE TABLE product_prices (
    product_id  uuid NOT NULL REFERENCES products,
    currency    text NOT NULL,
    minor_units bigint NOT NULL,
    PRIMARY KEY (product_id, currency),
    CONSTRAINT price_is_not_negative CHECK (minor_units >= 0),
    CONSTRAINT price_currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$')
);
