-- What an app wants of whoever handles its refunds; amounts are minor units of its reporting currency.
ALTER TABLE apps
    -- Below it whoever asks for a refund may approve it too; NULL is never.
    ADD COLUMN refund_self_approval_limit bigint,
    -- From it on an approval asks for the last characters of the order's number; NULL is 100.00.
    ADD COLUMN typed_confirmation_from bigint,
    ADD COLUMN refund_request_expires_after_days integer NOT NULL DEFAULT 30,
    ADD CONSTRAINT self_approval_limit_is_not_negative CHECK (refund_self_approval_limit >= 0),
    ADD CONSTRAINT typed_confirmation_starts_at_nothing_or_more CHECK (typed_confirmation_from >= 0),
    ADD CONSTRAINT refund_requests_expire_within_ten_years CHECK (refund_request_expires_after_days BETWEEN 1 AND 3650);

-- The last number given out per app. Taken in the transaction of its request: no number has two requests.
CREATE TABLE refund_numbers (
    app_id        uuid PRIMARY KEY REFERENCES apps,
    last_sequence bigint NOT NULL
);

-- One row per request to give money of an order back (readmigo, part 4, "RefundRequest"). Amounts are minor units.
CREATE TABLE refund_requests (
    id                 uuid PRIMARY KEY,
    app_id             uuid NOT NULL REFERENCES apps,
    order_id           uuid NOT NULL,
    number             text NOT NULL,
    kind               text NOT NULL,
    status             text NOT NULL,
    requested_amount   bigint NOT NULL,
    approved_amount    bigint,
    -- What was really given back.
    processed_amount   bigint,
    currency           text NOT NULL,
    reason_category    text NOT NULL,
    reason             text NOT NULL,
    internal_note      text,
    -- Who asked, decided and ended it: the account where it was one, and always the name as it was then.
    requested_by       uuid REFERENCES staff,
    requested_as       text NOT NULL,
    requested_at       timestamptz NOT NULL,
    decided_by         uuid REFERENCES staff,
    decided_as         text,
    decided_at         timestamptz,
    decision_reason    text,
    -- Approved by whoever asked, because the app allowed it for so little.
    self_approved      boolean NOT NULL DEFAULT false,
    finished_by        uuid REFERENCES staff,
    finished_as        text,
    finished_at        timestamptz,
    finish_reason      text,
    -- What the store is answered when it asks what we think, and until when it waits for that.
    store_answer       text,
    store_asked_at     timestamptz,
    answer_by          timestamptz,
    store_declined_at  timestamptz,
    -- Who paid it back, what they call it, and the name of the store's own entry in the ledger once the store told of it.
    payer              text,
    payment_reference  text,
    store_reference    text,
    -- A request that is still open then ends by itself; NULL is never.
    expires_at         timestamptz,
    due_at             timestamptz GENERATED ALWAYS AS (
        coalesce(least(answer_by, expires_at), '9999-01-01 00:00:00+00')
    ) STORED NOT NULL,
    version            integer NOT NULL DEFAULT 1,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT one_request_per_number UNIQUE (app_id, number),
    CONSTRAINT number_is_rf_and_six_digits_or_more CHECK (number ~ '^RF-[0-9]{6,}$'),
    CONSTRAINT requests_are_in_the_order_s_currency FOREIGN KEY (order_id, currency) REFERENCES orders (id, currency),
    CONSTRAINT kind_is_known CHECK (kind IN ('full', 'partial', 'prorated')),
    CONSTRAINT status_is_known CHECK (status IN (
        'pending', 'approved', 'processed', 'rejected', 'cancelled', 'expired')),
    CONSTRAINT requested_is_more_than_nothing CHECK (requested_amount > 0),
    CONSTRAINT approved_is_never_above_requested CHECK (approved_amount BETWEEN 1 AND requested_amount),
    CONSTRAINT processed_is_more_than_nothing CHECK (processed_amount > 0),
    CONSTRAINT a_request_says_why CHECK (reason <> ''),
    CONSTRAINT a_decision_says_who_and_when CHECK (
        (decided_at IS NULL) = (decided_as IS NULL)
        AND CASE WHEN status = 'pending' THEN decided_at IS NULL
            WHEN status IN ('approved', 'processed', 'rejected') THEN decided_at IS NOT NULL ELSE true END),
    CONSTRAINT what_is_approved_has_an_amount CHECK (
        CASE WHEN status IN ('approved', 'processed') THEN approved_amount IS NOT NULL
            WHEN status = 'pending' THEN approved_amount IS NULL ELSE true END),
    CONSTRAINT approved_by_another_person_unless_allowed CHECK (
        approved_amount IS NULL OR self_approved OR decided_by IS DISTINCT FROM requested_by OR requested_by IS NULL),
    CONSTRAINT an_end_says_who_and_when CHECK (
        (finished_at IS NULL) = (status IN ('pending', 'approved')) AND (finished_at IS NULL) = (finished_as IS NULL)),
    CONSTRAINT what_is_processed_says_how_much_and_by_whom_paid CHECK (
        (status = 'processed') = (processed_amount IS NOT NULL) AND (status = 'processed') = (payer IS NOT NULL)),
    CONSTRAINT payer_is_known CHECK (payer IN ('store', 'elsewhere')),
    CONSTRAINT store_answer_is_known CHECK (store_answer IN ('GRANT_FULL', 'GRANT_PRORATED', 'DECLINE')),
    CONSTRAINT an_answer_is_due_after_the_question CHECK (
        (answer_by IS NULL) = (store_asked_at IS NULL) AND answer_by > store_asked_at)
);
CREATE INDEX refund_requests_newest_first ON refund_requests (app_id, requested_at DESC, id DESC);
CREATE INDEX refund_requests_by_deadline ON refund_requests (app_id, due_at DESC, id DESC);
CREATE INDEX refund_requests_by_amount ON refund_requests (app_id, requested_amount DESC, id DESC);
CREATE INDEX refund_requests_of_status_newest_first ON refund_requests (app_id, status, requested_at DESC, id DESC);
CREATE INDEX refund_requests_of_status_by_deadline ON refund_requests (app_id, status, due_at DESC, id DESC);
CREATE INDEX refund_requests_of_status_by_amount ON refund_requests (app_id, status, requested_amount DESC, id DESC);
CREATE INDEX refund_requests_by_order ON refund_requests (order_id, requested_at DESC, id DESC);
CREATE INDEX refund_requests_that_may_expire ON refund_requests (expires_at) WHERE status IN ('pending', 'approved');

CREATE TRIGGER requests_are_never_removed BEFORE DELETE ON refund_requests
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Two requests of one order may be approved at once by two people: the order's row is locked, so they are added up.
CREATE FUNCTION check_approved_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    available bigint;
    granted bigint;
BEGIN
    -- What was approved stays approved, though the store may have given some of it back meanwhile.
    IF TG_OP = 'UPDATE' AND OLD.status = 'approved' AND OLD.approved_amount = NEW.approved_amount THEN
        RETURN NULL;
    END IF;
    SELECT CASE WHEN status IN ('pending', 'failed', 'cancelled') THEN 0 ELSE amount - refunded END INTO available
    FROM orders WHERE id = NEW.order_id FOR NO KEY UPDATE;
    SELECT coalesce(sum(approved_amount), 0) INTO granted
    FROM refund_requests WHERE order_id = NEW.order_id AND status = 'approved';
    IF granted > available THEN
        RAISE EXCEPTION '% is approved of the %, but only % is left', granted, NEW.currency, available
            USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_is_never_above_what_is_left',
                TABLE = 'refund_requests';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER approved_is_never_above_what_is_left
    AFTER INSERT OR UPDATE OF status, approved_amount ON refund_requests
    FOR EACH ROW WHEN (NEW.status = 'approved') EXECUTE FUNCTION check_approved_refunds();
