-- Files that are written regularly: who wants what of which app, and which period comes next (docs/reports.md).
CREATE TABLE reports (
    id                uuid PRIMARY KEY,
    app_id            uuid NOT NULL REFERENCES apps,
    name              text NOT NULL,
    content           text NOT NULL,
    grain             text NOT NULL,
    -- Of the app's business day, on which the file of the period before is written.
    hour              smallint NOT NULL,
    -- On the machine of the worker.
    directory         text NOT NULL,
    -- Whether names and e-mail addresses are in it.
    has_personal_data boolean NOT NULL,
    created_at        timestamptz NOT NULL,
    -- The first day of the next period, and from when on its file is due.
    next_day          date NOT NULL,
    due_at            timestamptz NOT NULL,
    -- Whoever writes it now, and until when nobody else does.
    leased_by         uuid,
    leased_until      timestamptz,
    last_file         text,
    last_rows         bigint,
    last_written_at   timestamptz,
    attempts          integer NOT NULL DEFAULT 0,
    failure           text,
    failed_at         timestamptz,
    retry_at          timestamptz,
    CONSTRAINT one_report_per_name UNIQUE (name),
    CONSTRAINT a_report_has_a_short_name CHECK (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(name) <= 60),
    CONSTRAINT content_is_known CHECK (content IN ('revenue', 'ledger', 'access-changes', 'monthly-revenue')),
    CONSTRAINT grain_is_known CHECK (grain IN ('day', 'week', 'month')),
    CONSTRAINT an_hour_is_of_a_day CHECK (hour BETWEEN 0 AND 23),
    CONSTRAINT a_directory_is_absolute CHECK (directory ~ '^/'),
    CONSTRAINT a_lease_has_an_owner_and_an_end CHECK ((leased_by IS NULL) = (leased_until IS NULL)),
    CONSTRAINT a_failure_has_a_moment CHECK ((failure IS NULL) = (failed_at IS NULL))
);
CREATE INDEX reports_by_due_moment ON reports (due_at);
