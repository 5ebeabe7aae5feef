-- A store may sell without saying for how much, and say it days later. Such an order has no amount until then: it is neither free nor
-- worth nothing, and no sum counts it.
ALTER TABLE orders
    ALTER COLUMN amount DROP NOT NULL,
    ALTER COLUMN currency DROP NOT NULL,
    ADD COLUMN amount_asked_at timestamptz,
    ADD CONSTRAINT an_amount_has_a_currency CHECK ((amount IS NULL) = (currency IS NULL)),
    ADD CONSTRAINT nothing_is_known_of_money_without_an_amount
        CHECK (amount IS NOT NULL OR (status = 'pending' AND refunded = 0 AND credited = 0));
COMMENT ON COLUMN orders.amount IS 'In minor units; NULL while the store has not said what was charged.';
COMMENT ON COLUMN orders.amount_asked_at IS 'When the store was last asked for an amount that it had not said.';
CREATE INDEX orders_without_amount ON orders (app_id, purchased_at) WHERE amount IS NULL;

DROP TRIGGER an_order_knows_its_worth ON orders;
CREATE TRIGGER an_order_knows_its_worth BEFORE INSERT OR UPDATE OF amount ON orders
    FOR EACH ROW EXECUTE FUNCTION fill_order_worth();
