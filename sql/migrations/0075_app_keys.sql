-- A secret key of an app's own server. Shown once; here is its SHA-256.
CREATE TABLE app_keys (
    id           uuid PRIMARY KEY,
    app_id       uuid NOT NULL REFERENCES apps,
    -- Two keys of an app live at a time, so that the new one works before the old one ends.
    slot         smallint NOT NULL,
    name         text NOT NULL,
    -- What it may do, such as usage:write.
    scopes       text[] NOT NULL,
    token_hash   bytea NOT NULL,
    created_by   uuid REFERENCES staff,
    created_as   text NOT NULL,
    created_at   timestamptz NOT NULL,
    -- To within a minute: using a key is not a write each time.
    last_used_at timestamptz,
    revoked_at   timestamptz,
    revoked_as   text,
    CONSTRAINT one_key_per_hash UNIQUE (token_hash),
    CONSTRAINT key_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32),
    CONSTRAINT slot_is_one_of_two CHECK (slot IN (1, 2)),
    CONSTRAINT name_has_1_to_100_characters CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT scopes_are_known CHECK (
        cardinality(scopes) > 0
        AND scopes <@ ARRAY['entitlements:read', 'usage:write', 'customers:read', 'tokens:mint']),
    CONSTRAINT a_revocation_says_who CHECK ((revoked_at IS NULL) = (revoked_as IS NULL))
);
CREATE UNIQUE INDEX two_live_app_keys ON app_keys (app_id, slot) WHERE revoked_at IS NULL;
CREATE INDEX revoked_app_keys_newest_first ON app_keys (app_id, revoked_at DESC, id DESC) WHERE revoked_at IS NOT NULL;
