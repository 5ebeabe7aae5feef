CREATE TABLE staff (
    id            uuid PRIMARY KEY,
    email         text NOT NULL,
    name          text NOT NULL,
    role          text NOT NULL,
    -- scrypt, in the form that says its own cost: $scrypt$ln=…,r=…,p=…$salt$hash
    password_hash text NOT NULL,
    theme         text NOT NULL DEFAULT 'system',
    disabled_at   timestamptz,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT role_is_known CHECK (role IN ('support', 'admin', 'analyst')),
    CONSTRAINT theme_is_known CHECK (theme IN ('system', 'light', 'dark')),
    CONSTRAINT e_mail_is_kept_in_lower_case CHECK (email = lower(email)),
    CONSTRAINT one_account_per_e_mail UNIQUE (email)
);

-- A signed-in browser. The token itself is only in the cookie; here is its SHA-256.
CREATE TABLE staff_sessions (
    token_hash   bytea PRIMARY KEY,
    staff_id     uuid NOT NULL REFERENCES staff,
    app_id       uuid REFERENCES apps,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    address      text,
    user_agent   text,
    CONSTRAINT token_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX staff_sessions_by_staff ON staff_sessions (staff_id);
CREATE INDEX staff_sessions_by_end ON staff_sessions (expires_at);

-- A program's key to the admin API. Shown once; here is its SHA-256.
CREATE TABLE staff_tokens (
    id           uuid PRIMARY KEY,
    staff_id     uuid NOT NULL REFERENCES staff,
    name         text NOT NULL,
    token_hash   bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT one_token_per_hash UNIQUE (token_hash),
    CONSTRAINT token_is_kept_as_a_hash CHECK (octet_length(token_hash) = 32)
);

-- Failed sign-ins per subject ("account:…", "address:…"), so that the limit holds across servers.
CREATE TABLE sign_in_failures (
    subject       text PRIMARY KEY,
    failures      integer NOT NULL,
    counted_since timestamptz NOT NULL,
    blocked_until timestamptz,
    CONSTRAINT failures_are_counted_from_one CHECK (failures >= 1)
);
