-- The page that the customer came from, or goes on to after the payment: our page of the order leads back there.
ALTER TABLE checkouts
    ADD COLUMN return_url text,
    ADD CONSTRAINT return_url_is_a_page CHECK (return_url LIKE 'https://%' AND octet_length(return_url) <= 255);
