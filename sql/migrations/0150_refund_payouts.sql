-- Refunds that a store pays for us. The row is written with the approval, and its state before the store is asked: whoever goes on after
-- a server that died asks for the same number first.
CREATE TABLE refund_payouts (
    refund_id      uuid PRIMARY KEY REFERENCES refund_requests,
    app_id         uuid NOT NULL REFERENCES apps,
    store          text NOT NULL,
    -- Names it at the store (out_refund_no, out_request_no): the store pays nothing twice under one.
    number         text NOT NULL,
    -- The store's names of what is given back.
    order_number   text NOT NULL,
    transaction_id text NOT NULL,
    amount         bigint NOT NULL,
    total          bigint NOT NULL,
    currency       text NOT NULL,
    -- Access at the store ends with it, where the store decides about access.
    revokes        boolean NOT NULL,
    -- False of one that nobody asked for through us.
    is_requested   boolean NOT NULL,
    state          text NOT NULL,
    -- Why the store was not asked.
    obstacle       text,
    -- The store's number of it.
    store_id       text,
    -- The store's last words about it.
    words          text,
    created_at     timestamptz NOT NULL,
    sent_at        timestamptz,
    asked_at       timestamptz,
    -- By the store's clock, where it says so.
    paid_at        timestamptz,
    CONSTRAINT one_payout_per_number UNIQUE (app_id, store, number),
    CONSTRAINT number_is_one_that_stores_take CHECK (number ~ '^[0-9A-Za-z_]{1,64}$' OR NOT is_requested),
    CONSTRAINT store_has_a_name CHECK (store ~ '^[a-z][a-z0-9_]{0,31}$'),
    CONSTRAINT state_is_known CHECK (
        state IN ('waiting', 'sent', 'processing', 'paid', 'closed', 'abnormal', 'refused', 'withdrawn')),
    CONSTRAINT obstacle_is_known CHECK (obstacle IN ('whole_orders_only', 'too_old', 'too_many')),
    CONSTRAINT currency_is_iso_4217 CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT a_part_of_the_payment_is_paid_back CHECK (amount > 0 AND amount <= total),
    CONSTRAINT nothing_was_sent_where_there_is_an_obstacle CHECK (obstacle IS NULL OR sent_at IS NULL),
    CONSTRAINT what_waits_was_not_sent CHECK (state <> 'waiting' OR sent_at IS NULL),
    CONSTRAINT what_was_sent_says_when CHECK (state <> 'sent' OR sent_at IS NOT NULL),
    CONSTRAINT what_is_paid_says_when CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
    CONSTRAINT nobody_waits_for_what_nobody_asked_for CHECK (is_requested OR state = 'paid')
) WITH (fillfactor = 80);

-- Each step of a payout, as the pages show it. Steps are added and never changed.
CREATE TABLE refund_payout_steps (
    refund_id  uuid NOT NULL REFERENCES refund_payouts,
    position   integer NOT NULL,
    at         timestamptz NOT NULL,
    state      text NOT NULL,
    words      text,
    PRIMARY KEY (refund_id, position),
    CONSTRAINT steps_are_counted_from_one CHECK (position >= 1),
    CONSTRAINT state_is_known CHECK (
        state IN ('waiting', 'sent', 'processing', 'paid', 'closed', 'abnormal', 'refused', 'withdrawn'))
);

CREATE TRIGGER steps_are_never_changed
    BEFORE UPDATE OR DELETE ON refund_payout_steps
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
