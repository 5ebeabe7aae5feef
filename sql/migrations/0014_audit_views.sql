-- The audit log is a list like the others: it has views and columns to choose.
ALTER TABLE saved_views
    DROP CONSTRAINT list_is_known,
    ADD CONSTRAINT list_is_known
        CHECK (list IN ('orders', 'customers', 'subscriptions', 'refunds', 'notifications', 'audit'));
ALTER TABLE list_columns
    DROP CONSTRAINT list_is_known,
    ADD CONSTRAINT list_is_known
        CHECK (list IN ('orders', 'customers', 'subscriptions', 'refunds', 'notifications', 'audit'));
