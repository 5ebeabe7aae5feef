-- Origins of web pages that may call the app's part of the customer API from a browser.
ALTER TABLE apps
    ADD COLUMN cors_origins text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT at_most_100_origins CHECK (cardinality(cors_origins) <= 100);

-- Who signs the tokens of an app that has a login of its own.
CREATE TABLE token_issuers (
    app_id uuid PRIMARY KEY REFERENCES apps,
    issuer text NOT NULL,
    audience text NOT NULL,
    -- Where its public keys are.
    key_set_url text,
    -- Or what it shares with us, sealed.
    sealed_secret bytea,
    algorithms text[] NOT NULL,
    -- Which claim is the app's own id of the customer.
    claim text NOT NULL,
    leeway_seconds integer NOT NULL,
    longest_lifetime_seconds integer NOT NULL,
    CONSTRAINT one_app_per_issuer_and_audience UNIQUE (issuer, audience),
    CONSTRAINT an_issuer_has_keys_or_a_secret CHECK (num_nonnulls(key_set_url, sealed_secret) = 1),
    -- A public key is never taken for a secret.
    CONSTRAINT algorithms_fit_the_keys CHECK (
        CASE WHEN sealed_secret IS NULL
            THEN cardinality(algorithms) > 0 AND algorithms <@ ARRAY['ES256', 'RS256', 'EdDSA']
            ELSE algorithms = ARRAY['HS256'] END),
    CONSTRAINT leeway_is_up_to_5_minutes CHECK (leeway_seconds BETWEEN 0 AND 300),
    CONSTRAINT a_token_lives_up_to_a_week CHECK (longest_lifetime_seconds BETWEEN 60 AND 604800)
);

-- All tokens of an app's own issuer for one customer are one session, until it is ended: then those that were issued before open
-- nothing, and a later one begins another. It is kept longer than any of them is good.
ALTER TABLE customer_sessions
    -- SHA-256 of the app's own id of the customer: known also where the customer's data was erased.
    ADD COLUMN subject_hash bytea,
    -- To within ten minutes: using a session is not a write each time.
    ADD COLUMN last_used_at timestamptz,
    DROP CONSTRAINT method_is_known,
    ADD CONSTRAINT method_is_known CHECK (method IN ('minted', 'apple', 'wechat', 'alipay', 'issuer')),
    ADD CONSTRAINT sessions_of_an_issuer_have_a_subject CHECK ((method = 'issuer') = (subject_hash IS NOT NULL)),
    ADD CONSTRAINT a_subject_hash_has_32_bytes CHECK (octet_length(subject_hash) = 32);

CREATE UNIQUE INDEX one_live_session_of_a_subject ON customer_sessions (app_id, subject_hash) WHERE ended_at IS NULL;
CREATE INDEX customer_sessions_of_a_subject ON customer_sessions (app_id, subject_hash, ended_at)
    WHERE subject_hash IS NOT NULL;
