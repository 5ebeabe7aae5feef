-- `5678-12345` can be a part of an order number, which is found by the days and sequences that were given out, or of one
-- of Google's ids. Those are found here, without the trigrams of every other store's orders.
CREATE INDEX google_orders_by_search ON orders USING gin (search gin_trgm_ops) WHERE store = 'google';
