-- A purchase of Google Play is proven by its token.
ALTER TABLE purchase_verifications DROP CONSTRAINT form_is_known;
ALTER TABLE purchase_verifications ADD CONSTRAINT form_is_known
    CHECK (form IN ('signed_transactions', 'receipt', 'transaction_id', 'purchase_token'));

-- A message can be about several subscriptions that were bought together: the main one's event stands in `event`, these are the others'.
ALTER TABLE store_notifications ADD COLUMN other_events jsonb;
ALTER TABLE store_notifications ADD CONSTRAINT other_events_stand_beside_one CHECK (
    other_events IS NULL OR event IS NOT NULL AND jsonb_typeof(other_events) = 'array');

-- A store is asked where a paused subscription stands, too: the word that it goes on may be lost like any other.
DROP INDEX subscriptions_to_check;
CREATE INDEX subscriptions_to_check ON subscriptions (app_id, store, environment, greatest(period_ends_at, grace_period_ends_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'billing_retry', 'cancelled', 'paused')
        OR state IN ('expired', 'trial_expired') AND ended_at IS NULL;
