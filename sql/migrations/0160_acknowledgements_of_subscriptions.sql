-- The store's patience with a job stands beside it, so that people see it before it is over: a purchase that nobody has is not acknowledged.
ALTER TABLE jobs ADD COLUMN due_at timestamptz;

-- A trial without a price has no order here, and waits to be acknowledged all the same: so the subscription is what is acknowledged.
WITH open AS (
    SELECT j.id, o.subscription_id, o.purchased_at,
        row_number() OVER (PARTITION BY o.subscription_id ORDER BY o.purchased_at, j.id) = 1 AS is_first
    FROM jobs j
    JOIN orders o ON o.id = j.subject_id
    WHERE j.kind = 'acknowledgement' AND j.state IN ('available', 'running', 'discarded')
)
UPDATE jobs j
SET subject_id = CASE WHEN is_first THEN open.subscription_id ELSE j.subject_id END,
    due_at = open.purchased_at + interval '3 days',
    state = CASE WHEN is_first AND j.state = 'running' THEN 'available' WHEN is_first THEN j.state ELSE 'cancelled' END,
    attempted_by = NULL, lease_ends_at = NULL,
    finalized_at = CASE WHEN is_first THEN j.finalized_at ELSE now() END
FROM open
WHERE j.id = open.id;
