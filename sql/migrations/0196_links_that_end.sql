-- The address that WeChat gives for a payment in a phone's browser ends after five minutes, and the order after fifteen or more. So its end
-- is kept, and what the store needs to give another one.
ALTER TABLE checkouts
    ADD COLUMN link_ends_at timestamptz,
    DROP CONSTRAINT an_address_is_kept_until_the_order_is_open,
    ADD CONSTRAINT an_address_is_kept_while_the_order_can_be_paid CHECK (client_address IS NULL OR state IN ('opening', 'open')),
    ADD CONSTRAINT what_ends_is_there CHECK (link_ends_at IS NULL OR invocation IS NOT NULL);
COMMENT ON COLUMN checkouts.link_ends_at IS 'NULL where what a client pays with works as long as the order.';
