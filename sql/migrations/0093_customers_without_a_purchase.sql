-- A message without an account token made a customer named by its subscription also where the subscription had an owner. Such a
-- record, which has nothing, ends in the owner's: its id goes on leading to whoever has the purchase.
WITH placeholders AS (
    SELECT g.id, s.customer_id AS owner
    FROM customers g
    JOIN subscriptions s ON s.app_id = g.app_id AND s.store || ':' || s.original_transaction_id = g.key
    WHERE g.merged_into IS NULL AND g.deleted_at IS NULL AND g.identified_at IS NULL AND g.external_id IS NULL
        AND g.app_account_token IS NULL AND s.customer_id <> g.id
        AND NOT EXISTS (SELECT FROM subscriptions o WHERE o.customer_id = g.id)
        AND NOT EXISTS (SELECT FROM orders o WHERE o.customer_id = g.id)
        AND NOT EXISTS (SELECT FROM grants o WHERE o.customer_id = g.id)
        AND NOT EXISTS (SELECT FROM usage_counters o WHERE o.customer_id = g.id)
        -- In the sandbox as in production: two owners name nobody.
        AND NOT EXISTS (
            SELECT FROM subscriptions o
            WHERE o.app_id = s.app_id AND o.store = s.store AND o.original_transaction_id = s.original_transaction_id
                AND o.customer_id <> s.customer_id)
), moved AS (
    UPDATE customers c
    SET merged_into = p.owner, merged_at = now()
    FROM (SELECT DISTINCT id, owner FROM placeholders) p
    WHERE c.id = p.id
), notes AS (
    UPDATE customer_notes n SET customer_id = p.owner FROM placeholders p WHERE n.customer_id = p.id
), consents AS (
    UPDATE consumption_consents n SET customer_id = p.owner FROM placeholders p WHERE n.customer_id = p.id
)
UPDATE entitlement_actions n SET customer_id = p.owner FROM placeholders p WHERE n.customer_id = p.id;

-- Records that had ended in theirs are the owner's as well: nobody is two mergers away.
UPDATE customers c
SET merged_into = next.merged_into
FROM customers next
WHERE next.id = c.merged_into AND next.merged_into IS NOT NULL;
