-- One purchase, one order: the store may call it by several transaction ids. An order has the first; these are the others.
CREATE TABLE order_aliases (
    app_id uuid NOT NULL REFERENCES apps,
    store text NOT NULL,
    environment text NOT NULL,
    transaction_id text NOT NULL,
    order_id uuid NOT NULL REFERENCES orders,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT a_transaction_is_of_one_order PRIMARY KEY (app_id, store, environment, transaction_id)
);
CREATE INDEX order_aliases_by_order ON order_aliases (order_id);
CREATE INDEX order_aliases_by_search ON order_aliases USING gin (search_key(transaction_id) gin_trgm_ops);

-- The store has told of one transaction under two original ids: the order is the first one's, the other subscription has access.
CREATE TABLE disputed_transactions (
    subscription_id uuid NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
    order_id uuid NOT NULL REFERENCES orders,
    noticed_at timestamptz NOT NULL,
    CONSTRAINT a_dispute_is_noticed_once PRIMARY KEY (subscription_id, order_id)
);
CREATE INDEX disputed_transactions_by_order ON disputed_transactions (order_id);

-- An order that turned out to be another one's purchase is void: it keeps its number and its rows, and counts nowhere.
ALTER TABLE orders
    ADD COLUMN joined_into uuid REFERENCES orders,
    ADD COLUMN joined_at timestamptz,
    DROP CONSTRAINT one_order_per_store_transaction,
    ADD CONSTRAINT what_is_joined_says_when CHECK ((joined_into IS NULL) = (joined_at IS NULL)),
    ADD CONSTRAINT what_is_joined_is_void CHECK (joined_into IS NULL OR status = 'cancelled');
CREATE UNIQUE INDEX one_order_per_store_transaction ON orders (app_id, store, environment, transaction_id)
    WHERE joined_into IS NULL;
CREATE INDEX joined_orders ON orders (joined_into) WHERE joined_into IS NOT NULL;

CREATE OR REPLACE FUNCTION refuse_changed_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.kind <> NEW.kind AND is_charge(OLD.kind) AND is_charge(NEW.kind)
        AND to_jsonb(OLD) - 'kind' = to_jsonb(NEW) - 'kind' THEN
        RETURN NEW;
    END IF;
    -- What was booked for a purchase that has an order already is void, and stays readable.
    IF TG_OP = 'UPDATE' AND OLD.status = 'success' AND NEW.status = 'cancelled'
        AND to_jsonb(OLD) - 'status' = to_jsonb(NEW) - 'status'
        AND EXISTS (SELECT FROM orders WHERE id = OLD.order_id AND joined_into IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

-- We and the store may both give a charge back; each at most once.
ALTER TABLE orders
    DROP CONSTRAINT refunded_is_never_above_charged,
    DROP CONSTRAINT status_tells_what_was_refunded,
    ADD CONSTRAINT each_payer_gives_the_charge_back_once CHECK (refunded >= 0 AND refunded <= 2 * amount),
    ADD CONSTRAINT status_tells_what_was_refunded CHECK (
        CASE status
            WHEN 'refunded' THEN refunded >= amount
            WHEN 'partially_refunded' THEN refunded > 0 AND refunded < amount
            WHEN 'superseded' THEN refunded < amount OR amount = 0
            ELSE refunded = 0
        END);
CREATE INDEX orders_paid_back_twice ON orders (customer_id) WHERE refunded > amount;

-- Subscriptions whose books were made by the rules before are folded once more.
INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
SELECT gen_random_uuid(), id, 'order_joining', id, 'available', now(), now()
FROM apps;
