-- The cells of months and days tell in which month something became known, so that what was known at the end of an earlier day is
-- read from them too, but for that day's own month (docs/metrics.md, "How they are kept"). Most becomes known in the month it is of,
-- so there are hardly more of them.

TRUNCATE rollup_months, rollup_days;

ALTER TABLE rollup_months
    -- Its first day.
    ADD COLUMN known_month date NOT NULL,
    DROP CONSTRAINT one_month_per_key,
    DROP CONSTRAINT months_begin_on_their_first_day,
    ADD CONSTRAINT one_month_per_key
        PRIMARY KEY (app_id, measure, environment, month, step, product_id, country, currency, known_month),
    ADD CONSTRAINT months_begin_on_their_first_day CHECK (extract(day FROM month) = 1 AND extract(day FROM known_month) = 1);

ALTER TABLE rollup_days
    -- Its first day.
    ADD COLUMN known_month date NOT NULL,
    DROP CONSTRAINT one_day_per_key,
    ADD CONSTRAINT one_day_per_key PRIMARY KEY (app_id, measure, environment, day, step, store, currency, known_month),
    ADD CONSTRAINT months_of_knowing_begin_on_their_first_day CHECK (extract(day FROM known_month) = 1);

INSERT INTO rollup_months
    (app_id, measure, environment, month, step, product_id, country, currency, known_month, amount, count)
SELECT app_id, measure, environment, date_trunc('month', day)::date, step, product_id, country, currency,
    date_trunc('month', known_day)::date, sum(amount), sum(count)
FROM rollups
WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

INSERT INTO rollup_days (app_id, measure, environment, day, step, store, currency, known_month, amount, count)
SELECT r.app_id, measure, environment, day, step, coalesce(p.store, ''), currency, date_trunc('month', known_day)::date, sum(amount),
    sum(count)
FROM rollups r
LEFT JOIN products p ON p.id = r.product_id
WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

-- What became known in the month of the day that is asked about.
CREATE INDEX rollups_by_knowing ON rollups (app_id, measure, environment, known_day);

ANALYZE rollup_months, rollup_days;
