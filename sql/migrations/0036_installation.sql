-- What this database belongs to. The servers of one database share a secret; one that came up with another would seal what the rest
-- cannot open, and could open nothing that was sealed before.
CREATE TABLE installation (
    only_one boolean PRIMARY KEY DEFAULT true,
    secret_fingerprint bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT there_is_one_installation CHECK (only_one),
    CONSTRAINT a_fingerprint_has_32_bytes CHECK (octet_length(secret_fingerprint) = 32)
);
INSERT INTO installation DEFAULT VALUES;
