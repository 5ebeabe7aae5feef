-- The first order of an app at a store is asked for every hour, for the day from which on the store's bills are fetched. Without an index a
-- store that came last is looked for among all orders of the others.
CREATE INDEX orders_of_a_store_oldest_first ON orders (app_id, store, environment, purchased_at);
CREATE INDEX checkouts_of_a_store_oldest_first ON checkouts (app_id, store, environment, created_at);
