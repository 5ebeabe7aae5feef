-- A claim that the store answers with neither a seat nor its no is asked about again less and less often, and people see it.
ALTER TABLE seat_claims
    ADD COLUMN unanswered_since timestamptz,
    ADD COLUMN unanswered_times integer NOT NULL DEFAULT 0,
    ADD COLUMN ask_again_at timestamptz,
    ADD COLUMN answered_as text,
    ADD CONSTRAINT what_waits_says_since_when_and_why CHECK (
        unanswered_times >= 0 AND (unanswered_since IS NULL) = (unanswered_times = 0)
        AND (unanswered_since IS NULL) = (ask_again_at IS NULL) AND (unanswered_since IS NULL) = (answered_as IS NULL));

COMMENT ON COLUMN seat_claims.answered_as IS 'What came in place of a seat and of a no, for people.';

CREATE INDEX seat_claims_that_wait ON seat_claims (app_id, unanswered_since DESC, id DESC) WHERE unanswered_since IS NOT NULL;
CREATE INDEX seat_claims_by_app ON seat_claims (app_id, requested_at DESC, id DESC);

-- Seats that only the store knows are listed over all groups, page by page.
ALTER TABLE unknown_seats ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
DROP INDEX unknown_seats_by_app;
CREATE INDEX unknown_seats_by_app ON unknown_seats (app_id, first_seen_at DESC, id DESC) WHERE gone_at IS NULL;
