-- Token buckets of the customer API: one row for whoever has called lately. A bucket that is full needs none, so a row whose bucket is
-- full again is swept.
CREATE TABLE rate_limit_buckets (
    -- Which limit and whose: half of a SHA-256, so that no address stands here.
    id uuid PRIMARY KEY,
    -- When it is full, if nobody takes more: how much is in it follows from that and the time.
    full_at timestamptz NOT NULL,
    -- How many tokens were given out last; 0 where there were none.
    granted bigint NOT NULL,
    CONSTRAINT what_is_granted_is_not_negative CHECK (granted >= 0)
) WITH (fillfactor = 50);
