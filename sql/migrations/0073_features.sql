-- What an app's plans can include.
CREATE TABLE features (
    id        uuid PRIMARY KEY,
    app_id    uuid NOT NULL REFERENCES apps,
    code      text NOT NULL,
    -- What staff read; by language, where there are names in several.
    name      text NOT NULL,
    names     jsonb NOT NULL DEFAULT '{}',
    -- The order in which they are shown.
    position  integer NOT NULL,
    CONSTRAINT one_feature_per_code UNIQUE (app_id, code),
    CONSTRAINT code_is_lower_case_with_hyphens CHECK (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(code) <= 64),
    CONSTRAINT names_are_an_object CHECK (jsonb_typeof(names) = 'object')
);

-- What a plan includes. Without any limit it is unlimited; a plan without the feature has no row.
CREATE TABLE plan_features (
    plan_id     uuid NOT NULL REFERENCES plans ON DELETE CASCADE,
    feature_id  uuid NOT NULL REFERENCES features ON DELETE CASCADE,
    -- Within a business day, within a calendar month, and in all.
    per_day     bigint,
    per_month   bigint,
    lifetime    bigint,
    PRIMARY KEY (plan_id, feature_id),
    CONSTRAINT limits_are_at_least_one CHECK (per_day > 0 AND per_month > 0 AND lifetime > 0)
);

ALTER TABLE plans
    ADD COLUMN names jsonb NOT NULL DEFAULT '{}',
    -- What a paywall says of it: a list of texts by language.
    ADD COLUMN benefits jsonb NOT NULL DEFAULT '[]',
    ADD CONSTRAINT names_are_an_object CHECK (jsonb_typeof(names) = 'object'),
    ADD CONSTRAINT benefits_are_a_list CHECK (jsonb_typeof(benefits) = 'array');

ALTER TABLE products
    ADD COLUMN names jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN is_recommended boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT names_are_an_object CHECK (jsonb_typeof(names) = 'object');
-- A paywall highlights one.
CREATE UNIQUE INDEX one_recommended_product_per_store ON products (app_id, store) WHERE is_recommended;
