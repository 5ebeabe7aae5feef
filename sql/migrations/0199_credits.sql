-- Uses of a feature that a product brings with each of its orders, beside what the customer's plan includes.
CREATE TABLE product_credits (
    product_id uuid NOT NULL REFERENCES products,
    feature_id uuid NOT NULL REFERENCES features,
    amount bigint NOT NULL,
    PRIMARY KEY (product_id, feature_id),
    CONSTRAINT credits_are_possible CHECK (amount BETWEEN 1 AND 1000000000)
);

CREATE INDEX product_credits_of_a_feature ON product_credits (feature_id);

-- The credits of one order. Those of a product with a period can be spent in that period; bought ones without a period never expire. A
-- refund takes them away in the share of the money that went back; what was spent before is owed, until other credits of the customer pay.
-- The customer's row in `usage_counters` is locked by whoever changes one.
CREATE TABLE credit_buckets (
    order_id uuid NOT NULL REFERENCES orders,
    feature_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    is_sandbox boolean NOT NULL,
    granted bigint NOT NULL,
    -- Of those granted: what went back with the money.
    taken bigint NOT NULL DEFAULT 0,
    -- Of the rest: what is not spent.
    remaining bigint NOT NULL,
    -- Of those taken: what had been spent, and nothing has paid for since.
    owed bigint NOT NULL DEFAULT 0,
    starts_at timestamptz NOT NULL,
    -- NULL for never.
    expires_at timestamptz,
    CONSTRAINT one_bucket_per_order_and_feature PRIMARY KEY (order_id, feature_id),
    FOREIGN KEY (customer_id, feature_id) REFERENCES usage_counters,
    CONSTRAINT something_is_granted CHECK (granted > 0),
    CONSTRAINT no_more_is_taken_than_was_granted CHECK (taken BETWEEN 0 AND granted),
    CONSTRAINT no_more_remains_than_was_left CHECK (remaining BETWEEN 0 AND granted - taken),
    CONSTRAINT no_more_is_owed_than_was_taken CHECK (owed BETWEEN 0 AND taken),
    CONSTRAINT credits_expire_after_they_start CHECK (expires_at >= starts_at)
) WITH (fillfactor = 80);

CREATE INDEX credit_buckets_of_a_customer ON credit_buckets (customer_id, feature_id);
