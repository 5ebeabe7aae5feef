-- What of a proof proves nothing keeps back nothing of it; it is named, as "signedTransactions.1: The signature does not hold."
ALTER TABLE purchase_verifications
    ADD COLUMN worthless text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT what_is_worthless_says_why CHECK (array_position(worthless, '') IS NULL AND array_position(worthless, NULL) IS NULL);

-- A subscription whose store has not said how it stands is not checked: it is asked for again, less and less often.
ALTER TABLE subscriptions
    ADD COLUMN unanswered_checks smallint NOT NULL DEFAULT 0,
    ADD COLUMN unanswered_at timestamptz,
    ADD CONSTRAINT unanswered_checks_have_a_moment CHECK (unanswered_checks >= 0 AND (unanswered_checks = 0) = (unanswered_at IS NULL));
