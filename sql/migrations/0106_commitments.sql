-- A year may be paid for month by month (Apple: billingPlanType MONTHLY). Its months go on whatever the customer wishes; renewal that
-- is turned off is for the time after all of them.
ALTER TABLE subscriptions
    ADD COLUMN is_committed boolean NOT NULL DEFAULT false,
    ADD COLUMN commitment_period integer,
    ADD COLUMN commitment_periods integer,
    ADD COLUMN commitment_ends_at timestamptz,
    ADD COLUMN commitment_cancelled_at timestamptz,
    ADD CONSTRAINT only_commitments_have_periods
        CHECK (is_committed OR num_nonnulls(commitment_period, commitment_periods, commitment_ends_at, commitment_cancelled_at) = 0);
