-- A store that does not answer a request for a test notification has not refused it.
ALTER TABLE test_notifications
    DROP CONSTRAINT only_what_failed_has_a_reason,
    DROP CONSTRAINT result_is_known,
    ADD CONSTRAINT only_what_failed_has_a_reason
        CHECK (reason IS NULL OR result IN ('undelivered', 'refused', 'unanswered')),
    ADD CONSTRAINT result_is_known
        CHECK (result IN ('pending', 'arrived', 'undelivered', 'elsewhere', 'refused', 'unanswered'));
