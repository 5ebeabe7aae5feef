-- What staff gave a customer beyond their plan's limit of a feature, window by window: how much more, and until when (NULL for without
-- end). It stands in the row that every count locks and checks, so that no count is decided by another limit than the one that is shown.
ALTER TABLE usage_counters
    ADD COLUMN day_increase bigint,
    ADD COLUMN day_increase_until timestamptz,
    ADD COLUMN month_increase bigint,
    ADD COLUMN month_increase_until timestamptz,
    ADD COLUMN lifetime_increase bigint,
    ADD COLUMN lifetime_increase_until timestamptz,
    ADD CONSTRAINT an_increase_is_possible CHECK (
        day_increase BETWEEN 1 AND 1000000000000
        AND month_increase BETWEEN 1 AND 1000000000000
        AND lifetime_increase BETWEEN 1 AND 1000000000000),
    ADD CONSTRAINT only_an_increase_has_an_end CHECK (
        (day_increase IS NOT NULL OR day_increase_until IS NULL)
        AND (month_increase IS NOT NULL OR month_increase_until IS NULL)
        AND (lifetime_increase IS NOT NULL OR lifetime_increase_until IS NULL));
