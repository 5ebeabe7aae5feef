-- One-time keys: a form that is sent twice, or a program's request that is repeated, has one effect. The row is written in
-- the transaction of the effect, so whoever comes second waits for that and is told what came of it.
CREATE TABLE action_keys (
    -- Whose key it is: a person's or a program's.
    owner_id       uuid NOT NULL,
    key            text NOT NULL,
    -- SHA-256 of what was asked: the same key with another wish is a mistake of the caller.
    fingerprint    bytea NOT NULL,
    -- What was written to the audit log, and what the action was done to or made.
    audit_entry_id uuid,
    result         text,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (owner_id, key),
    CONSTRAINT fingerprint_is_a_sha_256 CHECK (octet_length(fingerprint) = 32),
    CONSTRAINT key_has_at_most_255_characters CHECK (char_length(key) BETWEEN 1 AND 255)
);
CREATE INDEX action_keys_by_age ON action_keys (created_at);
