-- What cannot renew by itself is announced 7, 3 and 1 days before its end, each once for that end.
CREATE TABLE expiry_reminders (
    id              uuid PRIMARY KEY,
    app_id          uuid NOT NULL REFERENCES apps,
    subscription_id uuid NOT NULL REFERENCES subscriptions,
    ends_at         timestamptz NOT NULL,
    days            smallint NOT NULL,
    recorded_at     timestamptz NOT NULL,
    CONSTRAINT one_reminder_per_end_and_day UNIQUE (subscription_id, ends_at, days),
    CONSTRAINT it_reminds_on_a_known_day CHECK (days IN (7, 3, 1)),
    CONSTRAINT it_comes_before_the_end CHECK (recorded_at < ends_at)
);
CREATE INDEX expiry_reminders_in_order ON expiry_reminders (app_id, recorded_at, id);

-- What ends soon and cannot renew by itself.
CREATE INDEX subscriptions_that_end_for_good ON subscriptions (app_id, coalesce(period_ends_at, '9999-12-31 00:00:00+00'), id)
    WHERE state = 'active' AND NOT renews_automatically AND cancelled_at IS NULL;
