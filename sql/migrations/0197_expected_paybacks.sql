-- A store that decides for itself is told no amounts of ours. What it is expected to pay back counts against the limits of approvals, also
-- where less was asked for.
ALTER TABLE refund_requests
    ADD COLUMN payback_amount bigint,
    ADD CONSTRAINT only_what_was_approved_is_paid_back
        CHECK (payback_amount IS NULL OR payback_amount >= 0 AND approved_amount IS NOT NULL);
