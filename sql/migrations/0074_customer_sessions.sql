-- Counts how often it was applied: what is remembered of a catalogue holds for one version of it.
ALTER TABLE apps ADD COLUMN catalog_version bigint NOT NULL DEFAULT 1;

-- The keys that customers' access tokens are signed with (ES256). Servers sign with the newest; the others are published until what
-- they signed has expired.
CREATE TABLE signing_keys (
    id uuid PRIMARY KEY,
    -- Sealed with the installation's secret.
    sealed_key bytea NOT NULL,
    -- x and y (RFC 7518, 6.2.1).
    public_key bytea NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT a_public_key_has_64_bytes CHECK (octet_length(public_key) = 64)
);

-- A sign-in of a customer, or a token that was minted for one. What is ended opens nothing, whatever its tokens say.
CREATE TABLE customer_sessions (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    customer_id uuid NOT NULL REFERENCES customers,
    method text NOT NULL,
    created_at timestamptz NOT NULL,
    -- Of its newest token.
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT method_is_known CHECK (method IN ('minted', 'apple', 'wechat', 'alipay')),
    CONSTRAINT a_session_expires_after_it_begins CHECK (expires_at > created_at)
);

CREATE INDEX customer_sessions_of_a_customer ON customer_sessions (customer_id, created_at DESC, id DESC);
CREATE INDEX customer_sessions_by_end ON customer_sessions (expires_at);

-- Each use of one makes the next.
CREATE TABLE refresh_tokens (
    -- SHA-256.
    token_hash bytea PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES customer_sessions ON DELETE CASCADE,
    -- The one whose use made it; NULL for the first.
    replaces bytea REFERENCES refresh_tokens,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    -- The answer with it was lost on the way: another took its place.
    voided_at timestamptz,
    CONSTRAINT a_token_hash_has_32_bytes CHECK (octet_length(token_hash) = 32),
    CONSTRAINT what_is_voided_was_never_used CHECK (voided_at IS NULL OR used_at IS NULL)
);

CREATE INDEX refresh_tokens_of_a_session ON refresh_tokens (session_id);
CREATE UNIQUE INDEX a_refresh_token_has_one_successor ON refresh_tokens (replaces) WHERE voided_at IS NULL;
