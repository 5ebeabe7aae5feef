-- A store takes an order again under its number only with the content that it had first. So what of it depends on the request, or on the
-- server's settings, is kept until the store has answered.
ALTER TABLE checkouts
    ADD COLUMN notification_url text,
    ADD COLUMN client_address text,
    ADD CONSTRAINT notification_url_is_an_address CHECK (notification_url ~ '^https?://' AND octet_length(notification_url) <= 255),
    ADD CONSTRAINT client_address_is_short CHECK (octet_length(client_address) BETWEEN 1 AND 128),
    ADD CONSTRAINT an_address_is_kept_until_the_order_is_open CHECK (client_address IS NULL OR state = 'opening');

-- As the store tells of the payment: who paid, so that two payers can be told apart and neither is named, and with what.
ALTER TABLE checkouts
    ADD COLUMN payer_mask text,
    ADD COLUMN bank text,
    ADD CONSTRAINT payer_mask_hides_most CHECK (payer_mask LIKE '%…%' AND char_length(payer_mask) <= 8),
    ADD CONSTRAINT bank_is_short CHECK (char_length(bank) BETWEEN 1 AND 500),
    ADD CONSTRAINT only_a_payment_has_a_bank CHECK (transaction_id IS NOT NULL OR (bank IS NULL AND payer_mask IS NULL));
