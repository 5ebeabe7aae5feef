-- A message that named no account made a customer of its own for a subscription that somebody had already, and a subscription that
-- was first heard of without an account left one behind. Those who hold nothing are whoever has the subscription; the numbers of
-- customers follow by the triggers, and what they said on earlier days stays.
WITH ghosts AS (
    SELECT DISTINCT ON (c.id) c.id, coalesce(owner.merged_into, owner.id) AS owner, c.created_at
    FROM subscriptions s
    JOIN customers owner ON owner.id = s.customer_id
    CROSS JOIN LATERAL (
        SELECT s.original_transaction_id AS name
        UNION ALL
        SELECT a.original_transaction_id FROM subscription_aliases a WHERE a.subscription_id = s.id
    ) names
    JOIN customers c ON c.app_id = s.app_id AND c.key = s.store || ':' || names.name
    WHERE c.id <> s.customer_id AND c.merged_into IS NULL AND c.deleted_at IS NULL AND owner.deleted_at IS NULL
        AND num_nonnulls(c.app_account_token, c.external_id, c.name, c.email, c.identified_at) = 0
        AND NOT EXISTS (SELECT FROM subscriptions x WHERE x.customer_id = c.id)
        AND NOT EXISTS (SELECT FROM orders x WHERE x.customer_id = c.id)
        AND NOT EXISTS (SELECT FROM grants x WHERE x.customer_id = c.id)
        AND NOT EXISTS (SELECT FROM customer_notes x WHERE x.customer_id = c.id)
        AND NOT EXISTS (SELECT FROM customer_sessions x WHERE x.customer_id = c.id)
        AND NOT EXISTS (SELECT FROM usage_counters x WHERE x.customer_id = c.id)
    ORDER BY c.id, s.created_at, s.id
), known_longer AS (
    UPDATE customers o
    SET created_at = g.created_at
    FROM (SELECT owner, min(created_at) AS created_at FROM ghosts GROUP BY owner) g
    WHERE o.id = g.owner AND g.created_at < o.created_at
)
UPDATE customers c
SET merged_into = g.owner, merged_at = now()
FROM ghosts g
WHERE c.id = g.id AND g.owner <> c.id;
