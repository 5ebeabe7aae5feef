-- The last order number given out per app and business day; taken in blocks, so numbers may have gaps, never repeats.
CREATE TABLE order_numbers (
    app_id        uuid NOT NULL REFERENCES apps,
    day           date NOT NULL,
    last_sequence bigint NOT NULL,
    PRIMARY KEY (app_id, day)
);

-- One row per charge. Product name and plan are kept as they were when it was bought.
CREATE TABLE orders (
    id                      uuid PRIMARY KEY,
    app_id                  uuid NOT NULL REFERENCES apps,
    customer_id             uuid NOT NULL REFERENCES customers,
    subscription_id         uuid REFERENCES subscriptions,
    product_id              uuid NOT NULL REFERENCES products,
    number                  text NOT NULL,
    kind                    text NOT NULL,
    status                  text NOT NULL,
    store                   text NOT NULL,
    environment             text NOT NULL,
    transaction_id          text NOT NULL,
    original_transaction_id text NOT NULL,
    product_name            text NOT NULL,
    plan_code               text NOT NULL,
    amount                  bigint NOT NULL,
    refunded                bigint NOT NULL DEFAULT 0,
    currency                text NOT NULL,
    storefront              text,
    purchased_at            timestamptz NOT NULL,
    period_starts_at        timestamptz NOT NULL,
    period_ends_at          timestamptz,
    refunded_at             timestamptz,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL,
    search                  text NOT NULL GENERATED ALWAYS AS (
        search_key(number || ' ' || transaction_id || ' ' || original_transaction_id || ' ' || product_name)
    ) STORED,
    CONSTRAINT one_order_per_number UNIQUE (app_id, number),
    CONSTRAINT one_order_per_store_transaction UNIQUE (app_id, store, environment, transaction_id),
    CONSTRAINT an_order_has_one_currency UNIQUE (id, currency),
    CONSTRAINT amount_is_not_negative CHECK (amount >= 0),
    CONSTRAINT refunded_is_never_above_charged CHECK (refunded BETWEEN 0 AND amount),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT store_is_known CHECK (store IN ('apple', 'google', 'wechat', 'alipay')),
    CONSTRAINT environment_is_known CHECK (environment IN ('production', 'sandbox')),
    CONSTRAINT kind_is_a_charge CHECK (kind IN ('initial_purchase', 'renewal', 'upgrade', 'downgrade')),
    CONSTRAINT status_is_known CHECK (status IN (
        'pending', 'completed', 'partially_refunded', 'refunded', 'failed', 'cancelled')),
    CONSTRAINT status_tells_what_was_refunded CHECK (CASE status
        WHEN 'refunded' THEN refunded = amount
        WHEN 'partially_refunded' THEN refunded > 0 AND refunded < amount
        ELSE refunded = 0 END),
    CONSTRAINT period_ends_after_it_starts CHECK (period_ends_at > period_starts_at)
);
CREATE INDEX orders_newest_first ON orders (app_id, purchased_at DESC, id DESC);
CREATE INDEX orders_of_status_newest_first ON orders (app_id, status, purchased_at DESC, id DESC);
CREATE INDEX orders_by_amount ON orders (app_id, amount DESC, id DESC);
CREATE INDEX orders_of_status_by_amount ON orders (app_id, status, amount DESC, id DESC);
CREATE INDEX orders_by_customer ON orders (customer_id, purchased_at DESC, id DESC);
CREATE INDEX orders_by_subscription ON orders (subscription_id, purchased_at DESC, id DESC);
CREATE INDEX orders_by_search ON orders USING gin (search gin_trgm_ops);

-- The ledger: every movement of money, once, for ever. Sums over it are the revenue (product.md, decision 6).
CREATE TABLE transactions (
    id                   uuid PRIMARY KEY,
    app_id               uuid NOT NULL REFERENCES apps,
    order_id             uuid NOT NULL,
    kind                 text NOT NULL,
    status               text NOT NULL,
    amount               bigint NOT NULL,
    currency             text NOT NULL,
    store                text NOT NULL,
    environment          text NOT NULL,
    store_transaction_id text NOT NULL,
    -- Names the entry within its order: a replay of the same fact finds it there.
    reference            text NOT NULL,
    notification_id      uuid,
    failure_reason       text,
    occurred_at          timestamptz NOT NULL,
    recorded_at          timestamptz NOT NULL,
    CONSTRAINT entries_are_in_the_order_s_currency FOREIGN KEY (order_id, currency) REFERENCES orders (id, currency),
    CONSTRAINT one_entry_per_fact UNIQUE (order_id, reference),
    CONSTRAINT kind_is_known CHECK (kind IN (
        'initial_purchase', 'renewal', 'upgrade', 'downgrade', 'refund', 'revoke', 'refund_reversal')),
    CONSTRAINT status_is_known CHECK (status IN ('pending', 'success', 'failed', 'cancelled')),
    CONSTRAINT refunds_are_negative_and_charges_are_not CHECK (
        CASE WHEN kind IN ('refund', 'revoke') THEN amount <= 0 ELSE amount >= 0 END)
);
CREATE INDEX transactions_by_time ON transactions (app_id, occurred_at DESC, id DESC);
CREATE INDEX transactions_by_notification ON transactions (notification_id);

CREATE TRIGGER ledger_rows_are_never_changed BEFORE UPDATE OR DELETE ON transactions
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER the_ledger_is_never_emptied BEFORE TRUNCATE ON transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Checked at commit: what an order says it keeps is what its ledger entries add up to.
CREATE FUNCTION check_order_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept bigint;
    booked bigint;
    of_order uuid := CASE TG_TABLE_NAME WHEN 'orders' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'order_id')::uuid END;
BEGIN
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0 ELSE amount - refunded END INTO kept
    FROM orders WHERE id = of_order;
    SELECT coalesce(sum(amount), 0) INTO booked
    FROM transactions WHERE order_id = of_order AND status = 'success';
    IF kept IS DISTINCT FROM booked THEN
        RAISE EXCEPTION 'order % keeps % but its ledger adds up to %', of_order, kept, booked
            USING ERRCODE = 'check_violation', CONSTRAINT = 'an_order_balances_with_its_ledger', TABLE = 'orders';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER an_order_balances_with_its_ledger
    AFTER INSERT OR UPDATE OF amount, refunded, status ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_balance();
CREATE CONSTRAINT TRIGGER a_ledger_entry_balances_with_its_order
    AFTER INSERT ON transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_balance();
