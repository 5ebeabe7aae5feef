-- How much of a feature a customer has used: the one row that every count locks, checks and changes. A window that is over counts
-- nothing any more, though its number stands until the next count (the days are those of the app's business time zone).
CREATE TABLE usage_counters (
    customer_id uuid NOT NULL REFERENCES customers,
    feature_id uuid NOT NULL REFERENCES features,
    day date NOT NULL,
    day_used bigint NOT NULL,
    -- Its first day.
    month date NOT NULL,
    month_used bigint NOT NULL,
    lifetime_used bigint NOT NULL,
    PRIMARY KEY (customer_id, feature_id),
    CONSTRAINT a_month_is_its_first_day CHECK (extract(day FROM month) = 1),
    CONSTRAINT a_day_lies_in_its_month CHECK (month <= day AND day < month + interval '1 month'),
    CONSTRAINT usage_is_not_negative CHECK (day_used >= 0 AND month_used >= 0 AND lifetime_used >= 0),
    CONSTRAINT a_window_uses_no_more_than_the_one_around_it CHECK (day_used <= month_used AND month_used <= lifetime_used)
) WITH (fillfactor = 70);

-- The same by business day, for as long as the customer is kept. What was counted offline stands beside what was counted when it
-- was asked for: it came late, and no limit held it.
CREATE TABLE usage_days (
    customer_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    day date NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    offline bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (customer_id, feature_id, day),
    FOREIGN KEY (customer_id, feature_id) REFERENCES usage_counters,
    CONSTRAINT usage_is_not_negative CHECK (used >= 0 AND offline >= 0)
) WITH (fillfactor = 70);

-- Usage that is held for what is under way: counted when it is reserved, on that day. What of it was not used is given back when it is
-- settled or released, or when its time is over.
CREATE TABLE usage_reservations (
    id uuid PRIMARY KEY,
    customer_id uuid NOT NULL,
    feature_id uuid NOT NULL,
    -- The business day that it is counted in.
    day date NOT NULL,
    quantity bigint NOT NULL,
    state text NOT NULL,
    -- Of the quantity; NULL while it is open.
    used bigint,
    reserved_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    FOREIGN KEY (customer_id, feature_id) REFERENCES usage_counters,
    CONSTRAINT state_is_known CHECK (state IN ('open', 'settled', 'released', 'expired')),
    CONSTRAINT a_reservation_is_of_something CHECK (quantity > 0),
    CONSTRAINT a_reservation_expires_after_it_begins CHECK (expires_at > reserved_at),
    CONSTRAINT no_more_is_used_than_was_reserved CHECK (used BETWEEN 0 AND quantity),
    CONSTRAINT only_what_is_settled_was_used CHECK (coalesce(used, 0) = 0 OR state = 'settled'),
    CONSTRAINT what_has_ended_says_when_and_how_much_was_used
        CHECK (CASE state WHEN 'open' THEN num_nonnulls(used, ended_at) = 0 ELSE num_nulls(used, ended_at) = 0 END)
);

CREATE INDEX open_usage_reservations ON usage_reservations (expires_at) WHERE state = 'open';
CREATE INDEX usage_reservations_of_a_customer ON usage_reservations (customer_id, feature_id);
CREATE INDEX usage_reservations_by_end ON usage_reservations (ended_at) WHERE ended_at IS NOT NULL;
