-- What one person approved today counts towards the limits of the next approval.
CREATE INDEX refund_requests_by_who_decided ON refund_requests (decided_by, decided_at)
    WHERE decided_by IS NOT NULL AND status IN ('approved', 'processed');
