-- A seat that was assigned was booked as a purchase of whoever got it, until seats were told from purchases (0120). Such an order becomes void
-- like a doubled one, and no other order has its purchase.
COMMENT ON COLUMN orders.joined_into IS 'The order that has the purchase, of one that is void; itself, where nobody bought it here: a seat was assigned.';

-- Messages of that time are read once more.
INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
SELECT gen_random_uuid(), id, 'order_joining', id, 'available', now(), now()
FROM apps
ON CONFLICT (kind, subject_id) WHERE state IN ('available', 'running', 'discarded')
DO UPDATE SET state = 'available', scheduled_at = now(), attempt = 0, snoozes = 0, attempted_by = NULL, lease_ends_at = NULL,
    finalized_at = NULL;
