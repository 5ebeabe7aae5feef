-- What Apple told about accounts that people sign in to the apps with (Sign in with Apple).
CREATE TABLE apple_account_notifications (
    id uuid PRIMARY KEY,
    app_id uuid NOT NULL REFERENCES apps,
    -- Apple's `jti`, the same on every delivery; where there is none, the digest of what it signed.
    notification_id text NOT NULL,
    client_id text NOT NULL,
    -- In Apple's own words; one that is not known yet is kept all the same.
    type text NOT NULL,
    -- Whom it is about: names the person within the developer's team.
    subject text NOT NULL,
    email text,
    is_private_email boolean,
    happened_at timestamptz,
    received_at timestamptz NOT NULL,
    CONSTRAINT an_account_notification_is_kept_once UNIQUE (app_id, notification_id)
);

CREATE INDEX apple_account_notifications_newest_first ON apple_account_notifications (app_id, received_at DESC, id DESC);
-- For whoever asks what became of one person's account.
CREATE INDEX apple_account_notifications_of_a_subject ON apple_account_notifications (app_id, subject, received_at DESC);
