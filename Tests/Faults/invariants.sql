-- The rules that hold in the books whatever was killed. Each query names the rows that break its rule; there must be none.
-- `campaign.journal` holds the client's answers: (notification_uuid, was_accepted).

-- I1 lost: answered with 200, and not in the inbox
SELECT j.notification_uuid
FROM campaign.journal j
LEFT JOIN store_notifications n ON n.notification_uuid = j.notification_uuid
WHERE j.was_accepted AND n.id IS NULL;

-- I2 twice: the same notification, event, charge, entry or order number more than once
SELECT 'notification ' || notification_uuid FROM store_notifications GROUP BY store, notification_uuid HAVING count(*) > 1
UNION ALL
SELECT 'event ' || event_id FROM subscription_events GROUP BY subscription_id, event_id HAVING count(*) > 1
UNION ALL
SELECT 'order of ' || transaction_id FROM orders
GROUP BY app_id, store, environment, transaction_id HAVING count(*) > 1
UNION ALL
SELECT 'entry ' || reference FROM ledger_entries GROUP BY order_id, reference HAVING count(*) > 1
UNION ALL
SELECT 'number ' || number FROM orders GROUP BY app_id, number HAVING count(*) > 1;

-- I3 unsettled: neither done nor put before people
SELECT notification_uuid || ' is ' || state
FROM store_notifications
WHERE state NOT IN ('processed', 'ignored', 'failed') OR attempted_by IS NOT NULL OR lease_ends_at IS NOT NULL;

-- I4 effect not exactly once: a processed notification with no event or several, or finished more than once
SELECT n.notification_uuid || ' has ' || count(e.id) || ' events'
FROM store_notifications n
LEFT JOIN subscription_events e ON e.notification_id = n.id
WHERE n.state = 'processed'
GROUP BY n.id
HAVING count(e.id) <> 1
UNION ALL
SELECT n.notification_uuid || ' was finished ' || count(a.attempt) || ' times'
FROM store_notifications n
LEFT JOIN notification_attempts a ON a.notification_id = n.id AND a.result = 'processed'
WHERE n.state = 'processed'
GROUP BY n.id
HAVING count(a.attempt) <> 1
UNION ALL
SELECT 'order ' || o.number || ' has ' || count(t.id) || ' charges'
FROM orders o
LEFT JOIN ledger_entries t ON t.order_id = o.id AND t.kind = o.kind
GROUP BY o.id
HAVING count(t.id) <> 1
UNION ALL
SELECT 'subscription ' || s.original_transaction_id || ' was folded ' || s.version || ' times for '
    || count(e.id) || ' events'
FROM subscriptions s
LEFT JOIN subscription_events e ON e.subscription_id = s.id
GROUP BY s.id
HAVING s.version <> count(e.id);

-- I5 state is not the fold of its events in signed order, or an order not the sum of its ledger
SELECT 'event ' || event_id || ' begins at ' || state_before || ' after ' || expected
FROM (
    -- Of two events at one time the clock's is the later one: it ends what the store had told.
    SELECT *, coalesce(lag(state_after) OVER (
            PARTITION BY subscription_id ORDER BY signed_at, event -> 'isByClock' IS NOT NULL, event_id), 'pending') AS expected
    FROM subscription_events
) AS e
WHERE state_before <> expected OR rejection_reason IS NOT NULL AND state_after <> state_before
UNION ALL
SELECT 'subscription ' || s.original_transaction_id || ' is ' || s.state || ' after ' || e.state_after
FROM subscriptions s
JOIN LATERAL (
    SELECT state_after
    FROM subscription_events
    WHERE subscription_id = s.id
    ORDER BY signed_at DESC, event -> 'isByClock' IS NOT NULL DESC, event_id DESC
    LIMIT 1
) AS e ON true
WHERE s.state <> e.state_after
UNION ALL
SELECT 'subscription ' || s.original_transaction_id || ' was last signed ' || s.last_signed_at
FROM subscriptions s
WHERE s.last_signed_at IS DISTINCT FROM
    (SELECT max(signed_at) FROM subscription_events e
     WHERE e.subscription_id = s.id AND e.rejection_reason IS NULL AND e.event -> 'isByClock' IS NULL)
UNION ALL
SELECT 'order ' || o.number || ' keeps ' || o.amount - o.refunded - o.credited || ' of ' || coalesce(sum(t.amount), 0)
FROM orders o
LEFT JOIN ledger_entries t ON t.order_id = o.id AND t.status = 'success'
GROUP BY o.id
HAVING o.amount - o.refunded - o.credited <> coalesce(sum(t.amount), 0)
UNION ALL
SELECT 'order ' || o.number || ' is of another day or was never given out'
FROM orders o
JOIN apps a ON a.id = o.app_id
LEFT JOIN order_numbers n
    ON n.app_id = o.app_id AND n.day = (o.purchased_at AT TIME ZONE a.time_zone)::date
WHERE left(o.number, 13) <> 'ORD-' || to_char(o.purchased_at AT TIME ZONE a.time_zone, 'YYYYMMDD') || '-'
    OR n.last_sequence IS NULL OR substr(o.number, 14)::bigint > n.last_sequence;

-- I6 refunds: more given back than was charged
SELECT 'order ' || o.number || ' gave back ' || -sum(t.amount)
FROM orders o
JOIN ledger_entries t ON t.order_id = o.id AND t.kind IN ('refund', 'revoke', 'refund_reversal')
GROUP BY o.id
HAVING -sum(t.amount) NOT BETWEEN 0 AND o.amount
UNION ALL
SELECT 'order ' || o.number || ' was credited ' || -sum(t.amount)
FROM orders o
JOIN ledger_entries t ON t.order_id = o.id AND t.kind IN ('upgrade_credit', 'upgrade_credit_reversal')
GROUP BY o.id
HAVING -sum(t.amount) <> o.credited;

-- I7 audit: an account or a key that no entry, or more than one, says who made
SELECT 'account ' || s.email
FROM staff s
LEFT JOIN audit_entries a ON a.object_id = s.id::text AND a.action IN ('staff.add', 'staff.invite')
GROUP BY s.id
HAVING count(a.id) <> 1
UNION ALL
SELECT 'key ' || t.name
FROM staff_tokens t
LEFT JOIN audit_entries a ON a.object_id = t.id::text AND a.action = 'token.issue'
GROUP BY t.id
HAVING count(a.id) <> 1
UNION ALL
SELECT 'secret key ' || k.name
FROM app_keys k
LEFT JOIN audit_entries a ON a.object_id = k.id::text AND a.action = 'app_key.issue'
GROUP BY k.id
HAVING count(a.id) <> 1
UNION ALL
SELECT 'promo codes ' || b.name
FROM promo_batches b
LEFT JOIN audit_entries a ON a.object_id = b.id::text AND a.action = 'promo_code.make'
GROUP BY b.id
HAVING count(a.id) <> 1;
