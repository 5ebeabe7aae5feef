-- An app says for how long its orders at stores can be paid.
ALTER TABLE apps
    ADD COLUMN checkout_minutes integer NOT NULL DEFAULT 15,
    ADD CONSTRAINT an_order_can_be_paid_for_5_minutes_to_2_hours CHECK (checkout_minutes BETWEEN 5 AND 120);
