-- What was on sale when an order was opened: a catalogue that changes before the payment changes nothing of it.
ALTER TABLE checkouts
    ADD COLUMN plan_code text,
    ADD COLUMN period_count integer,
    ADD COLUMN period_unit text;
UPDATE checkouts k
SET plan_code = l.code, period_count = coalesce(p.period_count, 1), period_unit = coalesce(p.period_unit, 'month')
FROM products p
JOIN plans l ON l.id = p.plan_id
WHERE p.id = k.product_id;
ALTER TABLE checkouts
    ALTER COLUMN plan_code SET NOT NULL,
    ALTER COLUMN period_count SET NOT NULL,
    ALTER COLUMN period_unit SET NOT NULL,
    ADD CONSTRAINT it_sells_a_period CHECK (period_count > 0 AND period_unit IN ('day', 'week', 'month', 'year'));

-- A catalogue asks whether a product was on sale in an order.
CREATE INDEX checkouts_of_a_product ON checkouts (product_id);
