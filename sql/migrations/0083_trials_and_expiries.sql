-- Trials that an app gives by itself, beside the introductory offers of stores.
CREATE TABLE trial_offers (
    app_id uuid PRIMARY KEY REFERENCES apps,
    plan_id uuid NOT NULL REFERENCES plans,
    period_count integer NOT NULL,
    period_unit text NOT NULL,
    -- The stores' identifiers of the products that it is a trial of, in the catalogue's order.
    product_ids text[] NOT NULL DEFAULT '{}',
    CONSTRAINT a_trial_lasts_at_least_one CHECK (period_count >= 1),
    CONSTRAINT period_unit_is_known CHECK (period_unit IN ('day', 'week', 'month', 'year'))
);

-- Of a trial: when the customer bought instead, which is its end; and when another trial took its place, as two records of one
-- person had one each. Of any: which end the clock has told of.
ALTER TABLE grants
    ADD COLUMN converted_at timestamptz,
    ADD COLUMN superseded_at timestamptz,
    ADD COLUMN expired_at timestamptz,
    DROP CONSTRAINT kind_is_known,
    ADD CONSTRAINT kind_is_known CHECK (kind IN ('complimentary', 'extension', 'upgrade', 'provisional', 'trial')) NOT VALID,
    ADD CONSTRAINT only_a_trial_converts CHECK (converted_at IS NULL OR kind = 'trial') NOT VALID,
    ADD CONSTRAINT a_conversion_ends_a_trial CHECK (converted_at IS NULL OR converted_at IS NOT DISTINCT FROM ended_at) NOT VALID,
    ADD CONSTRAINT only_a_trial_is_superseded CHECK (superseded_at IS NULL OR kind = 'trial') NOT VALID,
    ADD CONSTRAINT a_trial_has_an_end CHECK (kind <> 'trial' OR ends_at IS NOT NULL) NOT VALID;
ALTER TABLE grants VALIDATE CONSTRAINT kind_is_known;
ALTER TABLE grants VALIDATE CONSTRAINT only_a_trial_converts;
ALTER TABLE grants VALIDATE CONSTRAINT a_conversion_ends_a_trial;
ALTER TABLE grants VALIDATE CONSTRAINT only_a_trial_is_superseded;
ALTER TABLE grants VALIDATE CONSTRAINT a_trial_has_an_end;

-- Nobody gets two.
CREATE UNIQUE INDEX one_trial_per_customer ON grants (customer_id) WHERE kind = 'trial' AND superseded_at IS NULL;
-- What the clock has still to tell of.
CREATE INDEX grants_that_end ON grants (ends_at, id) WHERE ended_at IS NULL AND ends_at IS DISTINCT FROM expired_at;

-- A grant that was over before the clock was asked is no news.
UPDATE grants SET expired_at = ends_at WHERE ended_at IS NULL AND ends_at <= now();

DROP INDEX subscriptions_that_may_lapse;
CREATE INDEX subscriptions_that_may_lapse ON subscriptions (greatest(period_ends_at, grace_period_ends_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'cancelled');
CREATE INDEX subscriptions_in_billing_retry ON subscriptions (greatest(period_ends_at, grace_period_ends_at), id)
    WHERE state = 'billing_retry';

-- What has ended by the clock alone is asked for like what runs: its store has told of no end.
DROP INDEX subscriptions_to_check;
CREATE INDEX subscriptions_to_check ON subscriptions (app_id, store, environment, greatest(period_ends_at, grace_period_ends_at), id)
    WHERE state IN ('trial', 'active', 'grace_period', 'billing_retry', 'cancelled')
        OR state IN ('expired', 'trial_expired') AND ended_at IS NULL;
