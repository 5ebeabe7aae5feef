-- A computer near us (of this machine or of a private network) that passes requests on and is none of PERENNIAL_TRUSTED_PROXIES: all
-- who come through it have its address. `perennial doctor` says so.
CREATE TABLE untrusted_proxies (
    address text PRIMARY KEY,
    seen_at timestamptz NOT NULL,
    CONSTRAINT address_is_one CHECK (address ~ '^[0-9a-f.:]{2,45}$')
);
