-- Finding the customer of an audit entry compared every customer's id as a text: a walk through all of them for each entry.

CREATE OR REPLACE FUNCTION fill_audit_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.customer_id IS NULL AND NEW.object_id IS NOT NULL THEN
        CASE NEW.object_type
            WHEN 'customer' THEN
                SELECT id INTO NEW.customer_id FROM customers
                WHERE NEW.object_id ~ '^[0-9a-fA-F-]{36}$' AND id = NEW.object_id::uuid;
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
