-- A browser from which somebody has signed in before, by the SHA-256 of the token in its cookie. Its wrong passwords are counted
-- apart, so that a stranger who guesses keeps nobody out of their own account.
CREATE TABLE staff_devices (
    token_hash bytea NOT NULL,
    staff_id   uuid NOT NULL REFERENCES staff,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (token_hash, staff_id),
    CONSTRAINT token_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX staff_devices_by_staff ON staff_devices (staff_id, created_at DESC);
CREATE INDEX staff_devices_by_end ON staff_devices (expires_at);

-- When a key was used last, to within ten minutes: reading with it is not a write each time.
ALTER TABLE staff_tokens ADD COLUMN last_used_at timestamptz;
CREATE INDEX staff_tokens_by_staff ON staff_tokens (staff_id);
