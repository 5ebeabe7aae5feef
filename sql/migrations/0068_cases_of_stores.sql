-- A store that decides about refunds itself opens the case by asking what we think: nobody here requested it.
ALTER TABLE refund_requests
    ADD COLUMN opened_by_store boolean NOT NULL DEFAULT false,
    -- Why the customer asked, in the store's words.
    ADD COLUMN consumption_reason text,
    -- The store asks again until it is answered or decides: the first time starts the clock, the last says that it still waits.
    ADD COLUMN consumption_last_requested_at timestamptz,
    -- The store gave money back, whatever it was told.
    ADD COLUMN store_refunded_at timestamptz;

UPDATE refund_requests SET consumption_last_requested_at = consumption_requested_at WHERE consumption_requested_at IS NOT NULL;

ALTER TABLE refund_requests
    ADD CONSTRAINT what_a_store_opened_has_no_requester
        CHECK (NOT opened_by_store OR (requested_by IS NULL AND consumption_requested_at IS NOT NULL)),
    ADD CONSTRAINT consumption_is_last_requested_after_its_first
        CHECK ((consumption_last_requested_at IS NULL) = (consumption_requested_at IS NULL)
            AND consumption_last_requested_at >= consumption_requested_at),
    ADD CONSTRAINT consumption_reason_is_known CHECK (consumption_reason IN
        ('UNINTENDED_PURCHASE', 'FULFILLMENT_ISSUE', 'UNSATISFIED_WITH_PURCHASE', 'LEGAL', 'OTHER')),
    ADD CONSTRAINT a_consumption_reason_is_of_a_consumption_request
        CHECK (consumption_reason IS NULL OR consumption_requested_at IS NOT NULL);

CREATE UNIQUE INDEX one_open_case_of_a_store_per_order ON refund_requests (order_id)
    WHERE opened_by_store AND status IN ('pending', 'approved');
CREATE INDEX cases_of_stores_by_deadline ON refund_requests (app_id, status, due_at, id) WHERE opened_by_store;
