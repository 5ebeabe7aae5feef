-- The rows behind the figures of subscriptions: what each customer adds to them (docs/metrics.md).
--
-- Written in the transaction that writes the entries of the rollups, of which they are the same but for whose they are. What was
-- applied before this migration is added by `perennial rollups rebuild`.

CREATE TABLE subscriber_entries (
    app_id      uuid NOT NULL REFERENCES apps,
    customer_id uuid NOT NULL REFERENCES customers,
    measure     text NOT NULL,
    -- The business day that the figure belongs to.
    day         date NOT NULL,
    step        smallint NOT NULL,
    product_id  uuid NOT NULL REFERENCES products,
    -- Empty where the store does not say.
    country     text NOT NULL,
    -- Empty for what came without a price.
    currency    text NOT NULL,
    -- The business day on which we came to know it.
    known_day   date NOT NULL,
    -- From when on it is true: an end that is still to come waits for its moment.
    visible_at  timestamptz NOT NULL,
    amount      bigint NOT NULL,
    count       bigint NOT NULL,
    CONSTRAINT one_entry_per_customer_and_cell PRIMARY KEY
        (app_id, measure, customer_id, day, step, product_id, country, currency, known_day, visible_at),
    CONSTRAINT an_entry_says_something CHECK (amount <> 0 OR count <> 0)
);

CREATE INDEX subscriber_entries_by_day ON subscriber_entries (app_id, measure, day, customer_id);
