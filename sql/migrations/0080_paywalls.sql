-- What an app's paywall says besides what it sells: texts by language, and the addresses of what the customer agrees to.
CREATE TABLE paywalls (
    app_id uuid PRIMARY KEY REFERENCES apps,
    title jsonb NOT NULL DEFAULT '{}',
    headline jsonb NOT NULL DEFAULT '{}',
    -- What the button says that buys.
    subscribe jsonb NOT NULL DEFAULT '{}',
    terms_url text,
    privacy_url text,
    CONSTRAINT texts_are_objects CHECK (
        jsonb_typeof(title) = 'object' AND jsonb_typeof(headline) = 'object' AND jsonb_typeof(subscribe) = 'object'
    ),
    CONSTRAINT addresses_are_https CHECK (terms_url LIKE 'https://%' AND privacy_url LIKE 'https://%')
);

-- What a customer is told at the end of a limit, by language; empty for the usual sentence.
ALTER TABLE features
    ADD COLUMN limit_reached jsonb NOT NULL DEFAULT '{}',
    ADD CONSTRAINT limit_reached_is_an_object CHECK (jsonb_typeof(limit_reached) = 'object');
