-- The stretches in which subscriptions gave access, and what the numbers of subscriptions are read from (docs/metrics.md).
--
-- Both are written in the transaction that applies a notification. What was applied before this migration is added by
-- `perennial rollups rebuild`; until then the numbers of subscriptions know only of customers that a store told of since.

CREATE TABLE access_periods (
    id               uuid PRIMARY KEY,
    app_id           uuid NOT NULL REFERENCES apps,
    customer_id      uuid NOT NULL REFERENCES customers,
    subscription_id  uuid NOT NULL REFERENCES subscriptions,
    transaction_id   text NOT NULL,
    product_id       uuid NOT NULL REFERENCES products,
    -- As the catalogue said it when the row was written: figures are taken back as they were added.
    plan_rank        integer NOT NULL,
    period_count     integer,
    period_unit      text,
    starts_at        timestamptz NOT NULL,
    -- NULL: never.
    ends_at          timestamptz,
    is_trial         boolean NOT NULL,
    is_family_shared boolean NOT NULL,
    price            bigint,
    currency         text,
    -- Empty where the store does not say.
    country          text NOT NULL,
    environment      text NOT NULL,
    recorded_at      timestamptz NOT NULL,
    -- When something else became known in its place; NULL for what is known now. Rows are kept for figures of earlier days.
    retired_at       timestamptz,
    CONSTRAINT a_period_is_not_empty CHECK (ends_at > starts_at),
    CONSTRAINT price_has_a_currency CHECK ((price IS NULL) = (currency IS NULL)),
    CONSTRAINT period_is_whole CHECK ((period_count IS NULL) = (period_unit IS NULL))
);

CREATE INDEX access_periods_of_customers ON access_periods (customer_id) WHERE retired_at IS NULL;
CREATE INDEX access_periods_of_apps ON access_periods (app_id);
CREATE INDEX access_periods_of_subscriptions ON access_periods (subscription_id);

-- An end that is still to come is known and not yet true: its entries wait here, unread, until their moment.
ALTER TABLE rollup_entries ADD COLUMN visible_at timestamptz NOT NULL DEFAULT '-infinity';

CREATE INDEX rollup_entries_by_moment ON rollup_entries (visible_at, id);
CREATE INDEX rollup_entries_by_measure ON rollup_entries (app_id, measure, visible_at);

ALTER TABLE rollups DROP CONSTRAINT measure_is_known;
ALTER TABLE rollups ADD CONSTRAINT measure_is_known CHECK (measure IN (
    'charge', 'free_order', 'refund', 'refunded_charge', 'order_by_hour', 'refund_by_hour',
    'mrr', 'subscriber', 'lost', 'trial', 'trial_converted', 'trial_abandoned'));
