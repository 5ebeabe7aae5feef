-- What came before seats were known was kept as ignored: refunds of seats, changes of their number, and whatever else had a subtype that
-- nobody knew. It is read again; what is still not known and is about money waits for people.
UPDATE store_notifications
SET state = 'received', needs_resolving = true, finalized_at = NULL, scheduled_at = now()
WHERE store = 'apple' AND state = 'ignored' AND event IS NULL AND subtype IS NOT NULL
    AND type NOT IN ('EXTERNAL_PURCHASE_TOKEN', 'TEST');
