-- Orders that we open at a store, for the customer to pay there. The row is written before the store is asked, so that no payment comes
-- for an order that nobody knows.
CREATE TABLE checkouts (
    id             uuid PRIMARY KEY,
    app_id         uuid NOT NULL REFERENCES apps,
    customer_id    uuid NOT NULL REFERENCES customers,
    product_id     uuid NOT NULL REFERENCES products,
    store          text NOT NULL,
    environment    text NOT NULL,
    method         text NOT NULL,
    -- Names it at the store (out_trade_no); nobody guesses another's.
    number         text NOT NULL,
    -- As the customer reads it at the store: the same whenever it is opened again.
    description    text NOT NULL,
    -- What was agreed on: other terms are another order.
    basis          bytea NOT NULL,
    price          bigint NOT NULL,
    credit         bigint NOT NULL,
    amount         bigint NOT NULL,
    currency       text NOT NULL,
    -- As planned when it was opened; the order has what was paid for.
    starts_at      timestamptz NOT NULL,
    ends_at        timestamptz NOT NULL,
    state          text NOT NULL,
    close_reason   text,
    -- What a client needs to pay it.
    invocation     jsonb,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    asked_at       timestamptz,
    -- In the store's words.
    last_failure   text,
    transaction_id text,
    paid_at        timestamptz,
    -- SHA-256 of the payer's id at the store.
    payer_hash     bytea,
    payment_kind   text,
    settled_at     timestamptz,
    subscription_id uuid REFERENCES subscriptions,
    closed_at      timestamptz,
    -- What a store says of a payment that cannot be of this order; people have to look at it.
    problem        text,
    CONSTRAINT one_checkout_per_number UNIQUE (app_id, number),
    CONSTRAINT one_checkout_per_payment UNIQUE (app_id, store, transaction_id),
    CONSTRAINT number_is_one_that_stores_take CHECK (number ~ '^[0-9A-Za-z_]{6,32}$'),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT method_has_a_name CHECK (method ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT state_is_known CHECK (state IN ('opening', 'open', 'paid', 'closing', 'closed')),
    CONSTRAINT close_reason_is_known CHECK (close_reason IN ('expired', 'replaced', 'refused', 'closed_by_store')),
    CONSTRAINT basis_is_a_sha_256 CHECK (octet_length(basis) = 32),
    CONSTRAINT payer_is_kept_as_a_hash CHECK (octet_length(payer_hash) = 32),
    CONSTRAINT something_is_paid CHECK (amount > 0),
    CONSTRAINT amount_is_the_price_less_the_credit CHECK (credit >= 0 AND amount = price - credit),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT period_ends_after_it_starts CHECK (ends_at > starts_at),
    CONSTRAINT it_expires_after_it_was_opened CHECK (expires_at > created_at),
    CONSTRAINT description_has_1_to_127_characters CHECK (char_length(description) BETWEEN 1 AND 127),
    CONSTRAINT what_is_open_can_be_paid CHECK (state <> 'open' OR invocation IS NOT NULL),
    CONSTRAINT what_is_closed_says_why CHECK (
        state = 'paid' OR (state IN ('closing', 'closed')) = (close_reason IS NOT NULL)),
    CONSTRAINT what_is_closed_says_when CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
    CONSTRAINT what_is_paid_says_when CHECK (
        (state = 'paid') = (paid_at IS NOT NULL) AND (paid_at IS NULL) = (transaction_id IS NULL)
        AND (paid_at IS NULL) = (settled_at IS NULL))
) WITH (fillfactor = 80);

COMMENT ON COLUMN checkouts.state IS 'opening: the store has not answered yet; closing: the store is being told that it cannot be paid any more.';

-- A second request of the same customer gets the same order.
CREATE UNIQUE INDEX one_open_checkout_per_method ON checkouts (customer_id, product_id, method)
    WHERE state IN ('opening', 'open');
CREATE INDEX checkouts_newest_first ON checkouts (app_id, created_at DESC, id DESC);
CREATE INDEX checkouts_of_a_customer ON checkouts (customer_id, created_at DESC, id DESC);
