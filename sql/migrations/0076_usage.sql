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
