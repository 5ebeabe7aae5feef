-- The cells once more, added up further: most questions do not need all that `rollups` tells apart, and there are so many fewer
-- of these that years of a big app are read as fast as those of a small one (docs/metrics.md, "How they are kept").
--
-- Both are written where entries become cells, in the same statement. What is kept by the hour is in neither.

-- By the month, whenever it became known.
CREATE TABLE rollup_months (
    app_id      uuid NOT NULL REFERENCES apps,
    measure     text NOT NULL,
    environment text NOT NULL,
    -- Its first day.
    month       date NOT NULL,
    step        smallint NOT NULL,
    product_id  uuid NOT NULL,
    country     text NOT NULL,
    currency    text NOT NULL,
    amount      bigint NOT NULL,
    count       bigint NOT NULL,
    CONSTRAINT one_month_per_key PRIMARY KEY (app_id, measure, environment, month, step, product_id, country, currency),
    CONSTRAINT months_begin_on_their_first_day CHECK (extract(day FROM month) = 1)
);

-- By the day, of all of a store's products and countries, whenever it became known.
CREATE TABLE rollup_days (
    app_id      uuid NOT NULL REFERENCES apps,
    measure     text NOT NULL,
    environment text NOT NULL,
    day         date NOT NULL,
    step        smallint NOT NULL,
    -- Empty for what is of no product.
    store       text NOT NULL,
    currency    text NOT NULL,
    amount      bigint NOT NULL,
    count       bigint NOT NULL,
    CONSTRAINT one_day_per_key PRIMARY KEY (app_id, measure, environment, day, step, store, currency)
);

INSERT INTO rollup_months
SELECT app_id, measure, environment, date_trunc('month', day)::date, step, product_id, country, currency, sum(amount), sum(count)
FROM rollups
WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

INSERT INTO rollup_days
SELECT r.app_id, measure, environment, day, step, coalesce(p.store, ''), currency, sum(amount), sum(count)
FROM rollups r
LEFT JOIN products p ON p.id = r.product_id
WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- What is asked of some products by the day.
CREATE INDEX rollups_of_products ON rollups (app_id, measure, environment, product_id, day);

ANALYZE rollup_months, rollup_days;
