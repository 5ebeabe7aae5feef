-- What staff write down about a customer. A note's words never change; whoever wrote it may withdraw it.
CREATE TABLE customer_notes (
    id           uuid PRIMARY KEY,
    customer_id  uuid NOT NULL REFERENCES customers,
    staff_id     uuid NOT NULL REFERENCES staff,
    -- Their name as it was then.
    author       text NOT NULL,
    text         text NOT NULL,
    created_at   timestamptz NOT NULL,
    withdrawn_at timestamptz,
    CONSTRAINT a_note_says_something CHECK (length(text) BETWEEN 1 AND 4000 AND text ~ '\S')
);
CREATE INDEX customer_notes_newest_first ON customer_notes (customer_id, created_at DESC, id DESC);

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL
        AND (to_jsonb(NEW) - 'withdrawn_at') = (to_jsonb(OLD) - 'withdrawn_at') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'notes are withdrawn, never rewritten'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
CREATE TRIGGER notes_are_never_rewritten BEFORE UPDATE ON customer_notes
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER notes_are_never_removed BEFORE DELETE ON customer_notes
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Whom an entry is about, so that a customer's page finds what staff did to anything of theirs.
ALTER TABLE audit_entries ADD COLUMN customer_id uuid REFERENCES customers;
CREATE INDEX audit_entries_by_customer ON audit_entries (customer_id, at DESC, id DESC) WHERE customer_id IS NOT NULL;

-- Entries about a customer's objects name the customer, also where their writer does not.
CREATE FUNCTION fill_audit_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.customer_id IS NULL AND NEW.object_id IS NOT NULL THEN
        CASE NEW.object_type
            WHEN 'customer' THEN
                SELECT id INTO NEW.customer_id FROM customers WHERE id::text = NEW.object_id;
            WHEN 'subscription' THEN
                SELECT customer_id INTO NEW.customer_id FROM subscriptions
                WHERE NEW.object_id ~ '^[0-9a-fA-F-]{36}$' AND id = NEW.object_id::uuid;
            WHEN 'order' THEN
                SELECT customer_id INTO NEW.customer_id FROM orders
                WHERE app_id = NEW.app_id AND number = NEW.object_id;
            WHEN 'refund' THEN
                SELECT o.customer_id INTO NEW.customer_id FROM refund_requests r JOIN orders o ON o.id = r.order_id
                WHERE r.app_id = NEW.app_id AND r.number = NEW.object_id;
            ELSE NULL;
        END CASE;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER an_entry_names_its_customer BEFORE INSERT ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION fill_audit_customer();

-- Whether money of an order was ever given back, also where that was taken back later.
ALTER TABLE orders ADD COLUMN has_refunds boolean NOT NULL DEFAULT false;
UPDATE orders SET has_refunds = true
WHERE id IN (SELECT order_id FROM transactions WHERE kind IN ('refund', 'revoke', 'refund_reversal'));
CREATE INDEX orders_with_refunds ON orders (customer_id) WHERE has_refunds;

CREATE FUNCTION fill_order_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders SET has_refunds = true WHERE id = NEW.order_id AND NOT has_refunds;
    RETURN NULL;
END $$;
CREATE TRIGGER an_order_knows_its_refunds AFTER INSERT ON transactions
    FOR EACH ROW WHEN (NEW.kind IN ('refund', 'revoke', 'refund_reversal')) EXECUTE FUNCTION fill_order_refunds();

-- A customer's timeline takes the newest few of each subscription, however many there are.
CREATE INDEX subscription_events_newest_first ON subscription_events (subscription_id, signed_at DESC, id DESC);
CREATE INDEX subscription_changes_newest_first ON subscription_events (subscription_id, signed_at DESC, id DESC)
    WHERE state_before <> state_after;

-- The list of subscriptions, in each of its orders.
CREATE INDEX subscriptions_newest_first ON subscriptions (app_id, coalesce(started_at, created_at) DESC, id DESC);
CREATE INDEX subscriptions_of_state_newest_first
    ON subscriptions (app_id, state, coalesce(started_at, created_at) DESC, id DESC);
CREATE INDEX subscriptions_of_product_newest_first
    ON subscriptions (app_id, product_id, coalesce(started_at, created_at) DESC, id DESC);
CREATE INDEX subscriptions_by_end
    ON subscriptions (app_id, coalesce(period_ends_at, '9999-12-31 00:00:00+00') DESC, id DESC);
CREATE INDEX subscriptions_by_search
    ON subscriptions USING gin (search_key(original_transaction_id) gin_trgm_ops);

-- Beginnings of names and ids, for what is too short for trigrams.
CREATE INDEX customers_by_key_prefix ON customers (app_id, key text_pattern_ops);
CREATE INDEX customers_by_external_id_prefix ON customers (app_id, external_id text_pattern_ops)
    WHERE external_id IS NOT NULL;
CREATE INDEX customers_by_name_prefix ON customers (app_id, search_key(name) text_pattern_ops) WHERE name IS NOT NULL;
CREATE INDEX customers_by_email_prefix ON customers (app_id, search_key(email) text_pattern_ops)
    WHERE email IS NOT NULL;
