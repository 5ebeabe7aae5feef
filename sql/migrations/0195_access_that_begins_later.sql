-- A period that was bought behind what a customer holds elsewhere gives access when it begins, and not before.
ALTER TABLE subscriptions ADD COLUMN access_starts_at timestamptz;
COMMENT ON COLUMN subscriptions.access_starts_at IS
    'The start of unbroken access of what is bought period by period; NULL where access begins with the purchase.';
UPDATE subscriptions s
SET access_starts_at = s.period_starts_at
WHERE s.period_starts_at > now() AND NOT s.renews_automatically
    AND EXISTS (
        SELECT FROM subscription_events e WHERE e.subscription_id = s.id AND e.event -> 'transaction' -> 'startsAt' IS NOT NULL)
    AND NOT EXISTS (
        SELECT
        FROM orders o
        WHERE o.subscription_id = s.id AND o.period_starts_at < s.period_starts_at AND o.period_ends_at > now()
            AND o.superseded_at IS NULL AND o.joined_into IS NULL AND o.status IN ('completed', 'partially_refunded'));

-- The lists of what has not begun.
CREATE INDEX subscriptions_that_begin_later ON subscriptions (app_id, access_starts_at) WHERE access_starts_at IS NOT NULL;
