-- Secrets that staff uploaded for the app's own login, sealed. An issuer without public keys whose catalogue names no secret signs
-- with one of them. Two live at a time, so that the login can go over to the new one before the old one ends.
CREATE TABLE token_issuer_secrets (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES token_issuers ON DELETE CASCADE,
    slot smallint NOT NULL,
    sealed_secret bytea NOT NULL,
    uploaded_at timestamptz NOT NULL,
    CONSTRAINT two_secrets_of_an_issuer UNIQUE (app_id, slot),
    CONSTRAINT slot_is_one_of_two CHECK (slot IN (1, 2))
);

ALTER TABLE token_issuers
    DROP CONSTRAINT an_issuer_has_keys_or_a_secret,
    ADD CONSTRAINT an_issuer_has_keys_or_a_secret CHECK (num_nonnulls(key_set_url, sealed_secret) <= 1),
    DROP CONSTRAINT algorithms_fit_the_keys,
    -- A public key is never taken for a secret.
    ADD CONSTRAINT algorithms_fit_the_keys CHECK (
        CASE WHEN key_set_url IS NULL
            THEN algorithms = ARRAY['HS256']
            ELSE cardinality(algorithms) > 0 AND algorithms <@ ARRAY['ES256', 'RS256', 'EdDSA'] END);
